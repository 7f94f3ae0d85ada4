"""What one probe saw, never repaired: what was missing stays missing.

Times are seconds after the request was written, on a monotonic clock. A recorded answer without
times (`formats.md` §1, `text` and `body`) has None for each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from serinus.core.model import Limits, Probe, Route

Json = Any


class End(StrEnum):
    """How the bytes of an answer ended."""

    CLOSED = "closed"  # the peer ended it in an orderly way
    RESET = "reset"  # the connection broke
    HELD = "held"  # nothing more until the hard limit; the connection was still open
    CAPPED = "capped"  # it grew past the cap on size, or went on and on past the cap on time: we cut it


class Phase(StrEnum):
    """How far a request got when it failed without a status line."""

    CONNECT = "connect"  # refused, DNS, TLS, connect timeout: never got out
    SEND = "send"  # broke while the request was written
    WAIT = "wait"  # written whole, then no status line


@dataclass(frozen=True, slots=True)
class Event:
    """One event of the stream as it arrived: its data lines joined, or a comment."""

    at: float | None
    data: str | None = None
    comment: str | None = None
    name: str | None = None
    undecodable: bool = False  # its bytes were not UTF-8; replaced by U+FFFD in `data`


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts and cost as the gateway reported them; None where it did not."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    cost: float | None = None
    is_byok: bool | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call accumulated over its deltas.

    `id`, `name` and `arguments` are None when never sent; `name_is_text` is False where a name came
    as something else than a string; `name_parts` keeps each non-empty name delta, so that a name
    glued from repetitions can be told from one sent whole.
    """

    index: int
    id: str | None = None
    type: str | None = None
    name: str | None = None
    arguments: str | None = None
    name_parts: tuple[str, ...] = ()
    name_is_text: bool = True


@dataclass(frozen=True, slots=True)
class Delta:
    """One event's contribution to the answer, with its arrival time.

    `index` is the position of its event in the transcript. `visible` text is what a user would see.
    """

    at: float | None
    index: int
    text: str = ""
    reasoning: str = ""
    tool: bool = False
    finish: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """An error object, wherever it stood.

    `where` is `http` (before any answer), `body` (in a 200 body), `stream` (an event of a 200
    stream). `code` is the numeric code if one was given, `type` the gateway's error type,
    `raw` the error object itself.
    """

    where: str
    code: int | None
    type: str | None
    message: str
    raw: Json = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The chat answer read out of events or a body, leniently, with nothing defaulted.

    `text`, `reasoning` and `refusal` are None when no such field was ever sent, "" when it was
    sent empty. `models` and `ids` are the distinct values in order of arrival. `oddities` are the
    protocol irregularities that were met, as (code, detail) pairs: `malformed_event`,
    `missing_delta`, `changed_id`, `text_after_finish`, `duplicate_text`, `unknown_shape`, …
    """

    text: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    native_finish_reason: str | None = None
    usage: Usage | None = None
    provider: str | None = None
    models: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    done: bool = False  # `[DONE]` was seen, or a whole body was parsed
    choices: int = 0  # how many distinct choice indices were seen
    logprobs: bool = False
    filtered: tuple[str, ...] = ()  # content-filter annotations that say "filtered"
    metadata: Mapping[str, Json] | None = None  # the gateway's routing metadata
    failure: Failure | None = None
    deltas: tuple[Delta, ...] = ()
    oddities: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Timing:
    """Where the time went before the answer, and how far our own clock can be trusted.

    Seconds. `headers` is when the status line had come, after the request was written; the others
    are durations of their own, before it. `lag` is the worst delay of our own event loop while the
    probe was in flight: above `Limits.lag` no latency verdict rests on this transcript.
    """

    dns: float | None = None
    connect: float | None = None
    send: float | None = None
    headers: float | None = None
    lag: float | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """Everything one probe saw: request, headers, events with arrival times, how it ended.

    `status` is None if no status line came; then `phase` tells how far the request got and `error`
    what broke. `events` is empty for a plain body, which is in `body` (None for a stream).
    `ended` is when the last byte came or the wait was given up. `pin` is the tag the request was
    pinned to, None where nothing was pinned; `direct` says that there is no gateway between. `proof`
    is the header in which the gateway names the pinned route word for word, where it has such a one.
    `limits` are those of the route's model.
    """

    probe: Probe
    answer: Answer
    route: Route | None = None
    pin: str | None = None
    display: str | None = None
    direct: bool = False
    proof: str | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    body: str | None = None
    end: End = End.CLOSED
    ended: float | None = None
    phase: Phase | None = None
    error: str | None = None
    timing: Timing = Timing()
    limits: Limits = Limits()
    reasoning_mandatory: bool = False
    claims: frozenset[str] | None = None  # what the listing says the route supports; None = unknown
    control: bool = False
    timed: bool = True  # False: recorded without arrival times

    @property
    def proved(self) -> bool:
        """Whether the connection or a header proves who served: names in the answer are labels then."""
        return self.direct or self.proof is not None

    @property
    def text(self) -> str:
        """The visible text, the empty string where there is none."""
        return self.answer.text or ""
