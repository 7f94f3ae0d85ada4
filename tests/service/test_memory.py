"""The state is the fold of the log, wherever a reader begins; a kept fold only saves time."""

import json

import pytest

from oracle.histories import history
from serinus.core.policy import State, decide, fold
from serinus.core.policy.folded import Folded, folded_document, folded_of, sealed
from serinus.core.policy.journal import from_json
from serinus.service.history import parse_event
from serinus.service.memory import Memory
from serinus.service.policy_file import policy_of
from serinus.store import open_store


def lived(store, seed):
    """A random history in the log; the state after each of its entries, the first before any."""
    events, table = history(seed)
    policy, memory, states = policy_of(table), Memory(store), [State()]
    for event in events:
        happened = parse_event(json.dumps(event).encode())
        memory.record(
            lambda state, happened=happened: decide(policy, state, happened),
            lambda p: store.append(p.seen, p.records),
        )
    for logged in store.log():
        states.append(fold([from_json(logged.document)], states[-1]))
    return states


@pytest.fixture
def store():
    opened = open_store("sqlite://")
    yield opened
    opened.close()


@pytest.fixture
def states(store):
    return lived(store, 3)


def keep(store, state, seq):
    store.keep_fold(folded_document(Folded(state, seq)))


@pytest.mark.parametrize("seed", range(6))
def test_wherever_the_kept_fold_ends_the_state_is_the_same(store, seed):
    states = lived(store, seed)
    for seq in range(0, len(states), 5):
        keep(store, states[seq], seq)
        memory = Memory(store)
        assert memory.catch_up() == states[-1]
        assert memory.seen == len(states) - 1


def test_a_reader_begins_at_the_kept_fold(store, states):
    keep(store, states[3], len(states) - 1)
    assert Memory(store).catch_up() == states[3] != states[-1]


def changed(document, **by):
    return {**document, **by}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: {},
        lambda d: {k: v for k, v in d.items() if k != "sum"},
        lambda d: changed(d, seq=d["seq"] - 1),
        lambda d: changed(d, state=changed(d["state"], now="2026-11-30T02:00:00Z")),
        lambda d: changed(d, release="0.0.9"),
        lambda d: changed(d, version=2),
        lambda d: changed(d, sum=7),
    ],
)
def test_a_kept_fold_that_is_not_whole_is_not_believed(store, states, spoil):
    false = folded_document(Folded(State(), len(states) - 1))
    assert folded_of(false) is not None
    store.keep_fold(spoil(false))
    assert folded_of(store.fold()) is None
    assert Memory(store).catch_up() == states[-1]


@pytest.mark.parametrize("by", [{"release": "0.0.9"}, {"version": 2}, {"state": {}}, {"seq": "many"}])
def test_a_whole_fold_of_another_release_is_not_believed(store, states, by):
    document = folded_document(Folded(State(), len(states) - 1))
    said = {k: v for k, v in changed(document, **by).items() if k != "sum"}
    store.keep_fold(sealed(said))
    assert Memory(store).catch_up() == states[-1]
    assert Memory(store).verify() is None


def test_a_kept_fold_past_the_end_of_the_log_is_not_believed(store, states):
    keep(store, State(), len(states))
    assert Memory(store).catch_up() == states[-1]
    assert Memory(store).verify() == len(states)
    assert folded_of(store.fold()) == Folded(states[-1], len(states) - 1)


def test_a_right_fold_is_verified_and_brought_up_to_date(store, states):
    keep(store, states[4], 4)
    memory = Memory(store)
    assert memory.verify() is None
    assert (memory.state, memory.seen) == (states[-1], len(states) - 1)
    assert folded_of(store.fold()) == Folded(states[-1], len(states) - 1)


def test_a_wrong_fold_is_told_and_made_anew_from_the_log(store, states):
    keep(store, states[3], 9)
    memory = Memory(store)
    memory.catch_up()
    assert memory.verify() == 9
    assert memory.state == Memory(store).catch_up() == states[-1]
    assert Memory(store).verify() is None


def test_an_empty_log_needs_no_fold(store):
    assert Memory(store).verify() is None
    assert store.fold() is None
    keep(store, State(), 5)
    assert Memory(store).verify() == 5
    assert folded_of(store.fold()) == Folded(State(), 0)
