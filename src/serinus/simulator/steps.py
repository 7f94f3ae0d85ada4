"""What a server does to answer, one step after another; the HTTP server performs it, a drill reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing for so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Head:
    """A header of the response, wherever among the steps it stands."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Open:
    """Send the status line and the headers; a step that sends does it if no Open came before."""


@dataclass(frozen=True, slots=True)
class Comment:
    """An SSE comment line: a sign of life of the gateway, never of the host."""

    text: str = "OPENROUTER PROCESSING"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One event with a JSON object as data."""

    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes as they are, in one write."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Reset:
    """Break the connection: the client sees a reset."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Close the socket without ending the body: the client sees an early end of the transfer."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Send nothing more and leave the connection open until the client goes."""


Step = Wait | Head | Open | Comment | Chunk | Raw | Reset | Drop | Hold
DONE: Final = Raw(b"data: [DONE]\n\n")


def encoded(step: Step) -> bytes:
    """The bytes that a step puts on the wire; none for a step that sends nothing."""
    match step:
        case Comment(text):
            return f": {text}\n\n".encode()
        case Chunk(data):
            return b"data: " + json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n\n"
        case Raw(data):
            return data
        case _:
            return b""


@dataclass(frozen=True, slots=True)
class Reply:
    """Everything about one response: status, headers, and the steps that send its body."""

    status: int
    headers: Mapping[str, str]
    steps: tuple[Step, ...]


def document(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """A JSON document as a response."""
    found = {"Content-Type": "application/json", **(headers or {})}
    return Reply(status, found, (Open(), Raw(json.dumps(data, ensure_ascii=False).encode())))
