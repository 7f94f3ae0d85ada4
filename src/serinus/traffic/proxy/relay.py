"""An answer's bytes, from the gateway's socket to the caller's in one step of the loop.

Reading a stream in a coroutine costs a future, a wake-up and a task's step for each chunk, which is a
third of all that the proxy does. Here the gateway's connection calls as soon as its parser has taken a
read, and what it took is written to the caller before the call returns. aiohttp still frames, pools and
bounds; uvicorn still writes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Final, cast

from aiohttp import ClientResponse, StreamReader
from aiohttp.client_proto import ResponseHandler

from serinus.traffic.proxy.exchange import Exchange, Waiting
from serinus.traffic.proxy.incoming import Send
from serinus.traffic.proxy.reading import Reading
from serinus.traffic.proxy.settings import Bounds


class Tapped(ResponseHandler):
    """The gateway's connection; `tap` is called after each read and when the connection is lost."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.tap: Callable[[], None] | None = None

    def data_received(self, data: bytes) -> None:
        """The parser takes a read, then whoever listens hears of it."""
        super().data_received(data)
        if self.tap is not None:
            self.tap()

    def resume_reading(self, resume_parser: bool = True) -> None:  # noqa: FBT001, FBT002  aiohttp's
        """Go on reading, if it was paused.

        aiohttp calls this after each chunk that is taken and lets the parser look again each time, which
        is needed only after a pause and cost as much as the chunk itself.
        """
        if self._reading_paused or self._buffer_paused:
            super().resume_reading(resume_parser)

    def connection_lost(self, exc: BaseException | None) -> None:
        """The connection is gone, and with it what had not come."""
        super().connection_lost(exc)
        if self.tap is not None:
            self.tap()


class Relay:
    """Passes one answer's body on; `run` returns once it is over.

    While the caller's connection is full nothing is read from aiohttp's buffer, which stops reading the
    gateway when it is full in turn: back-pressure from end to end.
    """

    def __init__(
        self, answer: ClientResponse, reading: Reading, exchange: Exchange, send: Send, bounds: Bounds
    ) -> None:
        loop = asyncio.get_running_loop()
        self._answer = answer
        self._content: StreamReader = answer.content
        self._reading = reading
        self._exchange = exchange
        self._caller = exchange.connection
        self._send = send
        self._idle = bounds.idle
        self._stalled = bounds.stalled
        self._clock = loop.time
        self._over: asyncio.Future[None] = loop.create_future()
        self._pumping = False
        self._again = False

    async def run(self) -> None:
        """Pass everything on.

        Raises:
            ClientError: the gateway broke off.
            asyncio.CancelledError: the exchange was ended.
        """
        connection = self._answer.connection  # None once the whole answer is in the buffer
        gateway = cast("Tapped | None", None if connection is None else connection.protocol)
        if gateway is not None:
            gateway.tap = self._pump
        self._exchange.resumed = self._pump
        try:
            self._pump()
            await self._over
        finally:
            self._exchange.resumed = None
            if gateway is not None and gateway.tap == self._pump:
                gateway.tap = None

    def _pump(self) -> None:
        """Pass on what is there. Called while it is at it (a parser that goes on), it looks once more."""
        self._again = True
        if self._pumping:
            return
        self._pumping = True
        try:
            while self._again and not self._over.done():
                self._again = False
                self._pass()
        except Exception as error:  # noqa: BLE001  `run` raises it; here it would end up in the loop's log
            if not self._over.done():
                self._over.set_exception(error)
        finally:
            self._pumping = False

    def _pass(self) -> None:
        exchange, caller = self._exchange, self._caller
        if caller is not None and caller.full:
            exchange.waiting, exchange.due = Waiting.CALLER, self._clock() + self._stalled
            exchange.moved = False
            return
        content = self._content
        data = content.read_nowait()
        if exchange.waiting is not Waiting.MORE:
            exchange.waiting, exchange.patience = Waiting.MORE, self._idle
        exchange.moved = True
        if content.at_eof():
            self._reading.feed(data, self._clock())
            exchange.whole = True  # a caller may hang up as soon as it has read this
            _at_once(self._send({"type": "http.response.body", "body": data, "more_body": False}))
            self._over.set_result(None)
        elif data:
            self._reading.feed(data, self._clock())
            if caller is None or not caller.pass_on(data):
                _at_once(self._send({"type": "http.response.body", "body": data, "more_body": True}))


_UNREADY: Final = "a caller that is not full made the proxy wait"


def _at_once(step: Awaitable[None]) -> None:
    """Do what needs no waiting: a caller that is not full takes bytes at once."""
    coroutine = cast("Coroutine[None, None, None]", step)
    try:
        coroutine.send(None)
    except StopIteration:
        return
    coroutine.close()
    raise RuntimeError(_UNREADY)
