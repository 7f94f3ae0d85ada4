"""What the gateway decides to give back: an answer, one that an engine writes, or an error."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from serinus.simulator.ask import Ask
from serinus.simulator.draft import Draft
from serinus.simulator.errors import ErrorReply
from serinus.simulator.framing import Framer, metadata
from serinus.simulator.scenario import Host
from serinus.simulator.steps import Step


@dataclass(frozen=True, slots=True)
class Refused:
    """An error instead of an answer, with who was tried."""

    error: ErrorReply
    document: dict[str, Any]
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer: the steps that send it, and the draft for the generation record."""

    id: str
    host: Host
    draft: Draft
    framer: Framer
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Forwarded:
    """An answer that a real engine will write: the request as the host sees it."""

    id: str
    host: Host
    ask: Ask
    framer: Framer


Response = Answered | Forwarded | Refused


def refused(error: ErrorReply, framer: Framer | None = None) -> Refused:
    """The error with its JSON.

    The routing metadata is in it where it was asked for and a host was tried; it is absent on masked
    500s and on failures of the key or the credits.
    """
    document = error.document()
    if framer is None:
        return Refused(error, document)
    served, ask = framer.served, framer.ask
    if ask.wants_metadata and error.status not in {401, 402, 500}:
        last = replace(served.attempts[-1], status=error.status)
        told = replace(served, attempts=(*served.attempts[:-1], last), pipeline=error.pipeline)
        document["openrouter_metadata"] = metadata(ask.model, told)
    return Refused(error, document, framer.id)
