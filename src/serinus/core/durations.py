"""Durations as people write them: `<int><s|m|h|d>` (`formats.md` §2), such as `30m` or `14d`."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

_SECONDS: Final = {"d": 86400, "h": 3600, "m": 60, "s": 1}  # largest first: how a duration is written
_WRITTEN: Final = re.compile(r"([0-9]{1,9})([smhd])", re.ASCII)

ALLOWED: Final = "a whole number with s, m, h or d behind it, such as 30m"


def parse_duration(text: str) -> timedelta:
    """The duration that the text writes: `90m` is an hour and a half.

    Raises:
        ValueError: it is written otherwise; the message says what was found and what is allowed.
    """
    written = _WRITTEN.fullmatch(text)
    if written is None:
        message = f"found {text!r}, allowed is {ALLOWED}"
        raise ValueError(message)
    return timedelta(seconds=int(written[1]) * _SECONDS[written[2]])


def format_duration(duration: timedelta) -> str:
    """The duration in its largest exact unit: 5400 s is `90m`, 7200 s is `2h`.

    Fractions of a second, which cannot be written, are rounded.
    """
    seconds = round(duration.total_seconds())
    unit = next(u for u, size in _SECONDS.items() if size == 1 or (seconds and seconds % size == 0))
    return f"{seconds // _SECONDS[unit]}{unit}"
