"""What is kept of a user's report, and the port it is kept through (R26)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One report: who made it, of what and when, and what was found then.

    The answer came at `since <= t < until`. `document` is what was found, as it was told; `comparison`
    names the pinned reproduction that was started for it. `id` is 0 until it is kept. There is no field
    for what a user wrote or read, and there will be none.
    """

    at: datetime
    by: str
    model: str
    since: datetime
    until: datetime
    generation: str | None = None
    contract: str | None = None
    comparison: str | None = None
    document: Mapping[str, Any] = field(default_factory=dict)
    id: int = 0


class Reports(Protocol):
    """Where reports are kept, for ever: they are few, and nothing of a user stands in them."""

    def keep(self, row: ReportRow) -> int:
        """Write a report; returns its number."""
        ...

    def link(self, number: int, comparison: str) -> None:
        """Note the reproduction that was started for a report.

        Raises:
            LookupError: there is no such report.
        """
        ...

    def one(self, number: int) -> ReportRow | None:
        """The report of that number."""
        ...

    def latest(
        self, model: str | None = None, *, limit: int = 50, before: int | None = None
    ) -> Sequence[ReportRow]:
        """Reports, the newest first; those with a smaller number than `before`."""
        ...
