"""The answer a host is about to give, before it is put on the wire; faults change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; `name` may be anything, since hosts send anything."""

    id: str | None
    name: Any
    arguments: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One host that the gateway tried, and the status it answered."""

    display: str
    model: str
    status: int
    endpoint_id: str
    latency: float = 0.0


@dataclass(frozen=True, slots=True)
class Served:
    """Who answers, as the gateway will tell it: in chunks, metadata and the generation record.

    `pipeline` are the plugins that touched the answer; `cached` is a hit of the response cache.
    """

    display: str
    model: str
    endpoint_id: str
    attempts: tuple[Attempt, ...]
    available: tuple[str, ...] = ()
    byok: bool = False
    pipeline: tuple[Mapping[str, Any], ...] = ()
    cached: bool = False
    tier: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What the host says and what it will bill.

    `text` None is a content that was never sent. `prompt_tokens` and `completion_tokens` None are
    counted from request and answer; `usage` False sends none; `usage_extra` overrides its fields.
    """

    served: Served
    text: str | None = ""
    reasoning: str = ""
    refusal: str | None = None
    calls: tuple[Call, ...] = ()
    finish: str | None = "stop"
    native: str | None = "stop"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    usage: bool = True
    usage_extra: Mapping[str, Any] | None = None
