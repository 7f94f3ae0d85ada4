"""JSON as it came over the wire: read leniently, and never a reason to raise."""

from __future__ import annotations

import json
from typing import Any, Final

UNREADABLE: Final = object()  # a sentinel: None is a JSON value
NUMBER_DIGITS: Final = 4300  # longer integers cost quadratic time; Python refuses them too


def read_json(text: str) -> Any:
    """The value that the text holds, or `UNREADABLE`: broken, nested too deep, or a number too long."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return UNREADABLE


def as_text(value: Any) -> str | None:
    """The value if it is a string, else None."""
    return value if isinstance(value, str) else None


def as_count(value: Any) -> int | None:
    """A token count: an integer, or a float or string that is one; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str) and value.strip().isdecimal() and len(value) <= NUMBER_DIGITS:
        return int(value)
    return None


def as_number(value: Any) -> float | None:
    """A number: an integer or a finite float; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) < float("inf") else None  # NaN compares false, so it is None too


def as_mapping(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []
