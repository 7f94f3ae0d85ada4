"""Where everything stands: routes, capacity, money, the next round. What `status` and `explain` show.

Pure values, built from the state and the store's rows; sentences are written in `core/explain.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from serinus.core import explain
from serinus.core.evidence import Tally
from serinus.core.exclusions import Exclusion, IgnoreList, in_force
from serinus.core.listing import ignore_list
from serinus.core.model import Word
from serinus.core.outlook import failures_left, fresh_until
from serinus.core.policy import Lane, Policy, State
from serinus.core.policy.floor import Capacity, View, capacity
from serinus.core.policy.lanes import LANES, lane_of
from serinus.core.policy.state import LaneState, Rung, Suspension
from serinus.service.documents import owed_of
from serinus.service.names import Names, names_of
from serinus.service.owing import Owed
from serinus.service.storage import FindingRow, RoundRow, Store

LOOK_BACK: Final = 7  # rounds: contracts that take turns, or are asked every other round, have been asked
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)  # where the grid of planned rounds begins
STALE: Final = 2  # intervals without a round, after which what is shown is old
LONGEST_ROUND: Final = timedelta(minutes=3)  # three votes that each use up the hard limit of a minute


@dataclass(frozen=True, slots=True)
class ContractStanding:
    """One contract on one route: its latest finding, and what is held against the route.

    `held` counts rounds in a row; `more` is how many further failing rounds make the route due, None
    where nothing is held; `until` is when the streak would be too old to go on.
    """

    contract: str
    lane: Lane
    latest: FindingRow | None = None
    held: Tally | None = None
    more: int | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class SuspensionStanding:
    """A suspension in one lane; `running` is False once its time is over and nobody decided yet."""

    lane: Lane
    suspension: Suspension
    running: bool


@dataclass(frozen=True, slots=True)
class RouteStanding:
    """One route: what it gave, what keeps it from user traffic, what it owes.

    `counts` says whether it is capacity for the floor; `answered` when it last proved alive; `held`
    names the lanes in which only the floor keeps it in production; `grace` is when its grace ends,
    `rungs` the latest step on each lane's ladder.
    """

    model: str
    tag: str
    provider: str
    live: bool
    counts: bool = False
    control: bool = False
    contracts: tuple[ContractStanding, ...] = ()
    suspensions: tuple[SuspensionStanding, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    held: tuple[Lane, ...] = ()
    answered: datetime | None = None
    grace: datetime | None = None
    lifted: datetime | None = None
    rungs: Mapping[Lane, Rung] = field(default_factory=dict)
    owed: Owed = field(default_factory=Owed)

    def suspended(self, lane: Lane) -> Suspension | None:
        """The suspension in force in a lane."""
        return next((s.suspension for s in self.suspensions if s.lane is lane and s.running), None)

    @property
    def out(self) -> bool:
        """Whether any layer keeps it from user traffic."""
        return bool(self.exclusions) or self.suspended(Lane.REAL) is not None


@dataclass(frozen=True, slots=True)
class ModelStanding:
    """One model: its routes, its capacity in providers against the floor, its rounds.

    `last` is the latest closed round, `next` when the next one is planned; `stale` says that the last
    one is overdue (`overdue_at`), or that there is none.
    """

    model: str
    routes: tuple[RouteStanding, ...]
    capacity: int
    floor: int
    last: RoundRow | None
    next: datetime
    stale: bool
    ignore: IgnoreList

    @property
    def below(self) -> bool:
        """Whether fewer providers than the floor are left in production."""
        return self.last is not None and self.capacity < self.floor


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything, at one instant. Money is in US dollars of this UTC day."""

    at: datetime
    models: tuple[ModelStanding, ...]
    spent: float
    budget: float
    holder: str | None
    interval: timedelta


@dataclass(frozen=True, slots=True)
class Sight:
    """What is looked at, and when: the fold of the log, the store beside it, the configuration."""

    store: Store
    state: State
    policy: Policy
    at: datetime
    interval: timedelta
    controls: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def standing(self, models: Sequence[str], budget: float) -> Standing:
        """Where these models stand."""
        return Standing(
            self.at,
            tuple(self.model(name) for name in models),
            self.store.spent(self.at.astimezone(UTC).date()),
            budget,
            self.store.holder(),
            self.interval,
        )

    def model(self, name: str, *, findings: bool = True, only: str | None = None) -> ModelStanding:
        """Where one model stands; quicker without findings and debts, or with those of one route only."""
        last = self.store.last_round(name)
        room = capacity(self.policy, self.state, View(name, Lane.REAL, self.at))
        return ModelStanding(
            name,
            self._routes(name, last if findings else None, room, only),
            room.providers,
            self.policy.floor,
            last,
            self._next(last),
            last is None or self.at > overdue_at(last.at, self.interval),
            ignore_list(self.state, name, self.at),
        )

    def _next(self, last: RoundRow | None) -> datetime:
        """The next instant of the grid of planned rounds; one that is due and not taken is now."""
        current = self.at - (self.at - EPOCH) % self.interval
        return current if last is None or last.at < current else current + self.interval

    def _routes(
        self, name: str, last: RoundRow | None, room: Capacity, only: str | None
    ) -> tuple[RouteStanding, ...]:
        names = names_of(self.store, self.state, name)
        latest = self._latest(name, last, only)
        owed = self.store.owed(name) if last else {}
        routes = [
            self._route(names, tag, latest.get(tag, {}), owed_of(owed.get(tag, {})))
            for tag in sorted(names.providers)
        ]
        counted = [replace(r, counts=r.tag in room.routes) for r in routes]
        return tuple(
            r for r in counted if r.live or r.suspensions or r.exclusions or any(c.held for c in r.contracts)
        )

    def _latest(self, name: str, last: RoundRow | None, only: str | None) -> dict[str, dict[str, FindingRow]]:
        """By route and contract the latest finding of the last rounds; one that was asked, if any was."""
        if last is None:
            return {}
        found: dict[str, dict[str, FindingRow]] = {}
        for row in self.store.findings(name, since=last.at - (LOOK_BACK - 1) * self.interval, tag=only):
            of_route = found.setdefault(row.tag, {})
            if row.contract not in of_route or row.word != Word.NOT_APPLICABLE:
                of_route[row.contract] = row
        return found

    def _route(self, names: Names, tag: str, latest: Mapping[str, FindingRow], owed: Owed) -> RouteStanding:
        model = self.state.model(names.model)
        route = model.route(tag)
        provider = names.providers[tag]
        lanes = {lane: route.lane(lane) for lane in LANES}
        contracts = sorted({*latest, *route.tallies})
        return RouteStanding(
            model=names.model,
            tag=tag,
            provider=provider,
            live=tag in names.live,
            control=tag in self.controls.get(names.model, frozenset()),
            contracts=tuple(
                self._contract(names.model, c, latest.get(c), route.tallies.get(c)) for c in contracts
            ),
            suspensions=self._suspensions(lanes),
            exclusions=tuple(
                e
                for e in self.state.exclusions.values()
                if e.holds(names.model, self.at) and e.name in {tag, provider}
            ),
            held=tuple(lane for lane, state in lanes.items() if state.held),
            answered=model.answered.get(tag),
            grace=route.grace if route.grace is not None and route.grace > self.at else None,
            lifted=route.lifted,
            rungs={lane: state.latest for lane, state in lanes.items() if state.latest is not None},
            owed=owed,
        )

    def _contract(
        self, model: str, name: str, latest: FindingRow | None, held: Tally | None
    ) -> ContractStanding:
        rule = self.policy.rule
        held = rule.carried(held, self.at)
        lane = lane_of(self.policy.mode, self.state.modes, model, name)
        if held is None:
            return ContractStanding(name, lane, latest)
        return ContractStanding(
            name, lane, latest, held, failures_left(rule, held, self.at), fresh_until(rule, held)
        )

    def _suspensions(self, lanes: Mapping[Lane, LaneState]) -> tuple[SuspensionStanding, ...]:
        return tuple(
            SuspensionStanding(lane, s, in_force(s.since, s.until, self.at))
            for lane, state in lanes.items()
            if (s := state.suspension) is not None
        )


def troubles_of(model: ModelStanding, interval: timedelta) -> list[str]:
    """What needs a person's look about one model, beside routes that are out."""
    told: list[str] = []
    if model.stale:
        told.append(explain.of_age(model.model, model.last.at if model.last else None, interval))
    if model.last and model.last.trouble:
        told.append(f"{model.model}: {model.last.trouble}")
    if model.below:
        told.append(explain.of_shortage(model.model, model.capacity, model.floor))
    return told + explain.of_list(model.ignore)


def overdue_at(last: datetime, interval: timedelta) -> datetime:
    """When what rests on the round planned at `last` is old: a round in flight is no sign of it."""
    return last + STALE * interval + LONGEST_ROUND


def troubles(standing: Standing) -> list[str]:
    """What needs a person's look, a sentence each; empty if all is well."""
    told: list[str] = []
    for model in standing.models:
        of_model = troubles_of(model, standing.interval)
        out = [r.tag for r in model.routes if r.suspended(Lane.REAL)]
        told += [*of_model, *([explain.of_routes_out(model.model, out)] if out else [])]
    if standing.spent >= standing.budget:
        told.append(explain.of_money(standing.spent, standing.budget))
    return told
