"""The one change to a request's body: names added to `provider.ignore`, no other byte moved (R23).

A caller's own list stays as it was written, and names are added behind it. Where a key was written
twice, each is changed: parsers differ in which one they take, and none may lose the list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from serinus.traffic.proxy.asked import Asked
from serinus.traffic.proxy.members import NoObjectError, array_end, members, object_start


class Change(Enum):
    """What became of a body."""

    NOTHING = "nothing"  # nothing was to be added
    ADDED = "added"
    UNREADABLE = "unreadable"  # `provider` or its `ignore` is of no kind that a gateway understands


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The body to send, and what was done to it; untouched, it is the same object."""

    body: bytes
    change: Change


def with_ignored(asked: Asked, names: Sequence[str]) -> Rewritten:
    """The body with these names in `provider.ignore`, beside what the caller ignores already."""
    body = asked.body
    if not names:
        return Rewritten(body, Change.NOTHING)
    if not asked.provider:
        member = b'"provider":' + _object(names)
        return Rewritten(_inserted(body, member), Change.ADDED)
    try:
        changed = [
            (member.start, member.end, _provider(member.value(body), names)) for member in asked.provider
        ]
    except NoObjectError:
        return Rewritten(body, Change.UNREADABLE)
    return _outcome(body, _spliced(body, changed))


def _provider(written: bytes, names: Sequence[str]) -> bytes:
    """The value of a `provider` member with the names in it.

    Raises:
        NoObjectError: it is neither an object nor null, or its `ignore` neither a list nor null.
    """
    if written == b"null":
        return _object(names)
    lists = [member for member in members(written) if member.key == "ignore"]
    if not lists:
        return _inserted(written, b'"ignore":' + _listed(names))
    return _spliced(written, [(m.start, m.end, _ignore(m.value(written), names)) for m in lists])


def _ignore(written: bytes, names: Sequence[str]) -> bytes:
    if written == b"null":
        return _listed(names)
    end, filled = array_end(written)
    callers = _parsed(written)
    more = [name for name in names if name not in callers]
    if not more:
        return written
    added = _listed(more)[1:-1]
    return written[:end] + (b"," if filled else b"") + added + written[end:]


def _parsed(written: bytes) -> list[Any]:
    try:
        found = json.loads(written.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError) as error:
        message = "the list cannot be read"
        raise NoObjectError(message) from error
    return found if isinstance(found, list) else []


def _inserted(body: bytes, member: bytes) -> bytes:
    """An object with one member more, before all others."""
    at = object_start(body)
    comma = b"" if body[at:].lstrip(b" \t\r\n")[:1] == b"}" else b","
    return body[:at] + member + comma + body[at:]


def _spliced(body: bytes, changes: Iterable[tuple[int, int, bytes]]) -> bytes:
    pieces, at = [], 0
    for start, end, value in changes:
        pieces += [body[at:start], value]
        at = end
    return b"".join([*pieces, body[at:]])


def _outcome(before: bytes, after: bytes) -> Rewritten:
    if after == before:
        return Rewritten(before, Change.NOTHING)
    return Rewritten(after, Change.ADDED)


def _object(names: Sequence[str]) -> bytes:
    return b'{"ignore":' + _listed(names) + b"}"


def _listed(names: Sequence[str]) -> bytes:
    return json.dumps(list(names), separators=(",", ":")).encode()
