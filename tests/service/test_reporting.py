import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from serinus.core.exclusions import Layer
from serinus.core.model import Offer, Route
from serinus.core.policy import Exclude
from serinus.service.desk import Desk
from serinus.service.documents import listing_document
from serinus.service.ledger import Served, conversation_digest
from serinus.service.memory import Memory
from serinus.service.operators import act
from serinus.service.reporting import (
    BadReportError,
    Complaint,
    Confidence,
    Source,
    Trace,
    file_report,
    nowhere,
    report_document,
    understood,
)
from serinus.service.storage import ClosedRound, RoundState, TranscriptRow
from service.test_canary import HALF_HOUR, MODEL, Life

MINUTE = timedelta(minutes=1)


class Desked:
    """A day of rounds, a route ledger beside it, and a gateway's records."""

    def __init__(self) -> None:
        self.life = Life()
        for bad in ([], ["beta"], ["beta"], []):
            self.life.bad = set(bad)
            self.life.round()
        self.records: dict[str, Trace] = {}
        self.asked: list[str] = []
        policy = self.life.canary.policy
        self.desk = Desk(
            self.life.store, Memory(self.life.store), policy, lambda: self.life.at, (MODEL,), HALF_HOUR, 1.0
        )

    @property
    def then(self):
        """Between the second failing round and the suspension."""
        return self.life.at - 2 * HALF_HOUR - 5 * MINUTE

    def serve(self, *rows: Served) -> None:
        self.life.store.ledger.keep(rows)

    async def lookup(self, generation: str) -> Trace | None:
        self.asked.append(generation)
        return self.records.get(generation)

    def report(self, **told):
        at = told.pop("at", self.then)
        words = at if at is None or isinstance(at, str) else at.isoformat()
        complaint = Complaint(by="anna", **{"model": MODEL, "at": words, **told})
        asked = understood(self.desk, complaint, self.desk.at.tzinfo)
        return asyncio.run(file_report(self.desk, asked, self.lookup))

    def row(self, tag=None, provider=None, **rest) -> Served:
        return Served(rest.pop("at", self.then), MODEL, "done", tag=tag, provider=provider, **rest)


@pytest.fixture
def town():
    return Desked()


def tags(filed):
    return [c.tag for c in filed.found.candidates]


def test_a_generation_of_the_ledger_names_its_route_for_certain(town):
    town.serve(town.row("beta", generation="gen-1"))
    filed = town.report(generation="gen-1", at=None, model=None)
    (found,) = filed.found.candidates
    assert (found.tag, found.served.confidence, filed.found.source) == (
        "beta",
        Confidence.EXACT,
        Source.LEDGER,
    )
    assert not filed.found.ambiguous
    assert set(found.suspect) == {"spoken", "filtering"}
    assert found.then.stand == "production"
    assert found.now.stand == "suspended"
    assert town.asked == []


def test_without_a_ledger_entry_the_gateways_record_tells_and_its_time_counts(town):
    town.records["gen-2"] = Trace(MODEL, "Gamma", "e-9", town.then)
    filed = town.report(generation="gen-2", at=None)
    assert (tags(filed), filed.found.source) == (["gamma"], Source.RECORD)
    assert filed.row.since == town.then - 10 * MINUTE


def test_all_that_served_around_a_time_are_told_with_their_part_and_the_suspicious_one_first(town):
    town.serve(*[town.row("alpha") for _ in range(7)], *[town.row("beta") for _ in range(3)])
    filed = town.report(contract="language")
    assert [(c.tag, c.served.share) for c in filed.found.candidates] == [("beta", 0.3), ("alpha", 0.7)]
    assert filed.found.ambiguous
    assert any(note.startswith("Ambiguous: the route ledger holds 10 requests") for note in filed.found.notes)


def test_a_busy_time_is_counted_whole(town):
    town.serve(*[town.row("alpha") for _ in range(10_500)])
    town.serve(*[town.row("beta", at=town.then + MINUTE) for _ in range(500)])
    found = town.report().found
    assert {c.tag: c.served.requests for c in found.candidates} == {"alpha": 10_500, "beta": 500}


def test_requests_of_another_hour_or_model_count_for_nothing(town):
    town.serve(
        town.row("alpha", at=town.then - HALF_HOUR), Served(town.then, "acme/other", "done", tag="beta")
    )
    assert town.report().found.source is Source.PRODUCTION


def test_a_conversation_is_found_by_its_digest_and_its_id_is_kept_nowhere(town):
    town.serve(town.row("gamma", conversation=conversation_digest("chat of user 7")), town.row("alpha"))
    filed = town.report(conversation="chat of user 7", at=None)
    assert tags(filed) == ["gamma"]
    assert "user 7" not in str(report_document(filed.row))


def test_with_nothing_to_tell_every_production_route_of_that_time_may_have_served_and_that_is_said(town):
    act(Memory(town.life.store), town.life.canary.policy, Exclude(town.life.at, Layer.OPERATIONAL, "alpha"))
    filed = town.report()
    assert set(tags(filed)) == {"alpha", "beta", "gamma", "delta/fp8"}
    assert tags(filed)[0] == "beta"
    assert {c.served.confidence for c in filed.found.candidates} == {Confidence.POSSIBLE}
    assert "Nothing tells who served" in filed.found.notes[-1]
    later = town.report(at=town.life.at + MINUTE)
    assert set(tags(later)) == {"gamma", "delta/fp8"}


def test_a_route_that_served_while_it_was_out_is_told_as_a_leak(town):
    after = town.life.at - 20 * MINUTE
    town.serve(town.row("beta", at=after, generation="gen-3"))
    filed = town.report(generation="gen-3", at=None)
    assert "did not get the ignore list" in filed.found.notes[-1]


def listed(town, *offers):
    """A listing of these offers, and a kept transcript of each route's own probe."""
    store = town.life.store
    row = store.open_round("sib", MODEL, town.life.at)
    seen = town.desk.memory.catch_up() and town.desk.memory.seen
    event = '{{"id": "gen-of-{}", "choices": []}}'
    kept = [
        TranscriptRow(
            "sib", town.life.at, MODEL, o.route.tag, "p", 0, False,
            {"status": 200, "events": [{"at": 0.1, "data": event.format(o.route.tag.replace("/", "-"))}]},
        )
        for o in offers
    ]  # fmt: skip
    ended = replace(row, state=RoundState.CLOSED, closed_at=town.life.at)
    store.close_round(ClosedRound(ended, seen, transcripts=kept, listing=listing_document(offers)))


@pytest.fixture
def siblings(town):
    listed(town, *(Offer(Route(MODEL, tag), "delta", "Delta") for tag in ("delta/fp8", "delta/turbo")))
    return town


def test_routes_that_share_a_name_are_ambiguous_and_that_is_said(siblings):
    siblings.serve(siblings.row(provider="Delta", generation="gen-4"))
    filed = siblings.report(generation="gen-4", at=None)
    assert set(tags(filed)) == {"delta/fp8", "delta/turbo"}
    assert any(note.startswith("Ambiguous: delta/fp8 and delta/turbo share") for note in filed.found.notes)


def test_the_endpoint_ids_of_our_own_probes_tell_them_apart(siblings):
    siblings.serve(siblings.row(provider="Delta", generation="gen-4"))
    siblings.records = {
        "gen-4": Trace(MODEL, "Delta", "e-2"),
        "gen-of-delta-fp8": Trace(MODEL, "Delta", "e-1"),
        "gen-of-delta-turbo": Trace(MODEL, "Delta", "e-2"),
    }
    filed = siblings.report(generation="gen-4", at=None)
    assert tags(filed) == ["delta/turbo"]
    assert filed.found.candidates[0].served.confidence is Confidence.EXACT


def test_a_report_is_kept_with_what_was_found_and_linked_to_its_reproduction(town):
    filed = town.report(contract="language")
    reports = town.life.store.reports
    reports.link(filed.row.id, "cmp-1")
    kept = reports.one(filed.row.id)
    assert kept is not None
    assert (kept.comparison, kept.by, kept.contract) == ("cmp-1", "anna", "language")
    assert [r.id for r in reports.latest(MODEL)] == [filed.row.id]
    assert reports.latest("acme/other") == []
    with pytest.raises(LookupError):
        reports.link(99, "cmp-1")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"contract": "wit"}, "allowed: first_token"),
        ({"model": "acme/none"}, "known: acme/story-70b"),
        ({"at": None}, "when was it"),
        ({"at": "soon"}, "allowed is a time"),
        ({"generation": "he said: hello"}, "generation id"),
        ({"window": timedelta(0)}, "more than nothing"),
    ],
)
def test_a_report_that_cannot_be_is_refused_with_what_is_allowed(town, told, said):
    with pytest.raises(LookupError, match=said):
        town.report(**told)


def test_an_id_of_another_model_is_a_mistake_that_is_told(town):
    town.serve(Served(town.then, "acme/other", "done", tag="beta", generation="gen-5"))
    with pytest.raises(BadReportError, match="was of acme/other, not of acme/story-70b"):
        town.report(generation="gen-5")


def test_nobody_is_asked_without_a_key():
    assert asyncio.run(nowhere("gen-1")) is None
