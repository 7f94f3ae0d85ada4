"""A simulated gateway on a thread of its own, for clients that block while they ask."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from serinus.simulator.scenario import Latency, Scenario
from serinus.simulator.simulator import Simulator

AT_ONCE = Latency(first_text=0.0, per_token=0.0, jitter=0.0)


class _Standing(Thread):
    def __init__(self, scenario: Scenario) -> None:
        super().__init__(daemon=True)
        self.up = Event()
        self.url = ""
        self._scenario = scenario

    def run(self) -> None:
        asyncio.run(self._stand())

    async def _stand(self) -> None:
        self._leave = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        async with Simulator(self._scenario) as running:
            self.url = running.base_url
            self.up.set()
            await self._leave.wait()

    def leave(self) -> None:
        self._loop.call_soon_threadsafe(self._leave.set)


@contextmanager
def standing(scenario: Scenario) -> Iterator[str]:
    """The base URL of a gateway that stands as long as the block."""
    thread = _Standing(scenario)
    thread.start()
    assert thread.up.wait(30), "the simulated gateway did not start"
    try:
        yield thread.url
    finally:
        thread.leave()
        thread.join(30)
