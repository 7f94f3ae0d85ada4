"""Making boards from the state and from rounds at a glance, and keeping what nothing changed.

Findings are read only of routes that are out, held or suspended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from serinus.core.model import Word
from serinus.core.policy import Lane
from serinus.service.board import Board, Grid, ModelBoard, RouteBoard
from serinus.service.desk import Desk
from serinus.service.glances import NOT_FOUND, Glance
from serinus.service.planning import round_name
from serinus.service.standing import ModelStanding, RouteStanding, Sight, overdue_at
from serinus.service.storage import FindingRow

LATE: Final = 6  # slots after its planned instant in which a round may still end
OLDEST: Final = timedelta(minutes=5)  # what a board never grows older than, whatever changed or not


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
