"""Instants as they are written: RFC 3339, read with any offset, written in UTC with `Z`."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

_WRITTEN: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?([Zz]|[+-][0-9]{2}:[0-9]{2})",
    re.ASCII,
)
FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)
LAST: Final = datetime(9000, 1, 1, tzinfo=UTC)  # leaves room for any suspension after any instant

ALLOWED: Final = "a time as in RFC 3339 with its offset, such as 2026-11-30T02:00:00Z"


def parse_instant(text: str) -> datetime:
    """The instant that the text writes, in UTC.

    Raises:
        ValueError: it is written otherwise, is no real time, or lies outside 1970 to 9000; the
            message says what was found and what is allowed.
    """
    message = f"found {text!r}, allowed is {ALLOWED}"
    if not _WRITTEN.fullmatch(text):
        raise ValueError(message)
    try:
        instant = datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(message) from None
    if not FIRST <= instant < LAST:
        raise ValueError(message)
    return instant


def format_instant(instant: datetime) -> str:
    """The instant in UTC, to the second, or with the milli- or microseconds that it has."""
    fraction = instant.microsecond
    spec = "seconds" if not fraction else "microseconds" if fraction % 1000 else "milliseconds"
    return instant.astimezone(UTC).isoformat(timespec=spec).replace("+00:00", "Z")
