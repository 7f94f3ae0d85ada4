"""The shape of the log."""

from __future__ import annotations

from serinus.web.api.shapes import Instant, Shape


class LineShape(Shape):
    """A decision, or an act (`act` names it, `why` tells it)."""

    seq: int
    at: Instant
    model: str | None
    route: str | None
    why: str
    act: str | None = None
    mark: bool | None = None
    decision: str | None = None
    contracts: list[str] | None = None
    level: int | None = None
    until: Instant | None = None
    enforced: bool | None = None


class LinesShape(Shape):
    """A page of the log, oldest first."""

    decisions: list[LineShape]
    next: int | None
    """What `after` has to be for the next page; null at the end of the log."""
