"""What follows from an operator's act: exclude, include, lift, mode (rules 5 and 10, R22, R24)."""

from __future__ import annotations

from serinus.core.exclusions import Layer, in_force
from serinus.core.policy.draft import Draft
from serinus.core.policy.entries import Decision, Fact, Kind, Moved, Warned
from serinus.core.policy.events import Exclude, Include, Lift, SetMode
from serinus.core.policy.lanes import LANES, Lane
from serinus.core.policy.state import Suspension


def on_exclude(draft: Draft, event: Exclude) -> None:
    """Take a name into its layer."""
    draft.add(event)
    if not in_force(event.at, event.until, event.at):
        draft.add(Warned(event.at, "exclusion_over", event.model, event.route, {"layer": event.layer}))


def on_include(draft: Draft, event: Include) -> None:
    """Take an entry back; nothing at run time undoes a built-in one."""
    code = None
    if event.layer is Layer.BUILTIN:
        code = "builtin_stands"
    elif (event.layer, event.route, event.model) not in draft.state.exclusions:
        code = "nothing_to_include"
    draft.add(Warned(event.at, code, event.model, event.route, {"layer": event.layer}) if code else event)


def on_lift(draft: Draft, event: Lift) -> None:
    """Clear and grant first, then end what is in force in either lane."""
    found = [
        (event.route, lane, suspension)
        for lane in LANES
        if (suspension := draft.state.model(event.model).route(event.route).lane(lane).suspension)
    ]
    draft.add(event)
    for each in found:
        _lifted(draft, event, event.model, each)
    if not found:
        draft.add(Warned(event.at, "nothing_to_lift", event.model, event.route))
    draft.ease(event.model, event.at)


def on_mode(draft: Draft, event: SetMode) -> None:
    """Change mode inside the scope; what changes lane starts anew (rule 5)."""
    names = sorted(n for n in draft.state.models if event.model in (None, n))
    before = {name: _lanes(draft, name) for name in names}
    draft.add(event)
    for name in names:
        after = _lanes(draft, name)
        for contract in sorted(c for c in after if after[c] is not before[name][c]):
            draft.add(Moved(event.at, name, contract, after[contract]))
        for found in draft.state.model(name).suspensions():
            if found[1] not in {after[contract] for contract in found[2].contracts}:
                _lifted(draft, event, name, found)
        draft.ease(name, event.at)


def _lanes(draft: Draft, name: str) -> dict[str, Lane]:
    """The lane of every contract of which something is remembered on a model."""
    model = draft.state.model(name)
    contracts = {contract for route in model.routes.values() for contract in route.tallies}
    contracts.update(c for _, _, suspension in model.suspensions() for c in suspension.contracts)
    return {contract: draft.lane_of(name, contract) for contract in contracts}


def _lifted(draft: Draft, event: Lift | SetMode, name: str, found: tuple[str, Lane, Suspension]) -> None:
    tag, lane, suspension = found
    act = "lift" if isinstance(event, Lift) else "mode"
    facts: dict[str, Fact] = {"act": act, "by": event.by, "why": event.why}
    contracts, level = suspension.contracts, suspension.level
    draft.add(Decision(event.at, name, Kind.LIFTED, tag, lane, contracts, level, facts=facts))
