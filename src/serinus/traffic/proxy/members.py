"""Where the members of a JSON object stand, so that one can be changed and no other byte moves.

A parser that makes values loses what has no value: duplicate keys, white space, how a number was
written, a lone surrogate. This reads places instead. It is lenient on purpose: whether a body is good is
for the gateway to say, and what a gateway might read as `provider` must be found here too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

_BLANK: Final = re.compile(rb"[ \t\r\n]*+")
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_SCALAR: Final = re.compile(rb'[^\s,\]}\[{":]++')
_BRACKET: Final = re.compile(rb'[^"{}\[\]]*+(?:"(?:[^"\\]++|\\.)*+"[^"{}\[\]]*+)*+([{}\[\]])', re.DOTALL)
_VALUES: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_OPEN: Final = b"{["


class NoObjectError(ValueError):
    """The bytes are no JSON object, or one that ends too early."""


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object: its key, and where its value begins and ends."""

    key: str
    start: int
    end: int

    def value(self, body: bytes) -> bytes:
        """The value as it was written."""
        return body[self.start : self.end]


def object_start(body: bytes) -> tuple[int, bool]:
    """Where the first member may stand, just after the opening brace, and whether any does.

    Raises:
        NoObjectError: the bytes begin otherwise.
    """
    at = _skip(body, 0)
    if body[at : at + 1] != b"{":
        message = "no JSON object"
        raise NoObjectError(message)
    at += 1
    first = _skip(body, at)
    return at, body[first : first + 1] != b"}"


def members(body: bytes) -> Iterator[Member]:
    """The members of the object, in order, duplicates too.

    Raises:
        NoObjectError: these bytes are no object.
    """
    start, filled = object_start(body)
    at = _skip(body, start)
    known = _known(body)
    if not filled:
        _ended(body, at + 1)
        return
    while True:
        key, at = _key(body, at)
        end = _value_end(body, at, known.get(key))
        yield Member(key, at, end)
        at = _skip(body, end)
        mark = body[at : at + 1]
        if mark == b"}":
            _ended(body, at + 1)
            return
        at = _skip(body, _after(body, at, b","))


def array_end(array: bytes) -> tuple[int, bool]:
    """Where a list's closing bracket stands, and whether anything stands before it.

    Raises:
        NoObjectError: these bytes are no list.
    """
    if array[:1] != b"[" or array[-1:] != b"]":
        message = "no JSON list"
        raise NoObjectError(message)
    return len(array) - 1, bool(array[1:-1].strip(b" \t\r\n"))


def _known(body: bytes) -> dict[str, memoryview]:
    """Each key's last value: it saves looking through a long one, where the strict parser agrees."""
    try:
        return {key: memoryview(raw) for key, raw in _VALUES.decode(body).items()}
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return {}


def _value_end(body: bytes, at: int, known: memoryview | None) -> int:
    if known is not None and _stands(body, at, known):
        return at + len(known)
    return _searched_end(body, at)


def _stands(body: bytes, at: int, known: memoryview) -> bool:
    """Whether this very value stands here, and is not the beginning of a longer number."""
    end = at + len(known)
    after = _skip(body, end)
    return body[after : after + 1] in {b",", b"}"} and body.startswith(known, at)


def _searched_end(body: bytes, at: int) -> int:
    first = body[at : at + 1]
    if first == b'"':
        return _matched(_STRING, body, at)
    if first and first in _OPEN:
        depth, place = 1, at + 1
        while depth:
            found = _BRACKET.match(body, place)
            if found is None:
                message = "the JSON ends too early"
                raise NoObjectError(message)
            depth += 1 if found[1] in _OPEN else -1
            place = found.end()
        return place
    return _matched(_SCALAR, body, at)


def _key(body: bytes, at: int) -> tuple[str, int]:
    """A key, and where its value begins."""
    end = _matched(_STRING, body, at)
    written = body[at:end]
    key = written[1:-1].decode("utf-8", "replace") if b"\\" not in written else _unescaped(written)
    return key, _skip(body, _after(body, _skip(body, end), b":"))


def _unescaped(written: bytes) -> str:
    try:
        return str(json.loads(written.decode("utf-8", "replace"), strict=False))
    except ValueError:
        return written.decode("utf-8", "replace")


def _after(body: bytes, at: int, mark: bytes) -> int:
    if body[at : at + 1] != mark:
        message = f"no {mark.decode()} where one belongs"
        raise NoObjectError(message)
    return at + 1


def _matched(pattern: re.Pattern[bytes], body: bytes, at: int) -> int:
    found = pattern.match(body, at)
    if found is None:
        message = "the JSON cannot be read"
        raise NoObjectError(message)
    return found.end()


def _skip(body: bytes, at: int) -> int:
    found = _BLANK.match(body, at)
    return found.end() if found else at


def _ended(body: bytes, at: int) -> None:
    if _skip(body, at) != len(body):
        message = "something follows the object"
        raise NoObjectError(message)
