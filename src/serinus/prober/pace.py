"""When a probe may start: evenly paced, bounded overall and for each provider."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager


class Pace:
    """Limits on starts and on what is in flight.

    Starts are paced because a burst measures our own loop: 500 probes started at once were read
    tens of milliseconds late where the same 500 at 100 a second were read within 2 ms. A provider
    gets few at a time, out of politeness and because its limits are shared.
    """

    __slots__ = ("_all", "_clock", "_gap", "_next", "_per_provider", "_providers", "_sleep")

    def __init__(
        self,
        *,
        starts_per_second: float = 100.0,
        in_flight: int = 500,
        per_provider: int = 4,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Limits; `float("inf")` starts a second means that starts are not paced.

        Raises:
            ValueError: a limit is not above zero.
        """
        for name, limit in (
            ("starts_per_second", starts_per_second),
            ("in_flight", in_flight),
            ("per_provider", per_provider),
        ):
            if not limit > 0:
                message = f"{name} is {limit}; it must be above zero"
                raise ValueError(message)
        self._gap = 1.0 / starts_per_second
        self._next = float("-inf")
        self._all = asyncio.Semaphore(in_flight)
        self._per_provider = per_provider
        self._providers: dict[str, asyncio.Semaphore] = {}
        self._clock = clock
        self._sleep = sleep

    @asynccontextmanager
    async def slot(self, provider: str) -> AsyncIterator[None]:
        """Wait for a place and a start; the place is held until the block ends.

        The provider's place comes first, so that probes waiting for a busy provider take no place
        from the others.
        """
        mine = self._providers.setdefault(provider, asyncio.Semaphore(self._per_provider))
        async with mine, self._all:
            await self._start()
            yield

    async def _start(self) -> None:
        """Wait until this start's own instant, a gap after the one before."""
        now = self._clock()
        at = max(now, self._next)
        self._next = at + self._gap
        if at > now:
            await self._sleep(at - now)
