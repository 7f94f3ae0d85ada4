"""The policy's own answers in the shape of the naive reading, through the same lines that `replay` reads."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from serinus.core.instants import format_instant
from serinus.core.listing import ignore_list, named_models
from serinus.core.policy import Decision, Policy, State, Tick, decide, fold
from serinus.service.history import parse_event
from serinus.service.policy_file import policy_of


def ours(events: list[dict], table: dict) -> list[dict]:
    """The decisions that `serinus.core.policy` takes, without `why`."""
    policy, state, found = policy_of(table), State(), []
    for event in events:
        entries = decide(policy, state, parse_event(json.dumps(event).encode()))
        state = fold(entries, state)
        found += [shown(entry) for entry in entries if isinstance(entry, Decision)]
    return found


def shown(entry: Decision) -> dict:
    """A decision as `replay` prints it, without `why`."""
    return {
        "at": format_instant(entry.at),
        "model": entry.model,
        "route": entry.route,
        "decision": entry.kind.value,
        "contracts": None if entry.contracts is None else list(entry.contracts),
        "level": entry.level,
        "until": None if entry.until is None else format_instant(entry.until),
        "enforced": entry.enforced,
    }


def our_lists(events: list[dict], table: dict, when: int) -> dict[str, tuple[list[str], bool]]:
    """Each model's (ignore, fail_open) at an instant, in seconds since 1970."""
    at = datetime.fromtimestamp(when, UTC)
    state = state_at(events, policy_of(table), at)
    lists = {model: ignore_list(state, model, at) for model in named_models(state)}
    return {model: (list(found.ignore), found.fail_open) for model, found in lists.items()}


def state_at(events: list[dict], policy: Policy, at: datetime) -> State:
    """The state as it was at an instant of the history."""
    state = State()
    for line in events:
        event = parse_event(json.dumps(line).encode())
        over = event.at > at
        state = fold(decide(policy, state, Tick(at) if over else event), state)
        if over:
            break
    return state
