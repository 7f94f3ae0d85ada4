"""Kinds of arguments that several commands take; one that is refused says what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, Final

from cyclopts import Parameter, Token

from serinus.core.durations import ALLOWED, parse_duration
from serinus.core.instants import parse_instant

MOST: Final = 1_000_000_000  # of anything that is counted


def _duration(_kind: Any, tokens: Sequence[Token]) -> timedelta:
    return parse_duration(tokens[0].value)


def _instant(_kind: Any, tokens: Sequence[Token]) -> datetime:
    return parse_instant(tokens[0].value)


def _some(_kind: Any, found: timedelta) -> None:
    if not found:
        message = f"found no time at all, allowed is {ALLOWED}"
        raise ValueError(message)


def _count(_kind: Any, found: int | None) -> None:
    if found is not None and found < 1:
        message = f"found {found}, allowed is a whole number from 1 on"
        raise ValueError(message)
    if found is not None and found > MOST:
        message = f"found {found}, allowed is a whole number of at most {MOST}"
        raise ValueError(message)


def _money(_kind: Any, found: float | None) -> None:
    if found is not None and not 0 <= found < float("inf"):
        message = f"found {found}, allowed is a number of US dollars, from 0 on"
        raise ValueError(message)


Duration = Annotated[timedelta, Parameter(converter=_duration, show_default=False)]
Instant = Annotated[datetime, Parameter(converter=_instant)]
# How far apart rounds are planned: a duration of a second or more.
Every = Annotated[timedelta, Parameter(converter=_duration, validator=_some, show_default=False)]
Count = Annotated[int, Parameter(validator=_count)]
Money = Annotated[float, Parameter(validator=_money)]
