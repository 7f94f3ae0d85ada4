"""Taking recorded entries into the state. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import reduce, singledispatch
from typing import Final

from serinus.core.evidence import Tally
from serinus.core.exclusions import Exclusion
from serinus.core.model import Word
from serinus.core.policy.entries import Counted, Decision, Eased, Entry, Kind, Moved, Regained
from serinus.core.policy.events import Exclude, Include, Lift, SetMode
from serinus.core.policy.lanes import LANES, Lane, replaced_by
from serinus.core.policy.state import LaneState, ModelState, RouteState, Rung, State, Suspension

SILENT: Final = frozenset({Word.TRANSPORT, Word.VOID})  # verdicts that do not prove a host alive (rule 7)
BEGINS: Final = frozenset({Kind.SUSPENDED, Kind.RENEWED})
ENDS: Final = frozenset({Kind.RESTORED, Kind.EXPIRED, Kind.LIFTED})


def fold(entries: Iterable[Entry], state: State | None = None) -> State:
    """The state after these entries."""
    return reduce(evolve, entries, State() if state is None else state)


def evolve(state: State, entry: Entry) -> State:
    """The state after one more entry."""
    now = entry.at if state.now is None else max(state.now, entry.at)
    if now is not state.now:
        state = replace(state, now=now)
    return _taken(entry, state)


@singledispatch
def _taken(entry: object, state: State) -> State:
    """Ticks and warnings change nothing but the time."""
    del entry
    return state


@_taken.register
def _(entry: Counted, state: State) -> State:
    return _on_model(state, entry.model, lambda model: _counted(model, entry))


@_taken.register
def _(entry: Decision, state: State) -> State:
    return _on_model(state, entry.model, lambda model: _decided(model, entry))


@_taken.register
def _(entry: Exclude, state: State) -> State:
    key = (entry.layer, entry.route, entry.model)
    name, layer, since = entry.route, entry.layer, entry.at
    exclusion = Exclusion(name, layer, since, entry.until, model=entry.model, by=entry.by, why=entry.why)
    return replace(state, exclusions={**state.exclusions, key: exclusion})


@_taken.register
def _(entry: Include, state: State) -> State:
    key = (entry.layer, entry.route, entry.model)
    return replace(state, exclusions={k: v for k, v in state.exclusions.items() if k != key})


@_taken.register
def _(entry: Lift, state: State) -> State:
    return _on_route(state, entry.model, entry.route, lambda route: _let_back(route, entry))


@_taken.register
def _(entry: SetMode, state: State) -> State:
    kept = tuple(old for old in state.modes if not replaced_by(entry, old))
    return replace(state, modes=(*kept, entry))


@_taken.register
def _(entry: Moved, state: State) -> State:
    return _on_model(state, entry.model, lambda model: _moved(model, entry.contract))


@_taken.register
def _(entry: Eased, state: State) -> State:
    eased = _in_lane(entry.lane, lambda lane: replace(lane, held=False))
    return _on_route(state, entry.model, entry.route, eased)


@_taken.register
def _(entry: Regained, state: State) -> State:
    return _on_model(state, entry.model, lambda model: replace(model, low=False))


def _on_model(state: State, name: str, change: Callable[[ModelState], ModelState]) -> State:
    return replace(state, models={**state.models, name: change(state.model(name))})


def _with_route(model: ModelState, tag: str, change: Callable[[RouteState], RouteState]) -> ModelState:
    return replace(model, routes={**model.routes, tag: change(model.route(tag))})


def _on_route(state: State, name: str, tag: str, change: Callable[[RouteState], RouteState]) -> State:
    return _on_model(state, name, lambda model: _with_route(model, tag, change))


def _in_lane(lane: Lane, change: Callable[[LaneState], LaneState]) -> Callable[[RouteState], RouteState]:
    def on_route(route: RouteState) -> RouteState:
        changed = change(route.lane(lane))
        return replace(route, real=changed) if lane is Lane.REAL else replace(route, shadow=changed)

    return on_route


def _tallied(route: RouteState, changes: Mapping[str, Tally | None]) -> RouteState:
    tallies = {**route.tallies, **changes}
    return replace(route, tallies={contract: held for contract, held in tallies.items() if held is not None})


def _counted(model: ModelState, entry: Counted) -> ModelState:
    alive = {tag: entry.at for tag, words in entry.readings.items() if not SILENT.issuperset(words.values())}
    routes = model.routes
    if entry.tallies or entry.clean:
        changed = dict(routes)
        for tag, tallies in entry.tallies.items():
            changed[tag] = _tallied(changed.get(tag, RouteState()), tallies)
        for tag, lanes in entry.clean.items():
            for lane, clean in lanes.items():
                changed[tag] = _recovering(changed[tag], lane, clean)
        routes = changed
    return replace(
        model,
        latest=entry.at,
        live=entry.live,
        providers=entry.providers,
        answered={**model.answered, **alive},
        routes=routes,
    )


def _recovering(route: RouteState, lane: Lane, clean: Tally | None) -> RouteState:
    def change(state: LaneState) -> LaneState:
        if state.suspension is None:
            return state
        return replace(state, suspension=replace(state.suspension, clean=clean))

    return _in_lane(lane, change)(route)


def _decided(model: ModelState, entry: Decision) -> ModelState:
    if entry.kind is Kind.BELOW_FLOOR:
        return replace(model, low=True)
    if entry.route is None or entry.lane is None:
        return model
    if entry.kind is Kind.HELD_AT_FLOOR:
        return _with_route(model, entry.route, _in_lane(entry.lane, lambda lane: replace(lane, held=True)))
    change = _in_lane(entry.lane, lambda lane: _begun(lane, entry) if entry.kind in BEGINS else _ended(lane))
    model = _with_route(model, entry.route, lambda route: _tallied(change(route), entry.tallies))
    return replace(model, ending=_earliest_end(model))


def _begun(lane: LaneState, entry: Decision) -> LaneState:
    if entry.until is None or entry.level is None:
        message = f"a {entry.kind} entry needs level and until"
        raise ValueError(message)
    suspension = Suspension(entry.at, entry.until, entry.level, entry.contracts or (), before=lane.latest)
    return replace(lane, suspension=suspension, latest=Rung(entry.at, entry.level))


def _ended(lane: LaneState) -> LaneState:
    return replace(lane, suspension=None)


def _earliest_end(model: ModelState) -> datetime | None:
    return min((suspension.until for _, _, suspension in model.suspensions()), default=None)


def _let_back(route: RouteState, entry: Lift) -> RouteState:
    """Clear and grant (rule 10); the suspensions themselves end by a decision each.

    Two graces that overlap both hold, so the later end stands.
    """
    if entry.forget:
        for lane in LANES:
            route = _in_lane(lane, _forgotten)(route)
    until = entry.at + entry.grace
    return replace(
        route,
        tallies={},
        lifted=entry.at if route.lifted is None else max(route.lifted, entry.at),
        grace=until if route.grace is None else max(route.grace, until),
    )


def _forgotten(lane: LaneState) -> LaneState:
    return lane if lane.suspension is None else replace(lane, latest=lane.suspension.before)


def _moved(model: ModelState, contract: str) -> ModelState:
    routes = {
        tag: _tallied(route, {contract: None}) if contract in route.tallies else route
        for tag, route in model.routes.items()
    }
    return replace(model, routes=routes)
