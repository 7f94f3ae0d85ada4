from datetime import UTC, datetime

from serinus.core.model import Finding, Listing, Probe, Turn, Verdict, Word
from serinus.core.transcript import Answer, Transcript
from serinus.judging.contract import Reason
from serinus.service.answers import Answered
from serinus.service.planning import Ask
from serinus.service.prompts import records_after, records_document, records_of, retired
from serinus.service.round_report import RoundReport, RouteReport
from world import MODEL, Spoken, offers

AT = datetime(2026, 11, 30, tzinfo=UTC)


class Reading(Spoken):
    """A contract whose own reasons are listed."""

    reasons = (Reason("odd", Word.FAIL, "It reads oddly."), Reason("fine", Word.PASS, "It reads well."))


def route(
    tag: str, prompt: str, word: Word, *, settled: Word = Word.PASS, reason: str | None = None
) -> RouteReport:
    offer = offers(tag)[0]
    probe = Probe(key=prompt, kind="speech", language="pt")
    verdict = Verdict(word, reason or ("odd" if word is Word.FAIL else "fine"))
    answered = Answered(Ask(offer, probe, 0, "s"), Transcript(probe, Answer()), {"spoken": verdict})
    finding = Finding(offer.route, "spoken", Verdict(settled, "settled"))
    return RouteReport(offer, Turn("r", 0, tag, "pt"), (answered,), (finding,))


def after(records, *routes: RouteReport):
    return records_after(records, RoundReport("r", AT, MODEL, Listing(MODEL), routes), (Reading(),))


def test_a_prompt_that_trips_two_otherwise_clean_routes_leaves_the_pool():
    records = after({}, route("a", "p", Word.FAIL), route("b", "p", Word.PASS))
    assert retired(records) == frozenset()
    records = after(records, route("b", "p", Word.FAIL))
    assert retired(records) == {"p"}


def test_one_route_that_trips_twice_blames_itself_and_not_the_prompt():
    records = after(after({}, route("a", "p", Word.FAIL)), route("a", "p", Word.FAIL))
    assert retired(records) == frozenset()


def test_a_route_that_settled_on_a_failure_says_nothing_of_its_prompts():
    records = after(
        {}, route("a", "p", Word.FAIL, settled=Word.FAIL), route("b", "p", Word.FAIL, settled=Word.FAIL)
    )
    assert dict(records) == {}


def test_chance_errors_over_a_long_history_retire_nothing():
    routes = [route(f"r{n}", "p", Word.FAIL if n in (3, 70) else Word.PASS) for n in range(100)]
    assert retired(after({}, *routes)) == frozenset()


def test_an_answer_that_never_got_as_far_as_the_text_is_no_trip():
    records = after({}, *(route(tag, "p", Word.INCONCLUSIVE, reason="moderated") for tag in "ab"))
    assert retired(records) == frozenset()


def test_records_survive_their_document():
    records = after({}, route("a", "p", Word.FAIL), route("b", "q", Word.PASS))
    assert records_of(records_document(records)) == records
