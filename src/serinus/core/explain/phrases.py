"""Pieces that sentences are made of: names, numbers, durations, instants."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

_UNITS: Final = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def listed(names: Collection[str]) -> str:
    """Names as a person lists them: `a`, `a and b`, `a, b and c`."""
    *most, last = sorted(names) or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def some(names: Sequence[str], most: int = 12) -> str:
    """The first of many names, and how many more there are: `a, b and 498 more`."""
    if len(names) <= most:
        return ", ".join(names) or "none"
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def lasting(length: timedelta) -> str:
    """A duration in words, in its largest whole unit: `3 days`, `90 minutes`."""
    seconds = round(length.total_seconds())
    size, unit = next(((n, u) for n, u in _UNITS if seconds and seconds % n == 0), _UNITS[-1])
    return counted(seconds // size, unit)


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 provider`, `2 providers`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def moment(instant: datetime) -> str:
    """An instant for a person: `2026-11-30 09:30 UTC`."""
    utc = instant.astimezone(UTC)
    return f"{utc:%Y-%m-%d %H:%M:%S} UTC" if utc.second else f"{utc:%Y-%m-%d %H:%M} UTC"


def reason_of(why: str | None) -> str:
    """A reason behind what it is the reason of."""
    return f": {why.rstrip('.')}." if why else "."
