"""A caller's connection: uvicorn's, with bounds on what it may send and a way to hear it leave."""

from __future__ import annotations

import asyncio
from typing import Any, Final, cast

from httptools import HttpRequestParser
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from serinus.traffic.proxy.counters import Counters
from serinus.traffic.proxy.exchange import Exchange
from serinus.traffic.proxy.headers import BadFieldsError, check
from serinus.traffic.proxy.parser import Staying
from serinus.traffic.proxy.replies import Reply, bad_request, large_head
from serinus.traffic.proxy.settings import Bounds

SCOPE_KEY: Final = "serinus.connection"
_FIELD: Final = 4  # colon, blank and line end


class Guarded(HttpToolsProtocol):
    """Refuses header sections that are too long, too slow, or that two readers could read in two ways.

    llhttp refuses most of those by itself; `check` holds whatever version of it is installed.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        bounds: Bounds,
        counters: Counters,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._staying = Staying(self)
        self.parser = cast("HttpRequestParser", self._staying)
        self.exchange: Exchange | None = None
        self._bounds = bounds
        self._counters = counters
        self._refusal: Reply | None = None
        self._size = 0
        self._in_head = True
        self._stuck = 0.0  # since when it is closing
        self._due = self.loop.time() + bounds.head

    def data_received(self, data: bytes) -> None:
        """What a read brought."""
        super().data_received(data)
        if self._in_head and self.parser is not None:
            self._size += len(data)
            if self._size > self._bounds.max_head:
                self._refusal = large_head(self._bounds.max_head)
                self.send_400_response("")

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        cast("dict[str, Any]", self.scope)[SCOPE_KEY] = self  # ASGI lets servers add keys
        self._in_head, self._size = True, 0
        self._due = self.loop.time() + self._bounds.head

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header field, whole."""
        super().on_header(name, value)
        self._size += len(name) + len(value) + _FIELD
        if self._size > self._bounds.max_head:
            self._refusal = large_head(self._bounds.max_head)
            message = "the header section is too long"
            raise BadFieldsError(message)

    def on_headers_complete(self) -> None:
        """The header section is over."""
        try:
            check(self.headers)
        except BadFieldsError as error:
            self._refusal = bad_request(str(error))
            raise
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is whole."""
        if not self._staying.ends_early():
            super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Say that it was no request, unless that would fall into the midst of an answer."""
        del msg
        if self.transport.is_closing():
            return
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete and not (self._fresh and cycle.more_body):
            self.transport.abort()
            return
        reply = self._refusal or bad_request("it is no HTTP request")
        self._counters.refused[reply.code] += 1
        body = reply.body()
        fields = [*reply.fields(body), (b"connection", b"close")]
        head = b"".join(b"%s: %s\r\n" % field for field in fields)
        self.transport.write(STATUS_LINE[reply.status] + head + b"\r\n" + body)
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The caller is gone: what runs for it has no reader any more."""
        super().connection_lost(exc)
        if self.exchange is not None:
            self.exchange.leave()

    @property
    def _fresh(self) -> bool:
        """Whether nothing was answered yet to the request that is being read."""
        return not self.cycle.response_started and not self.pipeline

    @property
    def full(self) -> bool:
        """Whether it has more to write than it should."""
        return self.flow.write_paused

    def pass_on(self, data: bytes) -> bool:
        """Write a piece of a chunked answer at once; False if the answer is not of that kind."""
        cycle = self.cycle
        if not cycle.chunked_encoding or cycle.response_complete or cycle.disconnected:
            return False
        self.transport.write(b"%x\r\n%b\r\n" % (len(data), data))
        return True

    def resume_writing(self) -> None:
        """It has written enough to take more."""
        super().resume_writing()
        if self.exchange is not None and self.exchange.resumed is not None:
            self.exchange.resumed()

    def check_head(self, now: float) -> None:
        """Drop a connection whose header section takes too long, or that does not take its last bytes.

        An idle one is uvicorn's to close.
        """
        if self.transport.is_closing():
            self._stuck = self._stuck or now
            if now - self._stuck >= self._bounds.stalled:
                self.transport.abort()
        elif self._in_head and now >= self._due:
            self._counters.refused["head_timeout"] += 1
            self.transport.close()

    def abort(self) -> None:
        """Drop it, and what it has not taken."""
        self.transport.abort()
