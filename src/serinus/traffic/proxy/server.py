"""The proxy on a socket: started, looked after, drained and stopped."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from typing import Any, Final, cast

import uvicorn

from serinus.engine.server import Server, socket_at
from serinus.traffic.proxy.addresses import vet_host
from serinus.traffic.proxy.app import App
from serinus.traffic.proxy.bookkeeper import Bookkeeper
from serinus.traffic.proxy.connection import Guarded
from serinus.traffic.proxy.counters import Counters
from serinus.traffic.proxy.exchange import sweep
from serinus.traffic.proxy.exclusions import Exclusions, Union
from serinus.traffic.proxy.forwarding import Forwarder
from serinus.traffic.proxy.incoming import Intake
from serinus.traffic.proxy.outgoing import Preparing
from serinus.traffic.proxy.pages import Health, Metrics, State
from serinus.traffic.proxy.settings import Bounds, Gateway
from serinus.traffic.proxy.telling import Log
from serinus.traffic.proxy.upstream import Upstream

_BACKLOG: Final = 4096  # connections that wait to be taken; the usual 128 drops callers at 512 at once
_KEEP_ALIVE: Final = 75  # seconds; longer than most clients keep an idle connection


class Proxy:
    """A running proxy: `address` is where it listens, `counters` what it counted."""

    def __init__(self, app: App, server: Server, address: str, counters: Counters) -> None:
        self._app = app
        self._server = server
        self._stopped = asyncio.Event()
        self.address = address
        self.counters = counters

    @property
    def in_flight(self) -> int:
        """Requests that are on their way."""
        return len(self._app.exchanges)

    def stop(self) -> None:
        """Take no more; what is on its way ends first, within the drain's time. Again: end at once."""
        self._server.force_exit = self._app.stopping
        self._app.stopping = True
        self._server.should_exit = True
        self._stopped.set()

    async def stopped(self) -> None:
        """Wait until it is told to stop."""
        await self._stopped.wait()


def listening(host: str, port: int) -> socket.socket:
    """A socket to listen on.

    Raises:
        OSError: the address cannot be had.
    """
    return socket_at(host, port, _BACKLOG)


@asynccontextmanager
async def serving(  # noqa: PLR0913  what a proxy is made of
    sock: socket.socket,
    gateway: Gateway,
    bounds: Bounds,
    exclusions: Exclusions,
    *,
    now: Callable[[], datetime],
    log: Log,
    books: Bookkeeper | None = None,
    known: State = dict,
) -> AsyncIterator[Proxy]:
    """Serve on this socket until the block ends; then drain.

    `books` keeps the ledger, None for none; `known` tells of the exclusions' state for the health page.

    Raises:
        ForbiddenAddressError: the gateway's base URL is an address that no gateway has.
    """
    vet_host(gateway.base.host or "", link_local=gateway.link_local)
    _hushed()
    counters = Counters()
    upstream = Upstream(gateway, bounds)
    preparing = Preparing(Union(exclusions, log), counters, gateway.presets, read=books is not None)
    forwarder = Forwarder(
        upstream, preparing, bounds, counters, Intake(bounds), now, None if books is None else books.add
    )
    app = App(forwarder, bounds, counters, log, {})
    app.pages[b"/health"] = Health(counters, partial(_ledger_state, books), known, lambda: app.stopping)
    app.pages[b"/metrics"] = Metrics(counters, None if books is None else books.counters)
    server = Server(_config(app, bounds, counters))
    if books is not None:
        books.start()
    try:
        async with asyncio.TaskGroup() as group:
            serve = group.create_task(server.serve([sock]))
            connections = cast("set[Guarded]", server.server_state.connections)
            watch = group.create_task(sweep(app.exchanges, connections))
            proxy = Proxy(app, server, _address(sock), counters)
            try:
                yield proxy
            finally:
                app.stopping = True
                server.should_exit = True
                await serve
                watch.cancel()
    finally:
        await upstream.close()
        if books is not None:
            await asyncio.to_thread(books.stop)


def _config(app: App, bounds: Bounds, counters: Counters) -> uvicorn.Config:
    return uvicorn.Config(
        cast("Any", app),  # uvicorn types messages more narrowly than ASGI does
        http=cast("type[Guarded]", partial(Guarded, bounds=bounds, counters=counters)),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=int(bounds.drain),
    )


def _hushed() -> None:
    """Uvicorn would log each bad request and each cut stream, with what was in them; these are counted."""
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _ledger_state(books: Bookkeeper | None) -> dict[str, object]:
    if books is None:
        return {"kept": None, "why": "switched off"}
    counted = books.counters
    found: dict[str, object] = {"kept": counted.kept, "waiting": counted.waiting, "lost": counted.lost}
    return found if books.trouble is None else {**found, "trouble": books.trouble}


def _address(sock: socket.socket) -> str:
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
