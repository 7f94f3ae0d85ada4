"""The fields of one JSON object, each asked for by kind; what is wrong is told with found and allowed."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, TypeVar

from serinus.core.instants import parse_instant

LONGEST: Final = 60  # characters of a found value that are shown
MISSING: Final = object()

Choice = TypeVar("Choice", bound=StrEnum)


class FieldError(ValueError):
    """An object is not what it should be; the message says where, what was found, what is allowed."""


def shown(value: Any) -> str:
    """A found value as JSON, cut short."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _wrong(where: str, value: Any, allowed: str) -> FieldError:
    found = "nothing" if value is MISSING else shown(value)
    return FieldError(f"{where}: found {found}, allowed is {allowed}")


def named(name: str, where: str) -> str:
    """A key that names something.

    Raises:
        FieldError: it is empty, or no Unicode text.
    """
    if not name or not _unicode(name):
        raise _wrong(where, name, "a name that is not empty")
    return name


def _unicode(text: str) -> bool:
    """Whether a text can be written again: JSON may spell half a surrogate pair, UTF-8 cannot."""
    return text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text)


class Fields:
    """One object's fields. Every method takes a key off; `done` tells of keys that nobody asked for."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._left = dict(values)
        self._asked: list[str] = []

    def _take(self, key: str) -> Any:
        self._asked.append(key)
        return self._left.pop(key, MISSING)

    def done(self, what: str) -> None:
        """Say that all has been asked for.

        Raises:
            FieldError: the object has keys that are unknown.
        """
        if self._left:
            unknown = ", ".join(shown(key) for key in sorted(self._left))
            message = f"found unknown keys of a {what}: {unknown}; allowed: {', '.join(self._asked)}"
            raise FieldError(message)

    def text(self, key: str) -> str:
        """A text that is not empty."""
        return self.text_of(self._take(key), key)

    @staticmethod
    def text_of(value: Any, where: str) -> str:
        """The value, if it is a text that is not empty."""
        if not isinstance(value, str) or not value or not _unicode(value):
            raise _wrong(where, value, "a text that is not empty")
        return value

    def text_or_none(self, key: str) -> str | None:
        """A text, or None where it is absent, null or empty."""
        value = self._take(key)
        if value is MISSING or value is None or value == "":
            return None
        return self.text_of(value, key)

    def texts(self, key: str) -> list[str]:
        """A list of texts that are not empty."""
        value = self._take(key)
        if not isinstance(value, list):
            raise _wrong(key, value, "a list of routes")
        return [self.text_of(item, f"{key}[{n}]") for n, item in enumerate(value)]

    def table(self, key: str, *, required: bool = False) -> dict[str, Any]:
        """An object; empty where it is absent, unless it is required."""
        value = self._take(key)
        if value is MISSING and not required:
            return {}
        if not isinstance(value, dict):
            raise _wrong(key, value, "an object")
        return value

    def word(self, key: str, allowed: Iterable[str]) -> str:
        """One of the allowed words."""
        value = self._take(key)
        return self._one_of(value, key, list(allowed))

    @staticmethod
    def _one_of(value: Any, where: str, allowed: Collection[str]) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise _wrong(where, value, ", ".join(str(word) for word in allowed))
        return value

    @staticmethod
    def choice(value: Any, where: str, kind: type[Choice]) -> Choice:
        """The member of an enumeration that the value names."""
        try:
            return kind(value)
        except ValueError:
            raise _wrong(where, value, ", ".join(kind)) from None

    def instant(self, key: str) -> datetime:
        """An instant, as RFC 3339 writes it."""
        return self._instant_of(self._take(key), key)

    def instant_or_none(self, key: str) -> datetime | None:
        """An instant, or None where it is absent or null."""
        value = self._take(key)
        return None if value is MISSING or value is None else self._instant_of(value, key)

    @staticmethod
    def _instant_of(value: Any, where: str) -> datetime:
        if not isinstance(value, str):
            raise _wrong(where, value, "a time as in RFC 3339, such as 2026-11-30T02:00:00Z")
        try:
            return parse_instant(value)
        except ValueError as error:
            message = f"{where}: {error}"
            raise FieldError(message) from None

    def seconds(self, key: str, most: timedelta) -> timedelta:
        """A duration in seconds, 0 where it is absent or null."""
        value = self._take(key)
        if value is MISSING or value is None:
            return timedelta(0)
        limit = most.total_seconds()
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or not 0 <= value <= limit:
            raise _wrong(key, value, f"a number of seconds from 0 to {limit:.0f}")
        return timedelta(seconds=value)

    def switch(self, key: str) -> bool:
        """True or false; false where it is absent or null."""
        value = self._take(key)
        if value is MISSING or value is None:
            return False
        if not isinstance(value, bool):
            raise _wrong(key, value, "true or false")
        return value
