import asyncio
from dataclasses import replace
from datetime import UTC, datetime

from serinus.core.model import Control, Expectation, Word
from serinus.service.owing import Debt, Owed
from serinus.service.planning import ModelPlan
from serinus.service.round_report import RoundReport
from serinus.service.rounds import Rounds
from world import MODEL, Filtering, Played, Spoken, Unpaced, Written, listing

AT = datetime(2026, 11, 30, 2, 30, tzinfo=UTC)
SPOKEN, WRITTEN, FILTERING = Spoken(), Written(), Filtering()


def play(
    script, *, contracts=(SPOKEN,), tags=("a",), index=0, owed=None, controls=()
) -> tuple[RoundReport, Played]:
    gateway = Played(script)
    plan = ModelPlan(MODEL, ("en", "pt"), contracts, frozenset(controls))
    report = asyncio.run(Rounds(gateway, Unpaced(), plan).run(AT, index, owed or {}, listing(*tags)))
    return report, gateway


def words(report: RoundReport, tag: str = "a") -> dict[str, Word]:
    return dict(report.record.results[tag])


def scripted(*answers: str):
    """Answers in order of attempt."""
    return lambda _tag, probe: answers[int(probe.key.rsplit(".", 1)[1])]


def test_a_healthy_route_is_asked_once_and_passes():
    report, gateway = play(scripted("hello"))
    assert words(report) == {"spoken": Word.PASS}
    assert len(gateway.asked) == 1


def test_a_lone_failure_asks_twice_more_and_a_majority_fails():
    report, gateway = play(scripted("bad", "hello", "bad"))
    assert words(report) == {"spoken": Word.FAIL}
    assert len(gateway.asked) == 3


def test_a_failure_that_nothing_confirms_passes():
    report, _ = play(scripted("bad", "hello", "hello"))
    assert words(report) == {"spoken": Word.PASS}


def test_transport_errors_are_no_votes():
    report, _ = play(scripted("bad", "lost", "hello"))
    assert words(report) == {"spoken": Word.INCONCLUSIVE}


def test_an_inconclusive_answer_asks_nothing_more():
    report, gateway = play(scripted("odd"))
    assert words(report) == {"spoken": Word.INCONCLUSIVE}
    assert len(gateway.asked) == 1


def test_every_request_of_a_round_has_its_own_session():
    _, gateway = play(scripted("bad", "bad", "bad"), tags=("a", "b"))
    sessions = [session for _, _, session in gateway.asked]
    assert len(set(sessions)) == len(sessions) == 6


def test_equal_probes_of_two_contracts_are_asked_once():
    _, gateway = play(scripted("hello"), contracts=(SPOKEN, FILTERING))
    assert len(gateway.asked) == 1


def test_further_votes_are_read_by_every_contract():
    report, _ = play(scripted("bad", "hello", "hello"), contracts=(SPOKEN, FILTERING))
    assert [len(f.votes) for f in report.routes[0].findings] == [3, 3]


def test_the_round_rotates_languages_and_a_debt_comes_first():
    _, gateway = play(scripted("hello"), tags=("a", "b"), index=1, owed={"b": Owed((Debt("spoken", "en"),))})
    assert {tag: probe.language for tag, probe, _ in gateway.asked} == {"a": "pt", "b": "en"}


def test_an_anxious_contract_asks_again_even_when_it_is_not_its_turn():
    report, _ = play(
        lambda _t, _p: "bad", contracts=(WRITTEN,), index=1, owed={"a": Owed((Debt("written"),))}
    )
    assert words(report) == {"written": Word.FAIL}
    assert len(report.routes[0].answered) == 3


def test_a_control_that_refuses_is_caught_and_its_filtering_is_not_the_routes_own():
    report, _ = play(lambda _t, _p: "bad", contracts=(SPOKEN, FILTERING), controls=("a",))
    assert report.record.controls == {"a": Control.CAUGHT}
    assert "filtering" not in words(report)


def test_a_control_that_answers_passed():
    report, _ = play(scripted("hello"), contracts=(FILTERING,), controls=("a",))
    assert report.record.controls == {"a": Control.PASSED}


def test_a_control_that_is_not_listed_is_unreachable():
    report, _ = play(scripted("hello"), contracts=(FILTERING,), controls=("z",))
    assert report.record.controls == {"z": Control.UNREACHABLE}


def test_an_answer_of_another_host_is_told_apart():
    report, _ = play(scripted("foreign"))
    assert [tag for tag, _ in report.voids] == ["a"]


def test_the_round_is_named_by_its_planned_instant():
    report, _ = play(scripted("hello"))
    assert report.name == f"{MODEL}@2026-11-30T02:30Z"


class Named(Spoken):
    """Gives each route a word of its own."""

    def probes(self, turn):
        (probe,) = super().probes(turn)
        return (replace(probe, expect=Expectation(nonce=f"{turn.tag}-{turn.attempt}")),)


def test_each_request_knows_the_words_of_the_rounds_other_requests():
    _, gateway = play(scripted("bad", "hello", "hello"), contracts=(Named(),), tags=("a", "b"))
    others = {probe.expect.nonce: set(probe.expect.other_nonces) for _, probe, _ in gateway.asked}
    assert others["a-0"] == {"b-0"}
    assert others["a-1"] == {"a-0", "b-0"}


def test_the_slowest_route_of_the_round_before_is_asked_first_and_the_order_shown_stays():
    gateway = Played(scripted("hello"))
    plan = ModelPlan(MODEL, ("en",), (SPOKEN,))
    rounds = Rounds(gateway, Unpaced(), plan, took={"a": 0.5, "c": 6.0})
    report = asyncio.run(rounds.run(AT, 0, {}, listing("a", "b", "c")))
    assert [tag for tag, _, _ in gateway.asked] == ["c", "a", "b"]
    assert [r.offer.route.tag for r in report.routes] == ["a", "b", "c"]


def test_no_answer_may_hold_a_nonce_of_the_round_before():
    gateway = Played(scripted("hello"))
    plan = ModelPlan(MODEL, ("en",), (SPOKEN,))
    before = frozenset({"amber kestrel", "violet anvil"})
    rounds = Rounds(gateway, Unpaced(), plan, before=before)
    report = asyncio.run(rounds.run(AT, 0, {}, listing("a", "b")))
    asked = [a.ask.probe.expect.previous_nonces for r in report.routes for a in r.answered]
    assert asked == [("amber kestrel", "violet anvil")] * 2
