"""One request, measured: sent once, read to its end or to a limit, and never raising for the network."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Self

import aiohttp

import serinus
from serinus.prober.attempt import Attempt, Patience
from serinus.prober.exchange import Exchange, Request
from serinus.prober.lag import LagMeter
from serinus.prober.marks import tracing
from serinus.prober.quiet import QUIET

_USER_AGENT: Final = f"serinus/{serinus.__version__}"


class Prober:
    """Sends requests, each on a connection of its own, once, and measures what comes back.

    Use as an async context manager. `clock` is monotonic, in seconds.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.lag = LagMeter(clock=clock)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, force_close=True, ttl_dns_cache=60),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),  # the limits are ours, below
            auto_decompress=False,
            trace_configs=[tracing(self.clock)],
            headers={"User-Agent": _USER_AGENT, "Accept-Encoding": "identity"},
        )
        return self

    async def __aexit__(self, *_exc: object) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def exchange(self, request: Request, patience: Patience) -> Exchange:
        """Send the request once and gather its answer; whatever goes wrong is in the exchange.

        Raises:
            RuntimeError: the prober was not entered.
        """
        if self._session is None:
            message = "a prober is used inside `async with Prober() as prober`"
            raise RuntimeError(message)
        with QUIET.held(), self.lag.watching():
            attempt = Attempt(self._session, request, patience, self.clock)
            await attempt.run()
            return attempt.result(self.lag.worst(attempt.since)).without(request.key)
