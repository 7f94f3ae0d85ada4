"""What is recorded beside what is told: evidence for each decision, and what the state is folded from."""

from datetime import UTC, datetime

import pytest

from serinus.core.exclusions import Layer
from serinus.core.policy import (
    Decision,
    Exclude,
    Kind,
    Lane,
    Mode,
    SetMode,
    State,
    Tick,
    Warned,
    decide,
    evolve,
    fold,
)
from serinus.core.policy.entries import Eased, Moved, Regained
from serinus.core.policy.lanes import lane_of, replaced_by
from stories.timeline import told

AT = datetime(2026, 11, 30, tzinfo=UTC)


def facts(story):
    return [decision.facts for decision, _ in told(story).decided]


def test_a_suspension_is_recorded_with_what_it_rests_on():
    held = {"language": {"weight": 2, "rounds": 2}}
    assert facts("xx") == [{"rule": "two_rounds", "held": held, "left": 3, "floor": 2}]


def test_a_refusal_of_the_floor_is_recorded_with_what_would_be_left():
    assert [(f["left"], f["floor"]) for f in facts("{peers none} xx")] == [(0, 2)]


def test_an_end_is_recorded_with_its_cause():
    assert facts("xx..")[-1] == {"clean": 2}
    assert facts("xx[lift]")[-1] == {"act": "lift", "by": "ops", "why": "looked at it"}
    assert facts("xx[observe]")[-1] == {"act": "mode", "by": "ops", "why": "trial"}
    assert facts("xx[25h later]?")[-1]["failing"] is False


def test_brakes_are_recorded_with_whom_they_concern():
    assert facts("[control passed].") == [{"controls": ["openai"]}]
    assert facts("a: x | b: x | c: x") == [{"failing": ["a", "b", "c"], "providers": 4}]
    assert facts("xx[exclude b][exclude c]")[-1] == {"providers": 1, "floor": 2}


def entries_after(story, event):
    telling = told(story)
    return decide(telling.policy, telling.state, event)


def test_a_contract_that_changes_lanes_is_recorded_with_its_new_lane():
    event = SetMode(datetime(2026, 11, 30, 1, tzinfo=UTC), Mode.OBSERVE, "m")
    moved = [e for e in entries_after("x", event) if isinstance(e, Moved)]
    assert [(m.contract, m.lane) for m in moved] == [("language", Lane.SHADOW)]


@pytest.mark.parametrize("act", ["[lift]", "[observe]", "."])
def test_the_state_says_at_once_that_the_floor_holds_nothing_back_any_more(act):
    assert told("{peers none} xx").state.model("m").route("a").real.held
    assert not told(f"{{peers none}} xx{act}").state.model("m").route("a").real.held


def test_the_end_of_a_shortage_is_recorded():
    telling = told("xx[exclude b][exclude c]")
    assert telling.state.model("m").low
    later = Tick(datetime(2026, 12, 3, tzinfo=UTC))  # the suspension has run out
    entries = decide(telling.policy, telling.state, later)
    assert Regained(later.at, "m") in entries
    assert not fold(entries, telling.state).model("m").low


def test_no_entries_are_the_empty_state():
    assert fold([]) == State()
    assert fold([Tick(AT)]) == State(now=AT)


def test_time_never_runs_back():
    state = fold([Tick(AT.replace(hour=2)), Tick(AT.replace(hour=1))])
    assert state.now == AT.replace(hour=2)


def test_a_suspension_without_its_end_is_no_entry():
    for decision in (
        Decision(AT, "m", Kind.SUSPENDED, "a", Lane.REAL, level=1),
        Decision(AT, "m", Kind.SUSPENDED, "a", Lane.REAL, until=AT),
    ):
        with pytest.raises(ValueError, match="a suspended entry needs level and until"):
            evolve(State(), decision)


def test_evolving_decides_nothing_and_changes_nothing():
    telling = told("{peers none} xx")
    before = telling.state
    evolve(before, Eased(AT, "m", "a", Lane.REAL))
    assert before == telling.state
    assert before.model("m").route("a").real.held


def setting(mode, model=None, contract=None):
    return SetMode(AT, mode, model, contract)


@pytest.mark.parametrize(
    ("new", "old", "gone"),
    [
        ((None, None), ("m", "c"), True),
        (("m", None), ("m", "c"), True),
        (("m", None), ("m", None), True),
        ((None, "c"), ("m", "c"), True),
        (("m", "c"), ("m", None), False),
        (("m", None), ("n", None), False),
        (("m", "c"), ("n", "c"), False),
        (("m", "c"), ("m", "d"), False),
        (("m", None), (None, "c"), False),
    ],
)
def test_a_setting_replaces_those_inside_its_scope(new, old, gone):
    assert replaced_by(setting(Mode.ENFORCE, *new), setting(Mode.OBSERVE, *old)) is gone


def test_the_last_setting_that_holds_both_decides():
    settings = [setting(Mode.ENFORCE, "m"), setting(Mode.OBSERVE, None, "language")]
    assert lane_of(Mode.OBSERVE, settings, "m", "language") is Lane.SHADOW
    assert lane_of(Mode.OBSERVE, settings, "m", "filtering") is Lane.REAL
    assert lane_of(Mode.OBSERVE, settings, "n", "filtering") is Lane.SHADOW


def test_a_model_keeps_its_setting_when_another_one_gets_its_own():
    state = fold([setting(Mode.ENFORCE, "n"), setting(Mode.OBSERVE, "m"), setting(Mode.ENFORCE, "m")])
    assert state.modes == (setting(Mode.ENFORCE, "n"), setting(Mode.ENFORCE, "m"))


def test_an_exclusion_that_is_over_is_still_recorded():
    telling = told(".")
    exclude = Exclude(AT, Layer.OPERATIONAL, "a", "m", until=AT)
    entries = decide(telling.policy, telling.state, exclude)
    assert entries == (exclude, Warned(AT, "exclusion_over", "m", "a", {"layer": "operational"}))
