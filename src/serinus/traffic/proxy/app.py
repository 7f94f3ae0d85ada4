"""The proxy as a bare ASGI application: no framework stands between a chunk and its caller."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable

from serinus.traffic.proxy.connection import SCOPE_KEY
from serinus.traffic.proxy.counters import Counters
from serinus.traffic.proxy.exchange import Exchange, Waiting
from serinus.traffic.proxy.forwarding import Forwarder, reply
from serinus.traffic.proxy.incoming import CallerLeftError, Receive, RefusedError, Scope, Send, head_of
from serinus.traffic.proxy.replies import Reply, busy, no_answer, own_fault, slow_body, stopping
from serinus.traffic.proxy.settings import Bounds
from serinus.traffic.proxy.telling import Log
from serinus.traffic.proxy.upstream import UpstreamError

Page = Callable[[], tuple[int, bytes, bytes]]  # status, content type, body
"""A page of the proxy's own, such as its health."""


class App:
    """Answers its own pages, and passes everything beneath `/v1/` on."""

    def __init__(
        self, forwarder: Forwarder, bounds: Bounds, counters: Counters, log: Log, pages: dict[bytes, Page]
    ) -> None:
        self._forwarder = forwarder
        self._bounds = bounds
        self._counters = counters
        self._log = log
        self.pages = pages
        self.exchanges: set[Exchange] = set()
        self.stopping = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            return
        page = self.pages.get(scope["raw_path"]) if scope["method"] in {"GET", "HEAD"} else None
        if page is not None:
            await _show(send, page)
            return
        loop = asyncio.get_running_loop()
        exchange = Exchange(scope.get(SCOPE_KEY), loop.time() + self._bounds.body)
        self.exchanges.add(exchange)
        self._counters.requests += 1
        self._counters.in_flight = len(self.exchanges)
        try:
            await self._guarded(scope, receive, send, exchange)
        finally:
            exchange.end()
            self._forwarder.intake.release(exchange)
            self.exchanges.discard(exchange)
            self._counters.in_flight = len(self.exchanges)

    async def _guarded(self, scope: Scope, receive: Receive, send: Send, exchange: Exchange) -> None:
        """One request, and an answer or a closed connection whatever happens."""
        try:
            await self._pass(scope, receive, send, exchange)
        except RefusedError as error:
            await self._reply(send, error.reply, close=True)
        except UpstreamError as error:
            await self._reply(send, error.reply)
        except CallerLeftError:
            return
        except asyncio.CancelledError:
            if not exchange.was_ended and not self.stopping:
                raise
            _go_on()
            await self._ended(send, exchange)
        except Exception as error:  # noqa: BLE001  one request's fault must not show what another said
            self._log.error("fault", error=type(error).__name__, where=_where(error))
            if not exchange.started:
                await self._reply(send, own_fault())

    async def _pass(self, scope: Scope, receive: Receive, send: Send, exchange: Exchange) -> None:
        head = head_of(scope)
        if self.stopping:
            raise RefusedError(stopping())
        if len(self.exchanges) > self._bounds.in_flight:
            raise RefusedError(busy(self._bounds.in_flight))
        body = await self._forwarder.intake.read(head, receive, exchange)
        await self._forwarder.forward(head, body, exchange, send)

    async def _ended(self, send: Send, exchange: Exchange) -> None:
        """Somebody took too long or left, or the drain's time is over."""
        if exchange.left:
            return
        if exchange.started or exchange.overdue is Waiting.CALLER:
            exchange.abort()  # an end that looks like one would hide that the answer is not whole
        elif exchange.overdue is Waiting.BODY:
            await self._reply(send, slow_body(self._bounds.body), close=True)
        elif exchange.overdue is Waiting.ANSWER:
            await self._reply(send, no_answer(self._bounds.first_byte))
        else:
            await self._reply(send, stopping(), close=True)

    async def _reply(self, send: Send, told: Reply, *, close: bool = False) -> None:
        self._counters.refused[told.code] += 1
        await reply(send, told, close=close)


def _go_on() -> None:
    """Take back the cancellation that the proxy itself asked for."""
    task = asyncio.current_task()
    if task is not None:
        task.uncancel()


def _where(error: Exception) -> str:
    """The innermost place of a fault: a file and a line, no values."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"


async def _show(send: Send, page: Page) -> None:
    status, kind, body = page()
    fields = [
        (b"content-type", kind),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": fields})
    await send({"type": "http.response.body", "body": body, "more_body": False})
