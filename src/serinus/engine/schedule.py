"""When rounds are due: planned instants on a fixed grid, at most one missed round caught up."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def planned_at(now: datetime, interval: timedelta) -> datetime:
    """The latest planned instant not after `now`: a multiple of the interval since 1970."""
    return EPOCH + (now - EPOCH) // interval * interval


def due(last: datetime | None, now: datetime, interval: timedelta) -> datetime | None:
    """The planned instant to run now, or None if the latest was run.

    However many were missed, only the latest is caught up: a burst of old rounds would be evidence
    of one moment, counted many times. A clock set back finds nothing due until it has caught up.
    """
    latest = planned_at(now, interval)
    return latest if last is None or latest > last else None


def jitter(name: str, most: timedelta) -> timedelta:
    """A delay in [0, most) that derives from the round's name, so that a round can be told again."""
    draw = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    return most * (draw / 2**64)


def wait(now: datetime, interval: timedelta) -> timedelta:
    """How long until the next planned instant; always more than zero."""
    return planned_at(now, interval) + interval - now
