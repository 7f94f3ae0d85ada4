"""The product's one reading of the wall clock."""

from __future__ import annotations

from datetime import UTC, datetime
from time import time


def now() -> datetime:
    """The time of day, in UTC."""
    return datetime.fromtimestamp(time(), tz=UTC)
