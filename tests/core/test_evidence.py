"""The rule of evidence is one replaceable part: the rest of the policy works with another as well."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from serinus.core.evidence import READINGS, Reading, Tally
from serinus.core.model import Round, Word
from serinus.core.policy import Decision, Mode, Policy, State, decide, fold
from serinus.core.two_rounds import TwoRounds

AT = datetime(2026, 11, 30, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
RULE = TwoRounds()


def readings(**words):
    return {contract: READINGS[Word(word)] for contract, word in words.items()}


@pytest.mark.parametrize("word", list(Word))
def test_one_settled_verdict_is_one_answer(word):
    reading = READINGS[word]
    assert (reading.word, reading.good, reading.bad) == (word, word is Word.PASS, word is Word.FAIL)


def test_a_failure_adds_one_and_dates_the_streak():
    assert RULE.weighed(None, READINGS[Word.FAIL], AT) == Tally(1, 1, AT)
    assert RULE.weighed(Tally(1, 1, AT), READINGS[Word.FAIL], AT + HALF_HOUR) == Tally(2, 2, AT + HALF_HOUR)


def test_a_pass_ends_the_streak():
    assert RULE.weighed(Tally(5, 5, AT), READINGS[Word.PASS], AT) is None


@pytest.mark.parametrize("word", sorted(set(Word) - {Word.PASS, Word.FAIL}))
def test_anything_else_leaves_it(word):
    assert RULE.weighed(None, READINGS[word], AT) is None
    assert RULE.weighed(Tally(1, 1, AT), READINGS[word], AT + HALF_HOUR) == Tally(1, 1, AT)


def test_a_streak_is_carried_up_to_its_age():
    held = Tally(1, 1, AT)
    assert RULE.carried(held, AT + timedelta(hours=6)) == held
    assert RULE.carried(held, AT + timedelta(hours=6, seconds=1)) is None
    assert RULE.carried(None, AT) is None


def test_a_streak_is_ripe_at_the_number_that_was_set():
    assert not RULE.ripe(Tally(1, 1, AT))
    assert RULE.ripe(Tally(2, 2, AT))
    assert not TwoRounds(consecutive_failures=3).ripe(Tally(2, 2, AT))


@pytest.mark.parametrize(
    ("said", "rests_on", "clean"),
    [
        ({"a": "pass"}, {"a"}, True),
        ({"a": "pass", "b": "pass"}, {"a"}, True),
        ({"a": "pass", "b": "inconclusive"}, {"a"}, False),
        ({"a": "pass", "b": "transport"}, {"a"}, False),
        ({"b": "pass"}, {"a"}, False),
        ({"a": "pass"}, {"a", "b"}, False),
        ({}, {"a"}, False),
    ],
)
def test_a_round_is_clean_if_all_passed_and_what_it_rests_on_was_asked(said, rests_on, clean):
    assert RULE.cleaner(None, readings(**said), rests_on, AT) == (Tally(1, 1, AT) if clean else None)


def test_clean_rounds_add_up_unless_they_are_too_far_apart():
    first = Tally(1, 1, AT)
    near, far = AT + timedelta(hours=6), AT + timedelta(hours=6, seconds=1)
    assert RULE.cleaner(first, readings(a="pass"), {"a"}, near) == Tally(2, 2, near)
    assert RULE.cleaner(first, readings(a="pass"), {"a"}, far) == Tally(1, 1, far)


def test_a_failure_starts_the_clean_count_again_and_other_rounds_leave_it():
    first = Tally(1, 1, AT)
    assert RULE.cleaner(first, readings(a="pass", b="fail"), {"a"}, AT) is None
    assert RULE.cleaner(first, readings(a="inconclusive"), {"a"}, AT) == first


def test_recovery_is_complete_at_the_number_that_was_set():
    assert not RULE.recovered(None)
    assert not RULE.recovered(Tally(1, 1, AT))
    assert RULE.recovered(Tally(2, 2, AT))


@dataclass(frozen=True)
class Points(TwoRounds):
    """Bad answers give 10 points, good ones take 1 away; 20 points suspend; restored with 19."""

    name = "points"

    def carried(self, held, at):
        del at
        return held

    def weighed(self, held, reading: Reading, at):
        weight = max(0, (held.weight if held else 0) + 10 * reading.bad - reading.good)
        if not weight:
            return None
        return Tally(
            weight, (held.rounds if held else 0) + bool(reading.bad), at if reading.bad else held.last
        )

    def ripe(self, held):
        return held.weight >= 20 and held.rounds >= 2

    def probation(self, held):
        return Tally(19, held.rounds, held.last)


def test_another_rule_needs_nothing_else_of_the_policy():
    policy, state, said = Policy(mode=Mode.ENFORCE, rule=Points()), State(), []
    for number, mark in enumerate("x.xx..x"):
        word = Word.FAIL if mark == "x" else Word.PASS
        results = {route: {"language": word if route == "a" else Word.PASS} for route in "abc"}
        entries = decide(policy, state, Round(AT + number * HALF_HOUR, "m", frozenset("abc"), results))
        state = fold(entries, state)
        said += [
            (number + 1, e.kind, e.level, e.facts.get("rule")) for e in entries if isinstance(e, Decision)
        ]
    assert said == [
        (4, "suspended", 1, "points"),  # 10, 9, 19, 29 points
        (6, "restored", 1, None),
        (7, "suspended", 2, "points"),  # on probation, one bad answer is enough
    ]
