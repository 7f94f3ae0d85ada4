"""What follows from an event, as entries to record. Nothing is changed here (`formats.md` §2)."""

from __future__ import annotations

from collections.abc import Iterable

from serinus.core.model import Round
from serinus.core.policy.draft import Draft
from serinus.core.policy.entries import Decision, Entry, Kind, Regained
from serinus.core.policy.events import Event, Exclude, Include, Lift, SetMode
from serinus.core.policy.expiry import run_out
from serinus.core.policy.floor import below_floor
from serinus.core.policy.operators import on_exclude, on_include, on_lift, on_mode
from serinus.core.policy.rounds import on_round
from serinus.core.policy.settings import Policy
from serinus.core.policy.state import State


def decide(policy: Policy, state: State, event: Event) -> tuple[Entry, ...]:
    """The entries an event leads to, in the order they take effect and are told.

    First what ran out up to now, then the event itself, then whether a model is below its floor.
    The event's own fact is always among them, except where a `Warned` says that it changes nothing.
    """
    draft = Draft(policy, state, event.at)
    run_out(draft)
    _watch_floor(draft, event, ())
    match event:
        case Round():
            on_round(draft, event)
        case Exclude():
            on_exclude(draft, event)
        case Include():
            on_include(draft, event)
        case Lift():
            on_lift(draft, event)
        case SetMode():
            on_mode(draft, event)
        case _:
            draft.add(event)
    _watch_floor(draft, event, _touched(draft, event))
    return tuple(draft.entries)


def _touched(draft: Draft, event: Event) -> Iterable[str]:
    """The models whose capacity or suspensions an event can change."""
    model = getattr(event, "model", None)
    return draft.state.models if model is None else (model,)


def _watch_floor(draft: Draft, event: Event, names: Iterable[str]) -> None:
    """Say once that a model is below its floor, and notice when it no longer is (rule 12).

    What is said stands until it ends, so the models of which it was said are always looked at: an
    exclusion may have run out since.
    """
    said = {name for name, model in draft.state.models.items() if model.low}
    for name in sorted(said.union(names)):
        short = below_floor(draft.policy, draft.state, name, draft.now)
        if short is None and name in said:
            draft.add(Regained(event.at, name))
        elif short is not None and name not in said:
            facts = {"providers": short.providers, "floor": short.floor}
            draft.add(Decision(event.at, name, Kind.BELOW_FLOOR, facts=dict(facts)))
