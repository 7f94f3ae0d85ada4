"""Comparisons as they are kept: the port, and what a process that died left behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Protocol

SILENT: Final = timedelta(minutes=15)  # one that runs is written every few answers, each of 3 minutes at most


class ComparisonState(StrEnum):
    """Where a comparison stands."""

    RUNNING = "running"
    DONE = "done"
    PARTIAL = "partial"  # ended early: what it measured counts
    FAILED = "failed"  # its process died, or it could not go on


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One comparison as it is kept, unique by `name`.

    `at` is when it began, `touched` when it was last written. `document` is what `documents.py` wrote;
    it never holds a prompt from an operator's file.
    """

    name: str
    at: datetime
    by: str
    model: str
    state: ComparisonState
    cost: float
    touched: datetime
    document: Mapping[str, Any] = field(default_factory=dict)


def seen_at(row: ComparisonRow, at: datetime) -> ComparisonRow:
    """The row as it is at an instant: one that runs and was not written for long has failed."""
    dead = row.state is ComparisonState.RUNNING and row.touched < at - SILENT
    return replace(row, state=ComparisonState.FAILED) if dead else row


class Comparisons(Protocol):
    """Where comparisons are kept."""

    def begin(self, row: ComparisonRow) -> bool:
        """Keep a new one; False if the name is taken, and then nothing was written."""
        ...

    def keep(self, row: ComparisonRow) -> None:
        """Write one again that was begun."""
        ...

    def get(self, name: str) -> ComparisonRow | None:
        """The comparison of that name."""
        ...

    def latest(self, model: str | None = None, *, limit: int = 50) -> Sequence[ComparisonRow]:
        """The newest ones first; of all models with None."""
        ...

    def fail_silent(self, before: datetime) -> int:
        """Mark those that run and were last written before an instant as failed; how many there were."""
        ...
