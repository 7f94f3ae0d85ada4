import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from serinus.core.model import Listing
from serinus.core.policy import Decision, Lift, Mode, Policy, State, Tick
from serinus.core.policy.folded import Folded, folded_document
from serinus.core.policy.journal import to_json
from serinus.core.transcript import Answer, Failure, Usage
from serinus.service.canary import Canary, Outcome
from serinus.service.memory import KEEP_EACH, Memory
from serinus.service.planning import ModelPlan
from serinus.store import open_store
from world import MODEL, Filtering, Played, Spoken, Unpaced, offers

START = datetime(2026, 11, 30, 0, 0, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
TAGS = ("alpha", "beta", "gamma", "delta/fp8")


@dataclass
class Town(Played):
    """A gateway whose listing and prices can be told."""

    listed: Listing = field(default_factory=lambda: Listing(MODEL, offers(*TAGS)))
    price: float | None = None
    refusing: bool = False

    async def discover(self, model: str) -> Listing:
        del model
        return self.listed

    async def ask(self, offer, probe, *, session, limits):
        transcript = await super().ask(offer, probe, session=session, limits=limits)
        if self.refusing:
            failure = Failure("http", 401, "authentication", "User not found.")
            return replace(transcript, status=401, answer=Answer(failure=failure))
        if self.price is None:
            return transcript
        usage = Usage(total_tokens=100, cost=self.price)
        return replace(transcript, answer=replace(transcript.answer, usage=usage))


class Life:
    """A canary over some rounds; `bad` are the tags that fail, changed as the story goes."""

    def __init__(self, mode: Mode = Mode.ENFORCE, budget: float = 1.0) -> None:
        self.bad: set[str] = set()
        self.town = Town(lambda tag, _probe: "bad" if tag in self.bad else "hello")
        self.store = open_store("sqlite://")
        self.at = START
        plan = ModelPlan(MODEL, ("en", "pt"), (Spoken(), Filtering()))
        self.canary = Canary(
            store=self.store,
            gateway=self.town,
            pace=Unpaced(),
            policy=Policy(mode=mode),
            plans={MODEL: plan},
            clock=lambda: self.at,
            budget=budget,
        )

    def round(self) -> Outcome:
        outcome = asyncio.run(self.canary.round(MODEL, self.at))
        assert outcome is not None
        self.at += HALF_HOUR
        return outcome

    def told(self) -> list[str]:
        return [notice.kind for _, notice in self.store.outbox("mail")]


def decided(outcome: Outcome) -> list[str]:
    return [e.kind.value for e in outcome.entries if isinstance(e, Decision)]


@pytest.fixture
def life() -> Life:
    return Life()


def test_a_route_that_fails_two_rounds_is_left_out_of_requests(life):
    life.bad = {"beta"}
    assert decided(life.round()) == []
    second = life.round()
    assert decided(second) == ["suspended"]
    assert second.ignore.ignore == ("beta",)
    assert life.told() == ["suspended"]


def test_observe_mode_decides_and_tells_but_reaches_no_request():
    life = Life(Mode.OBSERVE)
    life.bad = {"beta"}
    life.round()
    second = life.round()
    assert decided(second) == ["suspended"]
    assert second.ignore.ignore == ()
    assert life.told() == ["would_suspend"]


def test_two_clean_rounds_restore_and_resolve_what_was_told(life):
    life.bad = {"beta"}
    life.round(), life.round()
    life.bad = set()
    life.round()
    restored = life.round()
    assert decided(restored) == ["restored"]
    assert restored.ignore.ignore == ()
    notices = [n for _, n in life.store.outbox("mail")]
    assert notices[-1].resolves == notices[0].key


def test_a_planned_round_is_taken_once(life):
    life.round()
    life.at -= HALF_HOUR
    assert asyncio.run(life.canary.round(MODEL, life.at)) is None


def test_a_failed_listing_is_told_once_and_the_last_known_one_stands(life):
    life.round()
    life.town.listed = Listing(MODEL, trouble="the listing is empty")
    first, second = life.round(), life.round()
    assert len(first.report.routes) == len(TAGS)
    assert (first.trouble, second.trouble) == ("the listing is empty", "the listing is empty")
    life.town.listed = Listing(MODEL, offers(*TAGS))
    life.round()
    assert life.told() == ["listing_gone", "listing_back"]


def test_a_first_listing_that_fails_asks_nobody_and_decides_nothing(life):
    life.town.listed = Listing(MODEL, trouble="it could not be had")
    outcome = life.round()
    assert outcome.report.routes == ()
    assert decided(outcome) == []
    assert life.town.asked == []


def test_a_language_owed_is_asked_again_after_a_restart(life):
    life.bad = {"beta"}
    life.round()
    again = Canary(**{name: getattr(life.canary, name) for name in life.canary.__slots__ if name != "memory"})
    life.town.asked.clear()
    asyncio.run(again.round(MODEL, life.at))
    assert {p.language for tag, p, _ in life.town.asked if tag == "beta"} == {"en"}
    assert {p.language for tag, p, _ in life.town.asked if tag == "alpha"} == {"pt"}


def test_the_state_after_a_restart_is_the_fold_of_the_log(life):
    life.bad = {"beta"}
    life.round(), life.round()
    again = Canary(**{name: getattr(life.canary, name) for name in life.canary.__slots__ if name != "memory"})
    assert again.memory.catch_up() == life.canary.memory.state


def test_a_lift_wins_over_the_round_in_flight(life):
    life.bad = {"beta"}
    life.round()
    script = life.town.script

    def lifting(tag, probe):
        if tag == "beta" and probe.key.endswith(".0"):
            lift = Lift(life.at + timedelta(seconds=5), MODEL, "beta", by="ops", why="a false alarm")
            seen = [logged.seq for logged in life.store.log()]
            life.store.append(seen[-1], [(lift.at, "lift", to_json(lift))])
        return script(tag, probe)

    life.town.script = lifting
    assert decided(life.round()) == []


def test_a_round_that_a_process_died_in_is_asked_anew_if_it_is_still_the_latest(life):
    life.bad = {"beta"}
    life.round()
    died = life.store.open_round(f"{MODEL}@2026-11-30T00:30Z", MODEL, life.at)
    life.canary.take_over(lambda _model: life.at)
    assert died is not None
    again = life.round()
    assert again.report.name == died.name
    assert decided(again) == ["suspended"]


def test_a_round_that_a_process_died_in_long_ago_is_abandoned(life):
    died = life.store.open_round(f"{MODEL}@2026-11-30T00:00Z", MODEL, life.at)
    life.at += timedelta(hours=3)
    life.canary.take_over(lambda _model: life.at)
    assert died is not None
    assert life.store.left_open() == []
    assert [r.state.value for r in life.store.rounds(MODEL, since=START)] == ["abandoned"]


def ticked(life, times):
    """A log that long, and its end."""
    ticks = [(START, "tick", to_json(Tick(START)))] * times
    return life.store.append(0, ticks)


def test_a_rounds_end_keeps_a_fold_now_and_then(life):
    life.round()
    assert life.store.fold() is None
    life = Life()
    end = ticked(life, KEEP_EACH)
    life.bad = {"beta"}
    life.round()
    kept = life.store.fold()
    assert kept["seq"] == end
    life.round()
    assert life.store.fold() == kept
    assert Memory(life.store).catch_up() == life.canary.memory.state


def test_a_canary_that_begins_makes_a_wrong_fold_anew_and_tells_once(life):
    life.bad = {"beta"}
    life.round(), life.round()
    right = life.canary.memory.state
    life.store.keep_fold(folded_document(Folded(State(), 1)))
    for _ in range(2):
        life.canary.take_over(lambda _model: life.at)
        assert life.canary.memory.state == Memory(life.store).catch_up() == right
        assert life.told().count("state_corrected") == 1


def test_fantastic_usage_is_not_believed_and_breaks_nothing(life):
    life.town.price = float("nan")
    assert life.round().report.cost == 0.0


def test_a_key_that_every_route_refuses_is_told_once_and_nothing_is_held_against_them(life):
    life.town.refusing = True
    first, second = life.round(), life.round()
    assert "refused" in (first.trouble or "")
    assert decided(first) == decided(second) == []
    life.town.refusing = False
    life.round()
    assert life.told() == ["account_refused", "account_accepted"]


def test_a_budget_that_was_reached_says_nothing_of_the_listing():
    life = Life(budget=0.05)
    life.town.price = 0.008
    life.round(), life.round()
    life.at = START + timedelta(days=1)
    life.round()
    assert life.told() == ["budget_reached"]


def test_at_the_budget_nothing_is_asked_suspended_or_forgotten_and_it_is_told_once_a_day():
    life = Life(budget=0.05)
    life.town.price = 0.008
    life.bad = {"beta"}
    life.round()
    life.town.asked.clear()
    second, third = life.round(), life.round()
    assert life.town.asked == []
    assert "budget" in (second.trouble or "")
    assert decided(second) == decided(third) == []
    assert life.told() == ["budget_reached"]
    life.at = START + timedelta(days=1)
    assert len(life.round().report.routes) == len(TAGS)
