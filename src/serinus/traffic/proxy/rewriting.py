"""The one change to a request's body: names added to `provider.ignore`, no other byte moved (R23).

A caller's own list stays as it was written, and names are added behind it. Where a key was written
twice, each is changed: parsers differ in which one they take, and none may lose the list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from serinus.core.provider_field import ignored_beside
from serinus.traffic.proxy.asked import Asked
from serinus.traffic.proxy.members import NoObjectError, array_end, members, object_start

_LENIENT: Final = json.JSONDecoder(strict=False)


class Change(Enum):
    """What became of a body."""

    NOTHING = "nothing"  # nothing was to be added
    ADDED = "added"
    UNREADABLE = "unreadable"  # no object, or its `provider` or `ignore` of no kind that gateways know


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The body to send, and what was done to it; untouched, it is the same object."""

    body: bytes
    change: Change


@dataclass(frozen=True, slots=True)
class Excluded:
    """The names to leave out; `people` are those among them that people excluded, not the canary."""

    names: Sequence[str] = ()
    people: Sequence[str] = ()


def with_excluded(asked: Asked, excluded: Excluded) -> Rewritten:
    """The body with these names in `provider.ignore`, beside what the caller ignores already.

    A caller who pins a request to routes that are all suspended gets them, as `ignored_beside` has it.
    """
    body = asked.body
    if not asked.readable:
        return Rewritten(body, Change.UNREADABLE)
    if not excluded.names:
        return Rewritten(body, Change.NOTHING)
    if not asked.provider:
        member = b'"provider":' + _object(excluded.names)
        return Rewritten(_inserted(body, member), Change.ADDED)
    try:
        changed = [(m.start, m.end, _provider(m.value(body), excluded)) for m in asked.provider]
    except NoObjectError:
        return Rewritten(body, Change.UNREADABLE)
    return _outcome(body, _spliced(body, changed))


def _provider(written: bytes, excluded: Excluded) -> bytes:
    """The value of a `provider` member with the names in it.

    Raises:
        NoObjectError: it is neither an object nor null, or its `ignore` neither a list of names nor null.
    """
    if written == b"null":
        return _object(excluded.names)
    said = _parsed(written)
    if not isinstance(said, Mapping):
        message = "provider is no object"
        raise NoObjectError(message)
    wanted = ignored_beside(said, excluded.names, excluded.people)
    lists = [(m, _callers(m.value(written))) for m in members(written) if m.key == "ignore"]
    if wanted is None:
        return written
    if not lists:
        return _inserted(written, b'"ignore":' + _listed(wanted))
    return _spliced(written, [(m.start, m.end, _longer(m.value(written), own, wanted)) for m, own in lists])


def _callers(written: bytes) -> list[str]:
    """The caller's own names.

    Raises:
        NoObjectError: it is no list of names; that is for the gateway to say.
    """
    found = _parsed(written)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        message = "ignore is no list of names"
        raise NoObjectError(message)
    return found


def _longer(written: bytes, callers: Sequence[str], wanted: Sequence[str]) -> bytes:
    """A list as it was written, with what it lacks behind it."""
    more = [name for name in wanted if name not in callers]
    if written == b"null":
        return _listed(more)
    if not more:
        return written
    end, filled = array_end(written)
    return written[:end] + (b"," if filled else b"") + _listed(more)[1:-1] + written[end:]


def _parsed(written: bytes) -> Any:
    try:
        return _LENIENT.decode(written.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        message = "it cannot be read"
        raise NoObjectError(message) from error


def _inserted(body: bytes, member: bytes) -> bytes:
    """An object with one member more, before all others; what may be megabytes is copied once."""
    at, filled = object_start(body)
    return b"".join((body[:at], member, b"," if filled else b"", memoryview(body)[at:]))


def _spliced(body: bytes, changes: Iterable[tuple[int, int, bytes]]) -> bytes:
    view, at = memoryview(body), 0
    pieces: list[bytes | memoryview] = []
    for start, end, value in changes:
        pieces += [view[at:start], value]
        at = end
    return b"".join([*pieces, view[at:]])


def _outcome(before: bytes, after: bytes) -> Rewritten:
    if after == before:
        return Rewritten(before, Change.NOTHING)
    return Rewritten(after, Change.ADDED)


def _object(names: Sequence[str]) -> bytes:
    return b'{"ignore":' + _listed(names) + b"}"


def _listed(names: Sequence[str]) -> bytes:
    return json.dumps(list(names), separators=(",", ":")).encode()
