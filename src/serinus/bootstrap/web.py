"""The web over a desk, served in the loop that is running."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_network
from typing import Final

import uvicorn
from fastapi import FastAPI

from serinus.bootstrap.canary import plans_of
from serinus.bootstrap.front import Front, Means, ServeError
from serinus.bootstrap.reporting import zone_of
from serinus.config import Settings
from serinus.config.channels import wants_of
from serinus.engine.collector import settled
from serinus.engine.server import Server, socket_at
from serinus.service.access.keys import new_secret
from serinus.service.desk import Desk
from serinus.web.app import make_app
from serinus.web.gate import Gate
from serinus.web.laboratory import Laboratory
from serinus.web.live import Changes
from serinus.web.office import Office
from serinus.web.site import Site

GRACE: Final = 5  # seconds that answers in flight have at a stop
CONNECTIONS: Final = 900  # at once, below the usual 1024 open files; further ones are told to come back
IDLE: Final = 75  # seconds a connection is kept without a request; longer than proxies keep theirs
HEADERS: Final = 32 * 1024  # bytes of a request's line and headers
BACKLOG: Final = 128
SHOWN: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  what is told of "all addresses"


@asynccontextmanager
async def serving(
    settings: Settings, desk: Desk, means: Means, *, port: int | None = None
) -> AsyncIterator[Front]:
    """Serve the API and the pages over this desk, until the end of the context.

    `means` are what asks the gateway. `port` is another than the configured one. At the end whoever waits
    is answered at once, and answers in flight have `GRACE` seconds.

    Raises:
        ServeError: it cannot be served there.
        StoreError: the store cannot be read.
    """
    site = site_of(settings)
    gate = Gate(desk.store.access, desk.clock, site.session)
    if not await asyncio.to_thread(gate.is_closed):
        if not site.loopback:
            raise ServeError(_unguarded(site))
        gate.setup = new_secret()
    listening = listen(site.host, settings.serve.port if port is None else port)
    changes = Changes(lambda: _end_of_log(desk))
    office = Office(
        desk,
        gate,
        changes,
        site,
        plans_of(settings),
        wants_of(settings),
        settings.metrics.routes,
        Laboratory(means.open_hands),
        means.lookup,
        zone_of(None, os.environ),
    )
    app = make_app(office)
    url = f"http://{_shown(listening)}{site.base_path}"
    async with _server(app, listening, changes.close):
        settled()
        yield Front(f"{url}/", f"{url}/setup?code={gate.setup}" if gate.setup else None)


def site_of(settings: Settings) -> Site:
    """How the configured server is reached."""
    serve = settings.serve
    return Site(
        serve.host,
        frozenset(serve.names),
        tuple(ip_network(network) for network in serve.proxies),
        serve.user_header,
        serve.base_path,
        serve.session,
    )


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there.

    Raises:
        ServeError: another process does, or this machine has no such address.
    """
    try:
        return socket_at(host, port, BACKLOG)
    except OSError as error:
        raise ServeError(_refused(error, host, port)) from error


def _refused(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} of {host} is taken by another process, perhaps another serinus. Choose another by "
            "serve.port (SERINUS_SERVE_PORT), or end that process."
        )
    if error.errno == errno.EACCES:
        return f"Port {port} of {host} may not be opened by this user: choose one from 1024 on by serve.port."
    reason = (error.strerror or str(error)).lower()
    return (
        f"Nothing can be served at {host}, port {port}: {reason}. serve.host is an address of this machine."
    )


def _unguarded(site: Site) -> str:
    return (
        f"serve.host is {site.host}, where other machines reach it, and there is no operator yet: run "
        "`serinus operator add NAME` first, or listen at 127.0.0.1."
    )


def _shown(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    name = SHOWN.get(host, host)
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


def _end_of_log(desk: Desk) -> int:
    desk.memory.catch_up()
    return desk.memory.seen


@asynccontextmanager
async def _server(
    app: FastAPI, listening: socket.socket, stopping: Callable[[], None]
) -> AsyncIterator[None]:
    """The application served at a socket; `stopping` is told before it ends."""
    config = uvicorn.Config(
        app,
        http="h11",  # strict, with a limit on headers; the API is not where speed matters
        h11_max_incomplete_event_size=HEADERS,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # the door does that, by the configured proxies
        server_header=False,
        limit_concurrency=CONNECTIONS,
        backlog=BACKLOG,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=GRACE,
    )
    server = Server(config)
    running = asyncio.ensure_future(server.serve(sockets=[listening]))
    try:
        ready = asyncio.ensure_future(server.ready.wait())
        await asyncio.wait({ready, running}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if running.done():
            await running
            message = "The server did not start; its log says why."
            raise ServeError(message)
        yield
    finally:
        stopping()
        server.should_exit = True
        await running
