"""What may not matter: the order of routes, the names of models, who else is watched, where a log is cut."""

import json
from datetime import timedelta

import pytest

from oracle.comparing import ours, shown
from oracle.histories import history
from serinus.core.exclusions import Layer
from serinus.core.listing import ignore_list, named_models
from serinus.core.policy import Decision, State, decide, fold
from serinus.core.policy.journal import from_json, to_json
from serinus.service.history import parse_event
from serinus.service.policy_file import policy_of

seeds = pytest.mark.parametrize("seed", range(12))


def entries_of(events, table, state=None):
    policy, state, found = policy_of(table), state or State(), []
    for event in events:
        entries = decide(policy, state, parse_event(json.dumps(event).encode()))
        state = fold(entries, state)
        found += entries
    return found, state


def turned(mapping):
    return dict(reversed(mapping.items()))


@seeds
def test_the_order_of_routes_and_contracts_changes_nothing(seed):
    events, policy = history(seed)
    other = [
        {
            **event,
            "live": event["live"][::-1],
            "results": {r: turned(w) for r, w in turned(event["results"]).items()},
        }
        if event["event"] == "round"
        else event
        for event in events
    ]
    assert ours(other, policy) == ours(events, policy)


@seeds
def test_renaming_models_renames_them_and_nothing_else(seed):
    events, policy = history(seed)

    def renamed(record):  # keeps the order of names, which decides between equal instants
        return {**record, "model": f"vendor/{record['model']}"} if record.get("model") else record

    assert ours([renamed(e) for e in events], policy) == [renamed(d) for d in ours(events, policy)]


@seeds
def test_a_model_is_decided_as_if_it_were_alone(seed):
    """With a tick in place of whatever concerned others, since time passes for all."""
    events, policy = history(seed)

    def for_m0(event):
        return event if event.get("model") in (None, "m0") else {"at": event["at"], "event": "tick"}

    alone = [for_m0(e) for e in events]
    assert ours(alone, policy) == [d for d in ours(events, policy) if d["model"] == "m0"]


@seeds
def test_ticks_change_nothing_but_when_things_are_told(seed):
    events, policy = history(seed)
    ticked = [e for event in events for e in (event, {"at": event["at"], "event": "tick"})]
    assert ours(ticked, policy) == ours(events, policy)


@seeds
def test_a_log_cut_anywhere_and_kept_as_json_goes_on_the_same(seed):
    events, policy = history(seed)
    whole, _ = entries_of(events, policy)
    for cut in range(0, len(events), 7):
        first, _ = entries_of(events[:cut], policy)
        kept = fold(from_json(json.loads(json.dumps(to_json(e)))) for e in first)
        rest, _ = entries_of(events[cut:], policy, kept)
        assert [*first, *rest] == whole


@seeds
def test_observe_mode_never_reaches_routing(seed):
    events, policy = history(seed)
    events = [e for e in events if e["event"] != "mode"]
    entries, state = entries_of(events, {**policy, "mode": "observe"})
    assert not any(e.enforced for e in entries if isinstance(e, Decision))
    for model in named_models(state):
        found = ignore_list(state, model, state.now)
        assert Layer.SUSPENSION not in {e.layer for e in found.entries}


@seeds
def test_observe_mode_rehearses_what_enforce_mode_does(seed):
    """The same machine in another lane: alone in it, a shadow decides as a real one would."""
    events, policy = history(seed)
    events = [e for e in events if e["event"] != "mode"]
    real = ours(events, {**policy, "mode": "enforce"})
    shadow = ours(events, {**policy, "mode": "observe"})
    assert [unmarked(d) for d in shadow] == [unmarked(d) for d in real if d["decision"] != "below_floor"]


def unmarked(decision):
    return {key: value for key, value in decision.items() if key != "enforced"}


@seeds
def test_shifting_all_times_shifts_the_decisions(seed):
    events, policy = history(seed)
    shift = timedelta(days=3, hours=7)

    def later(record):
        found = dict(record)
        for key in ("at", "until"):
            if found.get(key):
                event = parse_event(json.dumps({"at": found[key], "event": "tick"}).encode())
                found[key] = (event.at + shift).strftime("%Y-%m-%dT%H:%M:%SZ")
        return found

    assert ours([later(e) for e in events], policy) == [later(d) for d in ours(events, policy)]


def test_a_decision_is_shown_with_all_its_fields():
    entries, _ = entries_of(*history(1))
    assert {frozenset(shown(e)) for e in entries if isinstance(e, Decision)} == {
        frozenset({"at", "model", "route", "decision", "contracts", "level", "until", "enforced"})
    }
