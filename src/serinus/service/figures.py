"""The numbers behind metrics, read from state and store at each look, so that a restart does not change them.

Counts go back to the first round: what is past is added up once, and a look reads only what came since.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Final

from serinus.core.exclusions import IgnoreList, covers, in_force
from serinus.core.listing import ignore_list
from serinus.core.policy import Decision, Lane
from serinus.core.policy.floor import View, capacity
from serinus.core.policy.journal import from_json
from serinus.core.policy.lanes import lane_of
from serinus.core.policy.state import ModelState, RouteState, State
from serinus.service.desk import Desk
from serinus.service.notice_kinds import Wants
from serinus.service.storage import RoundRow, RoundState

SETTLED: Final = timedelta(days=2)  # rounds and days that long ago change no more
LEDGER: Final = timedelta(minutes=5)  # of the route ledger, told as it is now
WAITING: Final = 1000  # notices of a channel are counted up to here
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

STATES: Final = ("production", "suspended", "excluded", "held_at_floor", "in_grace", "would_be_suspended")
REASONS: Final = ("observe", "floor", "grace", "fail_open")


@dataclass(slots=True)
class Past:
    """What a model did since its first round."""

    words: Counter[tuple[str, str]] = field(default_factory=Counter)  # by contract and word
    timed: Counter[float] = field(default_factory=Counter)  # answers by the upper bound of their first text
    rounds: Counter[str] = field(default_factory=Counter)  # by how they ended
    probes: int = 0
    tokens: int = 0
    cost: float = 0.0

    def copy(self) -> Past:
        """The same, to be added to."""
        return Past(
            self.words.copy(), self.timed.copy(), self.rounds.copy(), self.probes, self.tokens, self.cost
        )

    def add_round(self, row: RoundRow) -> None:
        """One more round."""
        self.rounds[row.state.value] += 1
        self.probes += row.probes
        self.tokens += row.tokens
        self.cost += row.cost


@dataclass(frozen=True, slots=True)
class RouteFigures:
    """One route now: its state, its longest streak by contract, until when it is suspended, by lane."""

    tag: str
    state: str
    streaks: Mapping[str, int] = field(default_factory=dict)
    until: Mapping[str, datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """One model now, and what it did so far. `withheld` counts bad routes that get traffic, by the reason."""

    model: str
    past: Past
    routes: tuple[RouteFigures, ...]
    providers: int
    detected: int
    enforced: int
    withheld: Mapping[str, int]
    last: RoundRow | None
    traffic: Mapping[str, int]  # forwarded requests of the last minutes, by how they went


@dataclass(frozen=True, slots=True)
class Outbox:
    """What waits for one channel, and for how long the eldest has; `disabled` says that nothing is sent."""

    channel: str
    waiting: int
    age: timedelta
    disabled: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """All that metrics show, at one instant."""

    at: datetime
    models: tuple[ModelFigures, ...]
    decisions: Mapping[tuple[str, str, str], int]  # by model, kind and lane
    outboxes: tuple[Outbox, ...]
    floor: int
    spent: float
    budget: float
    held: bool  # a canary has its place
    entries: int  # of the log


@dataclass(slots=True)
class Bookkeeper:
    """Reads figures from a desk; one look at a time."""

    desk: Desk
    channels: Mapping[str, Wants] = field(default_factory=dict)
    _settled: dict[str, tuple[date, Past]] = field(default_factory=dict)  # up to a day, not included
    _decisions: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    _seen: int = 0
    _looking: threading.Lock = field(default_factory=threading.Lock)

    def look(self) -> Figures:
        """The figures now.

        Raises:
            StoreError: the store cannot be read.
        """
        with self._looking:
            desk, state, disabled = self.desk, self.desk.state, self.desk.store.disabled_channels()
            self._count_decisions()
            return Figures(
                desk.at,
                tuple(self._model(state, name) for name in desk.models()),
                dict(self._decisions),
                tuple(
                    self._outbox(c, wants, disabled=c in disabled)
                    for c, wants in sorted(self.channels.items())
                ),
                desk.policy.floor,
                desk.store.spent(desk.at.astimezone(UTC).date()),
                desk.budget,
                desk.store.holder() is not None,
                desk.memory.seen,
            )

    def _count_decisions(self) -> None:
        for logged in self.desk.store.log(after=self._seen, kinds=("decision",)):
            entry = from_json(logged.document)
            if isinstance(entry, Decision):
                self._decisions[entry.model, entry.kind.value, entry.lane.value if entry.lane else ""] += 1
            self._seen = logged.seq

    def _model(self, state: State, name: str) -> ModelFigures:
        desk, at = self.desk, self.desk.at
        ignore = ignore_list(state, name, at)
        sorting = _Sorting(desk, state, state.model(name), name, ignore)
        routes = tuple(sorting.route(tag) for tag in sorting.tags)
        return ModelFigures(
            name,
            self._past(name),
            routes,
            capacity(desk.policy, state, View(name, Lane.REAL, at)).providers,
            sum(sorting.detected(tag) for tag in sorting.tags),
            0 if ignore.fail_open else sum(r.state == "suspended" for r in routes),
            sorting.withheld(routes),
            desk.store.last_round(name),
            self._traffic(name),
        )

    def _past(self, name: str) -> Past:
        """What is settled was added up before; what is not is read anew."""
        store, edge = self.desk.store, (self.desk.at - SETTLED).astimezone(UTC).date()
        upto, settled = self._settled.get(name, (EPOCH.date(), Past()))
        now = settled.copy()
        after = settled.copy()
        for row in store.rounds(name, since=datetime.combine(upto, datetime.min.time(), UTC)):
            if row.state is not RoundState.OPEN:
                now.add_round(row)
                if row.at.astimezone(UTC).date() < edge:
                    after.add_round(row)
        for day in store.daily(name, since=upto):
            for past in (now, after) if day.day < edge else (now,):
                for word, count in day.words.items():
                    past.words[day.contract, word] += count
                for bound, count in day.first_text:
                    past.timed[bound] += count
        self._settled[name] = (max(edge, upto), after)
        return now

    def _traffic(self, name: str) -> dict[str, int]:
        went: Counter[str] = Counter()
        for found in self.desk.store.ledger.traffic(name, self.desk.at - LEDGER, self.desk.at):
            went["error"] += found.errors
            went["cut"] += found.cut
            went["ok"] += max(0, found.requests - found.errors - found.cut)
        return dict(went)

    def _outbox(self, channel: str, wants: Wants, *, disabled: bool) -> Outbox:
        pending = [n for _, n in self.desk.store.outbox(channel, limit=WAITING) if wants.takes(n)]
        age = self.desk.at - min((n.at for n in pending), default=self.desk.at)
        return Outbox(channel, len(pending), age, disabled)


@dataclass(frozen=True, slots=True)
class _Sorting:
    """Sorts a model's routes by where they stand."""

    desk: Desk
    state: State
    model: ModelState
    name: str
    ignore: IgnoreList

    @property
    def tags(self) -> list[str]:
        """The live routes, and those that a suspension still names."""
        suspended = {tag for tag, _, _ in self.model.suspensions()}
        return sorted(self.model.live | suspended)

    def route(self, tag: str) -> RouteFigures:
        """One route's figures."""
        route = self.model.route(tag)
        until = {
            lane.value: s.until
            for lane in Lane
            if (s := route.lane(lane).suspension) and in_force(s.since, s.until, self.desk.at)
        }
        rule = self.desk.policy.rule
        held = {c: rule.carried(t, self.desk.at) for c, t in route.tallies.items()}
        return RouteFigures(
            tag, self._state(tag, route, until), {c: t.rounds for c, t in held.items() if t}, until
        )

    def _state(self, tag: str, route: RouteState, until: Mapping[str, datetime]) -> str:
        if self._excluded(tag):
            return "excluded"
        if Lane.REAL.value in until:
            return "suspended"
        if route.real.held:
            return "held_at_floor"
        if route.grace and route.grace > self.desk.at and self._ripe(route, Lane.REAL):
            return "in_grace"
        return "would_be_suspended" if Lane.SHADOW.value in until else "production"

    def _excluded(self, tag: str) -> bool:
        return any(
            e.holds(self.name, self.desk.at) and covers(e.name, tag, self.model.providers)
            for e in self.state.exclusions.values()
        )

    def _ripe(self, route: RouteState, lane: Lane) -> bool:
        policy = self.desk.policy
        return any(
            policy.rule.ripe(tally) and lane_of(policy.mode, self.state.modes, self.name, contract) is lane
            for contract, tally in route.tallies.items()
        )

    def detected(self, tag: str) -> bool:
        """Whether the canary holds it for bad now, whatever follows from that."""
        route = self.model.route(tag)
        confined = any(route.lane(lane).suspension or route.lane(lane).held for lane in Lane)
        return confined or any(self._ripe(route, lane) for lane in Lane)

    def withheld(self, routes: tuple[RouteFigures, ...]) -> dict[str, int]:
        """Bad routes that get user traffic all the same, by why."""
        said = {"would_be_suspended": "observe", "held_at_floor": "floor", "in_grace": "grace"}
        found = Counter(said[r.state] for r in routes if r.state in said)
        if self.ignore.fail_open:
            found["fail_open"] = sum(r.state == "suspended" for r in routes)
        return {reason: found[reason] for reason in REASONS}
