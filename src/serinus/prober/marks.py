"""When each stage of a request happened, told by the client's own trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import aiohttp

from serinus.core.transcript import Timing


@dataclass(slots=True)
class Marks:
    """Instants of one request on our monotonic clock; None until they happen.

    `sent` is the clock's zero for everything that comes back: the moment the last piece of the
    request was handed to the socket. Measured from the call instead, the burst of our own starts
    would count as the host's: 116 ms rather than 6 at 500 at once.
    """

    on_sent: Callable[[], None]
    dns_from: float | None = None
    dns_to: float | None = None
    connect_from: float | None = None
    connect_to: float | None = None
    sent: float | None = None
    headers: float | None = None

    def timing(self, lag: float) -> Timing:
        """The stages as durations; DNS is no part of `connect`, TLS is."""
        dns = _between(self.dns_from, self.dns_to)
        connect = _between(self.connect_from, self.connect_to)
        if connect is not None and dns is not None:
            connect -= dns
        return Timing(
            dns=dns,
            connect=connect,
            send=_between(self.connect_to, self.sent),
            headers=_between(self.sent, self.headers),
            lag=lag,
        )


def _between(start: float | None, end: float | None) -> float | None:
    return None if start is None or end is None else end - start


def tracing(clock: Callable[[], float]) -> aiohttp.TraceConfig:
    """A trace that writes into the `Marks` given as a request's `trace_request_ctx`."""

    def marking(name: str) -> Callable[[aiohttp.ClientSession, SimpleNamespace, Any], Any]:
        async def mark(_session: aiohttp.ClientSession, context: SimpleNamespace, _params: Any) -> None:
            marks: Marks = context.trace_request_ctx
            setattr(marks, name, clock())
            if name == "sent":
                marks.on_sent()

        return mark

    trace = aiohttp.TraceConfig()
    trace.on_dns_resolvehost_start.append(marking("dns_from"))
    trace.on_dns_resolvehost_end.append(marking("dns_to"))
    trace.on_connection_create_start.append(marking("connect_from"))
    trace.on_connection_create_end.append(marking("connect_to"))
    # The headers are held back and go out with the body's first piece; the last mark stands.
    trace.on_request_headers_sent.append(marking("sent"))
    trace.on_request_chunk_sent.append(marking("sent"))
    return trace
