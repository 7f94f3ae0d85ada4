from datetime import UTC, datetime, timedelta

import pytest

from serinus.core.model import Round, Word
from serinus.core.policy import Kind, Lane, Lift, Mode, Policy, SetMode, decide
from serinus.service.memory import Memory
from serinus.service.observing import Period, Share, observe_report
from serinus.service.operators import Mark, act, mark, record
from serinus.store import open_store

MODEL = "acme/story-70b"
START = datetime(2026, 11, 1, 0, 0, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
TAGS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
CONTRACTS = ("language", "filtering")


class Past:
    """A model in observe mode; each round is told by who fails what."""

    def __init__(self, policy=None):
        self.policy = policy or Policy()
        self.memory = Memory(open_store("sqlite://"))
        self.at = START

    def round(self, *fails, times=1):
        """`fails` are like `beta.language`; all else passes."""
        for _ in range(times):
            words = {
                tag: {c: Word.FAIL if f"{tag}.{c}" in fails else Word.PASS for c in CONTRACTS} for tag in TAGS
            }
            event = Round(self.at, MODEL, frozenset(TAGS), words)
            record(self.memory, lambda state, event=event: decide(self.policy, state, event), self.policy)
            self.at += HALF_HOUR

    def days(self, number):
        self.round(times=48 * number)

    def report(self, length=timedelta(days=14)):
        at = self.at
        state = self.memory.catch_up()
        return observe_report(self.memory.store, MODEL, Period(self.policy, state, at - length, at))

    def contract(self, name="language"):
        return next(c for c in self.report().contracts if c.contract == name)

    def mark(self, seq, *, right):
        mark(self.memory.store, Mark(seq, right, "ops", "looked at it", self.at))


@pytest.fixture
def past():
    return Past()


def test_a_would_be_suspension_is_reported_with_its_hours_and_how_it_ended(past):
    past.round()
    past.round("beta.language", times=8)
    past.round(times=4)
    (would,) = past.report().would
    assert (would.span.route, would.span.end, would.mark) == ("beta", Kind.RESTORED, None)
    assert would.hours == 4.0


def test_a_renewed_one_is_one_that_lasts(past):
    past.round("beta.language", times=4 * 48)
    (would,) = past.report().would
    assert (len(would.span.seqs), would.span.ended) == (2, None)


def test_a_fault_that_is_gone_in_the_very_next_rounds_is_doubtful(past):
    past.round("beta.language", times=2)
    past.round(times=3)
    (would,) = past.report().would
    assert would.signs == ("restored_soon",)
    assert past.contract().doubtful == 1


def test_a_contract_that_peers_failed_too_and_alone_is_doubtful(past):
    past.round("beta.language", "gamma.language", "alpha.language", times=2)
    assert all("peers_failed" in w.signs for w in past.report().would)


def test_a_route_that_failed_other_contracts_as_well_is_not(past):
    past.round("beta.language", "beta.filtering", "gamma.language", "alpha.language", times=2)
    signs = {w.span.route: w.signs for w in past.report().would}
    assert "peers_failed" not in signs["beta"]


def test_a_suspected_probe_near_by_makes_it_doubtful(past):
    past.round("beta.language", times=2)
    past.round("beta.language", *(f"{tag}.language" for tag in TAGS if tag != "beta"))
    past.round("beta.language")
    signs = {w.span.route: w.signs for w in past.report().would}
    assert signs["beta"] == ("round_void",)


def test_marks_count_and_a_marked_one_is_no_longer_doubtful(past):
    past.round("beta.language", times=2)
    past.round(times=3)
    past.mark(past.report().would[0].seq, right=False)
    found = past.contract()
    assert (found.right, found.wrong, found.unmarked, found.doubtful) == (0, 1, 0, 0)


def test_failures_that_led_nowhere_are_the_measured_share(past):
    past.round(times=9)
    past.round("beta.language")
    past.round("gamma.language", "gamma.filtering")
    past.round("delta.language", times=2)
    past.round("delta.language", times=3)
    # 6 routes × 16 rounds; gamma's round says nothing of either contract, delta's five led to something
    assert past.contract().share == Share(1, 6 * 16 - 1 - 5)
    assert past.contract("filtering").share == Share(0, 6 * 16 - 1 - 1 - 5)


def test_days_are_counted_while_the_contract_was_observed(past):
    past.days(2)
    act(past.memory, past.policy, SetMode(past.at, Mode.ENFORCE, MODEL, "language", "ops", "sure"))
    past.days(3)
    assert (past.contract().days, past.contract("filtering").days) == (2, 5)
    assert (past.contract().lane, past.contract().advice) == (Lane.REAL, "enforced")


@pytest.mark.parametrize(
    ("days", "story", "advice"),
    [
        (1, "clean", "observe"),
        (8, "clean", "enforce"),
        (8, "open", "mark"),
        (8, "right", "enforce"),
        (8, "wrong", "wrong"),
    ],
)
def test_the_advice_follows_from_days_and_marks(past, days, story, advice):
    past.days(days)
    if story != "clean":
        past.round("beta.language", times=3)
    if story in {"right", "wrong"}:
        past.mark(past.report().would[0].seq, right=story == "right")
    assert past.contract().advice == advice


def test_rounds_in_which_the_floor_held_a_route_back_are_counted():
    past = Past(Policy(floor=6))
    past.round()
    past.round("beta.language", times=5)
    past.round(times=2)
    assert past.report().floor_rounds == 4


def test_what_was_lifted_or_is_before_the_period_counts_for_the_time_inside_it(past):
    past.round("beta.language", times=4)
    act(past.memory, past.policy, Lift(past.at, MODEL, "beta", "ops", "a false alarm"))
    past.round(times=8)
    report = past.report(timedelta(hours=5))
    assert [w.span.end for w in report.would] == [Kind.LIFTED]
    assert report.would[0].hours == pytest.approx(0.5, abs=0.51)
    assert past.report(timedelta(hours=1)).would == ()
