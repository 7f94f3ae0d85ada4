"""A state is the same after it was kept as JSON, whatever led to it."""

import json
from dataclasses import fields
from datetime import UTC, datetime

import pytest

from oracle.histories import history
from serinus.core.evidence import Tally
from serinus.core.exclusions import Exclusion, Layer
from serinus.core.policy import Mode, SetMode, State, decide, fold
from serinus.core.policy.journal import from_json as entry_of
from serinus.core.policy.journal import to_json as entry_document
from serinus.core.policy.snapshot import SnapshotError, from_json, to_json
from serinus.core.policy.state import LaneState, ModelState, RouteState, Rung, Suspension
from serinus.service.history import parse_event
from serinus.service.policy_file import policy_of

AT = datetime(2026, 11, 30, 2, 0, 0, 1, tzinfo=UTC)
SUSPENSION = Suspension(AT, AT, 2, ("language", "filtering"), Rung(AT, 1), Tally(1, 1, AT))
ROUTE = RouteState(
    {"language": Tally(2, 2, AT)}, LaneState(SUSPENSION, Rung(AT, 2), held=True), LaneState(), AT, AT
)
MODEL = ModelState(AT, frozenset({"b", "a"}), {"a": "p"}, {"b": AT, "a": AT}, {"a": ROUTE}, AT, low=True)
FULL = State(
    AT,
    {"vendor/m": MODEL, "m": ModelState()},
    {(Layer.BUILTIN, "a\ud800\0", "m"): Exclusion("a\ud800\0", Layer.BUILTIN, AT, AT, "m", "ops", "slow")},
    (SetMode(AT, Mode.ENFORCE, "m", "language", "ops", "trial"),),
)


def kept(state):
    return from_json(json.loads(json.dumps(to_json(state))))


def states(seed):
    """The state after each event, each folded from entries as the log keeps them."""
    events, table = history(seed)
    policy, state = policy_of(table), State()
    for event in events:
        entries = decide(policy, state, parse_event(json.dumps(event).encode()))
        state = fold((entry_of(entry_document(e)) for e in entries), state)
        yield state


@pytest.mark.parametrize("seed", range(12))
def test_a_kept_state_is_the_state(seed):
    for state in states(seed):
        assert kept(state) == state


@pytest.mark.parametrize("seed", range(4))
def test_a_kept_state_goes_on_as_the_state_does(seed):
    """Order too is kept: what is listed from it is listed alike."""
    for state in states(seed):
        for name, model in kept(state).models.items():
            assert list(model.routes) == list(state.model(name).routes)
            assert list(model.answered) == list(state.model(name).answered)
        assert list(kept(state).models) == list(state.models)
        assert list(kept(state).exclusions) == list(state.exclusions)


def test_every_field_is_kept():
    assert kept(FULL) == FULL
    assert kept(State()) == State()
    for value in (FULL, MODEL, ROUTE, SUSPENSION):  # so that none is forgotten here
        assert all(getattr(value, f.name) not in (None, (), {}, False) for f in fields(value))


@pytest.mark.parametrize(
    "document",
    [
        {},
        {**to_json(FULL), "now": "yesterday"},
        {**to_json(FULL), "now": 7},
        {**to_json(FULL), "models": []},
        {**to_json(FULL), "models": {"m": {}}},
        {**to_json(FULL), "modes": [{"v": 2, "entry": "mode"}]},
        {**to_json(FULL), "exclusions": {"a": "b"}},
    ],
)
def test_what_is_no_state_is_refused(document):
    with pytest.raises(SnapshotError, match="the state cannot be read"):
        from_json(document)
