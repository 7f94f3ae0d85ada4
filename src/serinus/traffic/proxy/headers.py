"""Which header fields pass, in both directions, and which no peer may send."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

Fields = list[tuple[bytes, bytes]]

# RFC 9110 §7.6.1, RFC 9112: they speak of one connection. `host` and `content-length` are written anew.
_HOP: Final = frozenset(
    {
        *(b"connection", b"keep-alive", b"proxy-connection", b"proxy-authenticate", b"proxy-authorization"),
        *(b"te", b"trailer", b"transfer-encoding", b"upgrade"),
    }
)
_ANEW: Final = frozenset({b"host", b"content-length", b"expect"})
_NAME: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]++")
_VALUE: Final = re.compile(rb"[^\x00-\x08\x0a-\x1f\x7f]*+")
_LENGTH: Final = re.compile(rb"[0-9]{1,18}")


class BadFieldsError(ValueError):
    """A header section that could be read in two ways; the message names the field, never its value."""


def _connection_names(fields: Iterable[tuple[bytes, bytes]]) -> frozenset[bytes]:
    """What the peer says of this connection alone."""
    named = (value for name, value in fields if name == b"connection")
    return frozenset(part.strip().lower() for value in named for part in value.split(b","))


def check(fields: Iterable[tuple[bytes, bytes]]) -> Fields:
    """The fields with lower-case names.

    Raises:
        BadFieldsError: a name is no token, a value has a control character, the length is given twice or
            beside a transfer encoding: two readers could take the message to end in two places.
    """
    found = [(name.lower(), value) for name, value in fields]
    lengths = coded = 0
    for name, value in found:
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            message = f"the header field {name.decode('ascii', 'replace')!r} has a forbidden character"
            raise BadFieldsError(message)
        if name == b"content-length":
            lengths += 1
            if not _LENGTH.fullmatch(value):
                message = "content-length is no number"
                raise BadFieldsError(message)
        elif name == b"transfer-encoding":
            coded += 1
            if value.strip().lower() != b"chunked":
                message = "transfer-encoding is not chunked"
                raise BadFieldsError(message)
    if lengths > 1 or coded > 1 or (lengths and coded):
        message = "the length of the message is given twice"
        raise BadFieldsError(message)
    return found


def to_gateway(fields: Fields) -> list[tuple[str, str]]:
    """The caller's fields for the gateway, keys and all."""
    hidden = _HOP | _ANEW | _connection_names(fields)
    return [(n.decode("ascii"), v.decode("latin-1")) for n, v in fields if n not in hidden]


def to_caller(fields: Fields, *, bodiless: bool) -> Fields:
    """The gateway's fields for the caller; a length stays, since the body is passed as it is."""
    hidden = (_HOP | _connection_names(fields)) - {b"content-length"}
    if bodiless:
        hidden = hidden | {b"content-length"}
    return [(n, v) for n, v in fields if n not in hidden]


def value_of(fields: Fields, name: bytes) -> bytes | None:
    """The first value of a field."""
    return next((v for n, v in fields if n == name), None)
