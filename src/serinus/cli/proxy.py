"""`serinus proxy`: stand before the gateway and add the merged list to each request."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import socket

    from serinus.config import Settings
    from serinus.traffic.proxy.server import Proxy

_OPEN: Final = (
    "It listens to other machines. Whoever reaches it can use it: callers' own gateway keys are the only "
    "guard, and they travel readable on the way to it."
)


def proxy(*, config: Path | None = None, host: str | None = None, port: int | None = None) -> int:
    """Stand before the gateway and add the merged list to each request.

    Applications use it by their base URL alone, http://127.0.0.1:8788/v1, with their own keys, which
    pass and are kept nowhere. Every other byte of a request and of its answer stays as it was.
    GET /health and GET /metrics tell how it is.

    Ctrl-C or SIGTERM stops it after the requests that are on their way; a second one ends them.

    Parameters
    ----------
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    host
        The address to listen on, in place of proxy.host.
    port
        The port to listen on, in place of proxy.port; 0 takes a free one.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: _proxy(config, host, port))


def _proxy(config: Path | None, host: str | None, port: int | None) -> int:
    from serinus.config import load  # noqa: PLC0415  as above
    from serinus.traffic.proxy.server import listening  # noqa: PLC0415  as above

    settings = load(config, os.environ)
    where = host or settings.proxy.host, settings.proxy.port if port is None else port
    try:
        sock = listening(*where)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        message = f"{where[0]}:{where[1]} cannot be listened on: {reason}"
        raise OSError(message) from None
    with asyncio.Runner(loop_factory=_fastest()) as runner:
        return runner.run(_run(settings, sock))


def _fastest() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The loop of uvloop where it is installed: the same with less work for each chunk."""
    if find_spec("uvloop") is None:
        return None
    import uvloop  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  it is no dependency

    made: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return made


async def _run(settings: Settings, sock: socket.socket) -> int:
    from serinus.bootstrap.proxy import open_proxy  # noqa: PLC0415  as above

    async with open_proxy(settings, sock, _log()) as running:
        _stops(running)
        _collect_less()
        sys.stdout.write(_opening(settings, running.address))
        sys.stdout.flush()
        await running.stopped()
        if running.in_flight:
            sys.stderr.write(f"Stopping after {running.in_flight} requests; once more ends them.\n")
    return 0


def _collect_less() -> None:
    """Look for cycles more rarely, and not in what was imported.

    The oldest are looked for after 250,000 objects that were left over, some 50 MB: callers who leave and
    gateways that die leave cycles behind, and with (20_000, 20, 20) memory grew by 100 bytes a request.
    """
    from serinus.engine.collector import settled  # noqa: PLC0415  as above

    settled()
    gc.set_threshold(10_000, 5, 5)


def _stops(running: Proxy) -> None:
    loop = asyncio.get_running_loop()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(wanted, running.stop)


def _opening(settings: Settings, address: str) -> str:
    """What it does and where, and what guards it."""
    from serinus.bootstrap.proxy import gateway_of  # noqa: PLC0415  as above
    from serinus.config.proxying import STORE  # noqa: PLC0415  as above

    proxy = settings.proxy
    source = f"the store {settings.store.path}" if proxy.exclusions == STORE else str(proxy.exclusions)
    lines = [
        f"base URL    {address}/v1",
        f"gateway     {gateway_of(settings).base}",
        f"exclusions  {source}",
        f"ledger      {'14 days of routes, times and sizes' if proxy.ledger else 'none'}",
    ]
    if not _loopback(address):
        lines += ["", _OPEN]
    return "\n".join([*lines, "", "Ctrl-C stops it.", ""])


def _loopback(address: str) -> bool:
    host = address.removeprefix("http://").rpartition(":")[0].strip("[]")
    return ip_address(host).is_loopback


def _log() -> Any:
    """One JSON object a line on standard error, or lines for whoever looks there."""
    from serinus.bootstrap.logging import logger  # noqa: PLC0415  as above

    return logger(sys.stderr)
