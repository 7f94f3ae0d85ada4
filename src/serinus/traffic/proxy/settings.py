"""What the proxy is told: where the gateway is, and how much and how long anyone may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from yarl import URL


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits. Sizes in bytes, times in seconds.

    `max_held` is what all bodies that are on their way may take together.
    `first_byte` is from the request sent to the answer's header, `idle` between two reads of an answer,
    `stalled` how long a caller may take none of it, `body` how long a caller may take to send a request,
    `head` the same for its header section.
    """

    in_flight: int = 1000
    max_body: int = 64 * 1024 * 1024
    max_held: int = 512 * 1024 * 1024
    max_head: int = 64 * 1024
    connect: float = 10.0
    first_byte: float = 600.0
    idle: float = 300.0
    stalled: float = 60.0
    body: float = 60.0
    head: float = 10.0
    drain: float = 30.0


@dataclass(frozen=True, slots=True)
class Gateway:
    """Where everything goes, and nothing goes elsewhere.

    `presets` says what becomes of a request that rests on a preset and has no `provider` of its own:
    `leave` passes it as it is, since a `provider` member would take the place of the preset's whole one.
    """

    base: URL
    link_local: bool = False
    presets: Literal["leave", "add"] = "leave"
