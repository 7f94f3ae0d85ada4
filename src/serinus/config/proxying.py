"""The `[proxy]` table: where it listens, where it sends, what anyone may take of it."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator

from serinus.config.kinds import Allowed, Duration, Port, Span, Switch, Url, number
from serinus.config.section import Section

STORE: Final = "store"  # the exclusions' source that is the configured store
_LONGEST: Final = 1024  # characters of a source


def _host(text: str) -> str:
    if any(c.isspace() or c in "/@?#" for c in text):
        message = "no address"
        raise ValueError(message)
    return text.strip("[]")


def _source(named: object) -> str | Path:
    """`store` and URLs as they are written; all else is a path, which starts at the file like any other."""
    if not isinstance(named, str) or not 0 < len(named) <= _LONGEST or "\0" in named:
        message = "no source"
        raise ValueError(message)
    if named == STORE or "://" in named:
        return named
    return Path(os.path.expanduser(named))  # noqa: PTH111  pathlib's own raises where there is no home


Host = Annotated[
    str,
    Field(min_length=1, max_length=255),
    AfterValidator(_host),
    Allowed("an address to listen on, such as 127.0.0.1, ::1 or 0.0.0.0"),
]
Many = Annotated[
    int, BeforeValidator(number), Field(ge=1, le=100_000), Allowed("a whole number from 1 to 100000")
]
Megabytes = Annotated[
    int, BeforeValidator(number), Field(ge=1, le=4096), Allowed("a whole number of megabytes from 1 to 4096")
]


class Proxy(Section):
    """`serinus proxy`: stands before the gateway and adds the merged list to each request (R23, R33)."""

    host: Host = "127.0.0.1"
    """The address it listens on; any but a loopback one lets other machines use it with keys of their own."""
    port: Port = 8788
    """The port it listens on."""
    upstream: Annotated[
        Url | None,
        Field(examples=["https://openrouter.ai/api/v1"]),
        Allowed("an http:// or https:// URL without query; absent for gateway.base_url"),
    ] = None
    """Where requests go; absent for `gateway.base_url`. Nothing is ever sent elsewhere."""
    link_local: Switch = False
    """Whether the gateway may stand at a link-local or cloud metadata address."""
    exclusions: Annotated[
        str | Path,
        PlainValidator(_source),
        Field(examples=["http://127.0.0.1:7717"]),
        Allowed("store, a URL of serinus serve, or the path of an exported file or a store"),
    ] = STORE
    """Where the lists come from: `store` for the configured store, a URL of `serinus serve`, or a file."""
    ledger: Switch = True
    """Whether each request's route, times and sizes are kept for 14 days; never a word of what was said."""
    presets: Annotated[Literal["leave", "add"], Allowed("leave or add")] = "leave"
    """What becomes of a request with a preset and no `provider` of its own.

    `leave` passes it as it is; `add` adds the list, which takes the place of all that the preset says of
    providers, its privacy settings too.
    """
    in_flight: Many = 1000
    """How many requests may be on their way at once; more are answered 503."""
    max_body: Megabytes = 64
    """The largest request, in megabytes."""
    max_held: Megabytes = 512
    """What all requests that are being received may take together, in megabytes."""
    connect: Span = timedelta(seconds=10)
    """How long connecting to the gateway may take."""
    first_byte: Span = timedelta(minutes=10)
    """How long the gateway may take to begin an answer."""
    idle: Span = timedelta(minutes=5)
    """The longest pause inside an answer."""
    stalled: Span = timedelta(minutes=1)
    """How long a caller may take nothing of its answer before it is dropped."""
    body: Span = timedelta(minutes=1)
    """How long a caller may take to send its request."""
    drain: Duration = timedelta(seconds=30)
    """How long requests that are on their way may go on when it is stopped."""
