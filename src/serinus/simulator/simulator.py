"""A running simulated gateway: started and stopped by whoever needs one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from aiohttp import web

from serinus.simulator.desk import BASE, Desk
from serinus.simulator.ledger import Ledger
from serinus.simulator.performer import Sleep
from serinus.simulator.scenario import Scenario
from serinus.simulator.server import Server


def wall_clock() -> datetime:
    """The time of day, in UTC."""
    return datetime.fromtimestamp(time.time(), tz=UTC)


class Simulator:
    """Usage: `async with Simulator(scenario) as sim: …  sim.base_url`.

    Port 0 takes a free one. `now` and `sleep` give the simulation its time: the wall clock and real
    waiting unless told otherwise. `seed` overrides the scenario's.

    Raises:
        OSError: on entering, when the address cannot be bound.
    """

    def __init__(  # noqa: PLR0913  each has a default, and its name is needed
        self,
        scenario: Scenario,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        seed: int | None = None,
        now: Callable[[], datetime] = wall_clock,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.scenario = scenario if seed is None else replace(scenario, seed=seed)
        self._address = (host, port)
        self._now = now
        self._sleep = sleep
        self._runner: web.AppRunner | None = None
        self._bound = (host, port)

    @property
    def base_url(self) -> str:
        """What a client takes as the gateway's base URL; final once entered."""
        host, port = self._bound
        return f"http://{f'[{host}]' if ':' in host else host}:{port}{BASE}"

    @property
    def ledger(self) -> Ledger:
        """What was answered and charged since the start."""
        return self._desk.ledger

    async def __aenter__(self) -> Self:
        self._desk = Desk.of(self.scenario, self._now())
        server = Server(self._desk, self._now, self._sleep)
        runner = web.AppRunner(
            server.application(), handler_cancellation=True, access_log=None, shutdown_timeout=0.2
        )
        await runner.setup()
        self._runner = runner
        try:
            site = web.TCPSite(runner, *self._address)
            await site.start()
        except BaseException:
            await runner.cleanup()
            raise
        host, port = runner.addresses[0][:2]
        self._bound = (str(host), int(port))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
