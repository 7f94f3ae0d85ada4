"""All models at one look: where each stands, and its last rounds as bars of letters. What the overview shows.

Read from the state and from rounds at a glance; findings are read only of routes that are out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from threading import Lock
from typing import Final

from serinus.contracts import FIRST
from serinus.core.model import Word
from serinus.core.policy import Lane
from serinus.core.policy.state import Suspension
from serinus.service.desk import Desk
from serinus.service.glances import LETTERS, NOT_FOUND, WORDS, Glance
from serinus.service.planning import round_name
from serinus.service.standing import ModelStanding, RouteStanding, Sight, overdue_at
from serinus.service.storage import FindingRow

SLOTS: Final = 48  # a bar has so many: a day of rounds each half hour
DAY: Final = timedelta(days=1)
LATE: Final = 6  # slots after its planned instant in which a round may still end
OLDEST: Final = timedelta(minutes=5)  # what a board never grows older than, whatever changed or not
NO_ROUND: Final = " "
HARMLESS: Final = "pn."
BROKEN: Final = frozenset({LETTERS[Word.FAIL], LETTERS[Word.ALARM]})
_WORST_FIRST: Final = "afkwivtpn. "  # when one slot has several words
_BADNESS: Final = {letter: n for n, letter in enumerate(_WORST_FIRST)}


@dataclass(frozen=True, slots=True)
class Grid:
    """The time that bars show: `SLOTS` slots of an interval, a day at most, the last one running."""

    since: datetime
    slot: timedelta
    slots: int

    @classmethod
    def ending(cls, at: datetime, interval: timedelta) -> Grid:
        """The grid whose last slot holds `at`; slots begin where planned rounds do."""
        slots = max(1, min(SLOTS, DAY // interval))
        epoch = datetime(1970, 1, 1, tzinfo=UTC)
        current = at - (at - epoch) % interval
        return cls(current - (slots - 1) * interval, interval, slots)

    def index(self, at: datetime) -> int | None:
        """The slot of an instant, None outside of the grid."""
        n = (at - self.since) // self.slot
        return n if 0 <= n < self.slots else None

    @property
    def length(self) -> timedelta:
        """The time of all slots together."""
        return self.slot * self.slots


@dataclass(frozen=True)
class RouteBoard:
    """One route: where it stands, and its rounds' letters by slot, in the order of `contracts`."""

    standing: RouteStanding
    contracts: Sequence[str]
    rows: Sequence[tuple[int, str]]
    slots: int
    cause: FindingRow | None = None

    def bar(self, contract: str) -> str:
        """A letter a slot: the contract's word there, a space where no round was."""
        if contract not in self.contracts:
            return NO_ROUND * self.slots
        n = self.contracts.index(contract)
        return self._filled((slot, letters[n : n + 1]) for slot, letters in self.rows)

    @cached_property
    def whole(self) -> str:
        """A letter a slot: the worst word of all contracts."""
        return self._filled(
            (slot, min(letters, key=_BADNESS.__getitem__, default=NO_ROUND)) for slot, letters in self.rows
        )

    def _filled(self, found: Iterable[tuple[int, str]]) -> str:
        bar = [NO_ROUND] * self.slots
        for slot, letter in found:
            if letter and _BADNESS[letter] < _BADNESS[bar[slot]]:
                bar[slot] = letter
        return "".join(bar)

    @cached_property
    def broken(self) -> frozenset[str]:
        """The contracts that it broke in this time."""
        return frozenset(
            contract
            for _, letters in self.rows
            if letters.strip(HARMLESS)
            for contract, letter in zip(self.contracts, letters, strict=False)
            if letter in BROKEN
        )

    @cached_property
    def latest(self) -> Mapping[str, Word]:
        """By contract the latest word that says something."""
        found: dict[str, Word] = {}
        for _, letters in self.rows:
            for contract, letter in zip(self.contracts, letters, strict=False):
                if letter in WORDS and (contract not in found or letter != LETTERS[Word.NOT_APPLICABLE]):
                    found[contract] = WORDS[letter]
        return found

    @property
    def streaks(self) -> Mapping[str, int]:
        """By contract, the failing rounds in a row that are held against it."""
        return {c.contract: c.held.rounds for c in self.standing.contracts if c.held}

    @property
    def suspension(self) -> Suspension | None:
        """The suspension in force that reaches routing."""
        return self.standing.suspended(Lane.REAL)

    @cached_property
    def healthy(self) -> bool:
        """Whether nothing about it needs a look; a failure of which nothing is held does not."""
        s = self.standing
        return s.live and (s.counts or s.control) and not (s.out or s.suspensions or s.held or self.streaks)


@dataclass(frozen=True)
class ModelBoard:
    """One model and its routes, those that need a look first."""

    standing: ModelStanding
    routes: Sequence[RouteBoard]

    @property
    def columns(self) -> list[str]:
        """The contracts worth a column: the first four, and others that a route broke."""
        broken = {c for r in self.routes for c in (*r.broken, *r.streaks)}
        asked = {c for r in self.routes for c in r.contracts}
        return [c for c in FIRST if c in asked] + sorted(broken.difference(FIRST))

    @property
    def others(self) -> list[str]:
        """The contracts that were asked beside them and that no route broke."""
        return sorted({c for r in self.routes for c in r.contracts}.difference(self.columns))

    @cached_property
    def calm(self) -> bool:
        """Whether nothing about it needs a look."""
        m = self.standing
        routes_well = all(r.healthy for r in self.routes)
        return routes_well and not (m.below or m.stale or m.ignore.unmatched or (m.last and m.last.trouble))

    def some(self, *, healthy: bool) -> list[RouteBoard]:
        """Its routes that need no look, or those that do."""
        return [r for r in self.routes if r.healthy is healthy]


@dataclass(frozen=True)
class Board:
    """All that was asked for, at one instant. `seen` is the log's end that it rests on."""

    at: datetime
    grid: Grid
    seen: int
    models: Sequence[ModelBoard]

    def out(self) -> list[tuple[ModelBoard, RouteBoard]]:
        """Routes that get no user traffic."""
        return [(m, r) for m in self.models for r in m.routes if r.standing.out]

    def would_be_out(self) -> list[tuple[ModelBoard, RouteBoard]]:
        """Routes that would get none, were everything enforced."""
        return [(m, r) for m, r in self._routes() if not r.standing.out and r.standing.suspended(Lane.SHADOW)]

    def held(self) -> list[tuple[ModelBoard, RouteBoard]]:
        """Routes that only the floor keeps in production."""
        return [(m, r) for m, r in self._routes() if r.standing.held and not r.standing.out]

    def _routes(self) -> Iterator[tuple[ModelBoard, RouteBoard]]:
        return ((m, r) for m in self.models for r in m.routes)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A model's board, what it rests on, and until when time alone leaves it as it is."""

    of: tuple[object, ...]
    board: ModelBoard
    until: datetime


@dataclass(slots=True)
class Boards:
    """Makes boards at a desk.

    A model's board is made anew when its state, its rounds or the exclusions changed, when something on
    it begins or ends by time, and every `OLDEST` at the latest.
    """

    desk: Desk
    _kept: dict[str, _Kept] = field(default_factory=dict)
    _glances: dict[tuple[str, datetime], Glance] = field(default_factory=dict)
    _making: Lock = field(default_factory=Lock)

    def board(self, wanted: Sequence[str] = ()) -> Board:
        """Where these models stand, or all; raises as `Desk.models`."""
        with self._making:
            sight = self.desk.sight()
            models = self.desk.models(wanted)
            grid = Grid.ending(sight.at, sight.interval)
            rounds = self._rounds(grid)
            boards = [self._model(sight, name, grid, rounds.get(name, [])) for name in models]
            return Board(sight.at, grid, self.desk.memory.seen, boards)

    def _rounds(self, grid: Grid) -> dict[str, list[Glance]]:
        """The rounds of the grid by model, oldest first. A round may end some slots after its instant."""
        newest = max((at for _, at in self._glances), default=grid.since)
        for glance in self.desk.store.glances.since(max(grid.since, newest - LATE * grid.slot)):
            self._glances.setdefault((glance.model, glance.at), glance)
        for key in [key for key in self._glances if key[1] < grid.since]:
            del self._glances[key]
        found: dict[str, list[Glance]] = {}
        for glance in sorted(self._glances.values(), key=lambda g: g.at):
            found.setdefault(glance.model, []).append(glance)
        return found

    def _model(self, sight: Sight, name: str, grid: Grid, glances: Sequence[Glance]) -> ModelBoard:
        state = sight.state
        of = (state.models.get(name), state.exclusions, state.modes, grid, glances[-1] if glances else None)
        kept = self._kept.get(name)
        if (
            kept is None
            or sight.at >= kept.until
            or any(a is not b and a != b for a, b in zip(kept.of, of, strict=True))
        ):
            board = self._made(sight.model(name, findings=False), grid, glances)
            kept = self._kept[name] = _Kept(of, board, _until(board, sight))
        return kept.board

    def _made(self, standing: ModelStanding, grid: Grid, glances: Sequence[Glance]) -> ModelBoard:
        contracts, rows = _rows(glances, grid)
        routes = [
            RouteBoard(
                r,
                contracts,
                rows.get(r.tag, ()),
                grid.slots,
                self._cause(r, glances) if r.out or r.held or r.suspensions else None,
            )
            for r in standing.routes
        ]
        return ModelBoard(standing, sorted(routes, key=_need))

    def _cause(self, route: RouteStanding, glances: Sequence[Glance]) -> FindingRow | None:
        """The latest broken promise of those that a suspension or a hold rests on."""
        rests_on = {c for s in route.suspensions for c in s.suspension.contracts}
        rests_on |= {c.contract for c in route.contracts if c.held}
        for glance in reversed(glances):
            failed = {c for c, word in glance.of(route.tag) if word is Word.FAIL and c in rests_on}
            if failed:
                name = round_name(route.model, glance.at)
                found = self.desk.store.findings(route.model, since=glance.at, tag=route.tag, round_name=name)
                return next((f for f in found if f.contract in failed), None)
        return None


def _until(board: ModelBoard, sight: Sight) -> datetime:
    """When time alone changes what a board shows."""
    m = board.standing
    ends: list[datetime] = [sight.at + OLDEST, m.next]
    ends += [overdue_at(m.last.at, sight.interval)] if m.last else []
    for route in m.routes:
        ends += [route.grace] if route.grace else []
        ends += [s.suspension.until for s in route.suspensions]
        ends += [c.until for c in route.contracts if c.until]
    for entry in sight.state.exclusions.values():
        ends += [entry.since, *((entry.until,) if entry.until else ())]
    return min(end for end in ends if end > sight.at)


def _need(route: RouteBoard) -> tuple[int, str]:
    """Those that are out first, then those that would be, then what else needs a look."""
    s = route.standing
    rank = 0 if s.suspended(Lane.REAL) else 1 if s.out else 2 if s.held else 3 if s.suspensions else 4
    return (5 if rank == 4 and route.healthy else rank, s.tag)  # noqa: PLR2004  the last rank but one


def _rows(glances: Sequence[Glance], grid: Grid) -> tuple[Sequence[str], dict[str, list[tuple[int, str]]]]:
    """All contracts of these rounds, and by route its letters a slot in that order."""
    contracts = tuple(dict.fromkeys(c for g in glances for c in g.contracts))
    rows: dict[str, list[tuple[int, str]]] = {}
    for glance in glances:
        slot = grid.index(glance.at)
        if slot is None:
            continue
        for tag, letters in glance.routes.items():
            ordered = (
                letters if glance.contracts == contracts else _ordered(glance.contracts, letters, contracts)
            )
            rows.setdefault(tag, []).append((slot, ordered))
    return contracts, rows


def _ordered(given: Sequence[str], letters: str, wanted: Sequence[str]) -> str:
    by_name = dict(zip(given, letters, strict=False))
    return "".join(by_name.get(c, NOT_FOUND) for c in wanted)
