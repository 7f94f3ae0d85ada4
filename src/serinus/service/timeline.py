"""One route over time: the anomalies of a period, when its first text came, and whole days before that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from serinus.contracts import FIRST
from serinus.core.model import Word
from serinus.service.explaining import QUIET, anomalies
from serinus.service.glances import WORST_FIRST
from serinus.service.storage import DayRow, FindingRow, Store

DAY: Final = timedelta(days=1)
FINE: Final = timedelta(days=7)  # up to which single rounds are read
MOST: Final = 40  # anomalies that are listed
TIMED: Final = "first_token"  # the contract whose findings hold a time


@dataclass(frozen=True, slots=True)
class Day:
    """One UTC day of one contract: how often each word was found, and the worst of them."""

    day: date
    words: Mapping[str, int]

    @property
    def worst(self) -> str:
        """The word that its tick shows; empty where nothing was found."""
        found = (word for word in WORST_FIRST if self.words.get(word))
        return next(found, Word.NOT_APPLICABLE if self.words else "")


@dataclass(frozen=True, slots=True)
class Run:
    """The same anomaly in round after round: the newest finding, and all its instants, newest first."""

    latest: FindingRow
    rounds: Sequence[datetime]


@dataclass(frozen=True, slots=True)
class Timeline:
    """A period of a route, seen from its end.

    `points` are (instant, seconds until the first text): of single rounds, or medians of days where
    `daily`. `days` are by contract, without gaps.
    """

    since: datetime
    at: datetime
    anomalies: Sequence[Run]
    more: int
    points: Sequence[tuple[datetime, float]]
    daily: bool
    days: Mapping[str, Sequence[Day]]


def timeline(store: Store, model: str, tag: str, at: datetime, length: timedelta) -> Timeline:
    """A route's period before `at`. Of a long one, only its last week is read round by round."""
    since = at - length
    fine = max(since, at - FINE)
    unusual = _runs(anomalies(store.findings(model, since=fine, tag=tag, quiet=QUIET)))
    daily = length > FINE
    rows = store.daily(model, since=since.astimezone(UTC).date(), tag=tag) if daily else ()
    return Timeline(
        since,
        at,
        unusual[:MOST],
        max(0, len(unusual) - MOST),
        _medians(rows) if daily else _timed(store.findings(model, since=fine, tag=tag, contract=TIMED)),
        daily,
        _days(rows, since, at) if daily else {},
    )


def _runs(found: Sequence[FindingRow]) -> list[Run]:
    """Findings newest first; those of one contract that say the same are joined until it says another."""
    runs: list[tuple[FindingRow, list[datetime]]] = []
    newest: dict[str, int] = {}
    for f in found:
        n = newest.get(f.contract)
        if n is not None and (runs[n][0].word, runs[n][0].reason) == (f.word, f.reason):
            runs[n][1].append(f.at)
        else:
            newest[f.contract] = len(runs)
            runs.append((f, [f.at]))
    return [Run(f, tuple(rounds)) for f, rounds in runs]


def _timed(found: Sequence[FindingRow]) -> list[tuple[datetime, float]]:
    return [(f.at, f.first_text) for f in found if f.first_text is not None]


def _medians(rows: Sequence[DayRow]) -> list[tuple[datetime, float]]:
    """The median of each day, off a histogram: at most 12 % above the true one."""
    return [
        (datetime(r.day.year, r.day.month, r.day.day, 12, tzinfo=UTC), middle)
        for r in rows
        if r.contract == TIMED and (middle := _median(r.first_text)) is not None
    ]


def _median(histogram: Sequence[tuple[float, int]]) -> float | None:
    half = sum(n for _, n in histogram) / 2
    for bound, n in histogram:
        half -= n
        if half <= 0 and n:
            return None if bound == float("inf") else bound
    return None


def _days(rows: Sequence[DayRow], since: datetime, at: datetime) -> dict[str, list[Day]]:
    first, last = since.astimezone(UTC).date(), at.astimezone(UTC).date()
    wanted = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    by_contract: dict[str, dict[date, Counter[str]]] = {}
    for row in rows:
        by_contract.setdefault(row.contract, {})[row.day] = Counter(row.words)
    order = sorted(by_contract, key=lambda c: (FIRST.index(c) if c in FIRST else len(FIRST), c))
    return {c: [Day(d, by_contract[c].get(d, {})) for d in wanted] for c in order}
