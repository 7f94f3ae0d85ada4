"""What the overview shows: where each model stands, and its last rounds as bars of letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Final

from serinus.contracts import FIRST
from serinus.core.model import Word
from serinus.core.policy import Lane
from serinus.core.policy.state import Suspension
from serinus.service.glances import LETTERS, NOT_FOUND, WORDS, WORST_FIRST
from serinus.service.standing import ModelStanding, RouteStanding
from serinus.service.storage import FindingRow

SLOTS: Final = 48  # a bar has so many: a day of rounds each half hour
DAY: Final = timedelta(days=1)
NO_ROUND: Final = " "
HARMLESS: Final = "pn."
BROKEN: Final = frozenset({LETTERS[Word.FAIL], LETTERS[Word.ALARM]})
_BADNESS: Final = {
    letter: n for n, letter in enumerate([*(LETTERS[word] for word in WORST_FIRST), NOT_FOUND, NO_ROUND])
}


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
