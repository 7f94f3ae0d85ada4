from datetime import UTC, datetime, timedelta

import pytest

from serinus.core.exclusions import Layer
from serinus.core.model import Round, Word
from serinus.core.policy import Decision, Exclude, Kind, Lane, Mode, Policy, SetMode, decide
from serinus.core.policy.lanes import lane_of
from serinus.service.configured import changed_modes, sync_builtin, sync_modes
from serinus.service.memory import Memory
from serinus.service.operators import act, record
from serinus.store import open_store

MODEL, OTHER = "acme/story-70b", "acme/tale-8b"
AT = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
REVIEWED = datetime(2026, 10, 1, tzinfo=UTC)
POLICY = Policy()


def builtin(route, why="Never honoured the pin. (ticket 12)", model=None):
    return Exclude(REVIEWED, Layer.BUILTIN, route, model, "anna", why)


def configured(mode, model=None, contract=None):
    return SetMode(AT, Mode(mode), model, contract, by="configuration")


@pytest.fixture
def memory():
    return Memory(open_store("sqlite://"))


def standing(memory):
    return {(e.name, e.model) for e in memory.catch_up().exclusions.values()}


def lane(memory, contract="language", model=MODEL):
    return lane_of(POLICY.mode, memory.catch_up().modes, model, contract)


def test_new_builtin_exclusions_are_taken_in_as_of_now_with_the_date_of_their_review(memory):
    sync_builtin(memory, POLICY, [builtin("novita")], AT)
    (entry,) = memory.catch_up().exclusions.values()
    assert (entry.since, entry.by) == (AT, "anna")
    assert entry.why.endswith("Reviewed on 2026-10-01.")


def test_a_second_start_with_the_same_file_writes_nothing(memory):
    sync_builtin(memory, POLICY, [builtin("novita")], AT)
    assert sync_builtin(memory, POLICY, [builtin("novita")], AT + timedelta(days=1)).entries == ()


def test_an_entry_that_vanished_from_the_file_is_the_only_one_that_ends(memory):
    sync_builtin(memory, POLICY, [builtin("novita"), builtin("beta")], AT)
    act(memory, POLICY, Exclude(AT, Layer.OPERATIONAL, "novita", None, "ops", "slow today"))
    sync_builtin(memory, POLICY, [builtin("beta")], AT)
    assert standing(memory) == {("beta", None), ("novita", None)}
    assert {e.layer for e in memory.state.exclusions.values() if e.name == "novita"} == {Layer.OPERATIONAL}


def test_a_reviewed_change_of_the_reason_is_taken_in(memory):
    sync_builtin(memory, POLICY, [builtin("novita")], AT)
    done = sync_builtin(memory, POLICY, [builtin("novita", "Still does. (ticket 31)")], AT)
    assert len(done.entries) == 1
    assert "ticket 31" in next(iter(memory.state.exclusions.values())).why


def test_a_builtin_exclusion_that_leaves_a_suspended_model_too_little_is_told(memory):
    policy = Policy(mode=Mode.ENFORCE)
    tags = frozenset({"alpha", "beta", "gamma"})
    for n in range(2):
        results = {tag: {"language": Word.FAIL if tag == "beta" else Word.PASS} for tag in tags}
        event = Round(AT + timedelta(minutes=30 * n), MODEL, tags, results)
        record(memory, lambda state, event=event: decide(policy, state, event), policy)
    later = AT + timedelta(hours=1)
    done = sync_builtin(memory, policy, [builtin("gamma")], later)
    assert [d.kind for _, d in done.decisions] == [Kind.BELOW_FLOOR]
    assert sync_builtin(memory, policy, [], later).after.model(MODEL).low is False
    kinds = [n.kind for _, n in memory.store.outbox("mail")]
    assert kinds == ["suspended", "below_floor", "floor_regained"]


def test_configured_modes_are_taken_in_once(memory):
    wanted = [configured("observe"), configured("enforce", MODEL, "language")]
    assert len(sync_modes(memory, POLICY, wanted, AT).entries) == 2
    assert sync_modes(memory, POLICY, wanted, AT).entries == ()
    assert (lane(memory), lane(memory, "leak")) == (Lane.REAL, Lane.SHADOW)


def test_what_operators_set_survives_a_restart_with_the_same_configuration(memory):
    sync_modes(memory, POLICY, [configured("observe")], AT)
    act(memory, POLICY, SetMode(AT, Mode.ENFORCE, None, None, "ops", "a week was clean"))
    sync_modes(memory, POLICY, [configured("observe")], AT)
    assert lane(memory) is Lane.REAL


def test_a_change_of_the_configuration_wins_inside_its_scope_only(memory):
    sync_modes(memory, POLICY, [configured("observe")], AT)
    act(memory, POLICY, SetMode(AT, Mode.ENFORCE, OTHER, None, "ops", "a week was clean"))
    sync_modes(memory, POLICY, [configured("observe"), configured("enforce", MODEL)], AT)
    assert (lane(memory), lane(memory, model=OTHER)) == (Lane.REAL, Lane.REAL)
    sync_modes(memory, POLICY, [configured("observe")], AT)
    assert (lane(memory), lane(memory, model=OTHER)) == (Lane.SHADOW, Lane.REAL)


def test_a_wider_change_says_the_narrower_settings_again():
    before = [configured("observe"), configured("observe", MODEL)]
    now = [configured("enforce"), configured("observe", MODEL)]
    said = [(s.mode, s.model) for s in changed_modes(before, now, AT)]
    assert said == [(Mode.ENFORCE, None), (Mode.OBSERVE, MODEL)]


def test_a_mode_taken_out_of_the_configuration_falls_back_to_the_wider_one():
    before = [configured("observe"), configured("enforce", MODEL, "language")]
    said = changed_modes(before, [configured("observe")], AT)
    assert [(s.mode, s.model, s.contract) for s in said] == [(Mode.OBSERVE, MODEL, "language")]


def test_only_decisions_of_the_changed_lane_follow(memory):
    assert not any(
        isinstance(e, Decision) for _, e in sync_modes(memory, POLICY, [configured("enforce")], AT).entries
    )
