"""The change feed: whoever waits for the log to grow is woken, whichever process wrote to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from serinus.service.store_errors import StoreError
from serinus.web.bell import Bell
from serinus.web.problems import Problem
from serinus.web.threads import Quick

PACE: Final = 0.1  # seconds between two looks at the log while somebody waits; none is taken otherwise
MOST: Final = 640  # who wait at once: each process of an application is one

Look = Callable[[], int]
Pause = Callable[[], Awaitable[None]]


async def _pace() -> None:
    await asyncio.sleep(PACE)


class Changes:
    """Wakes all who wait when the log grew. One watcher for all of them; `look` gives the log's end.

    `look` runs in a thread. A store that cannot be read wakes nobody: whoever waited finds out by asking.
    """

    def __init__(self, look: Look, *, most: int = MOST, pause: Pause = _pace) -> None:
        self.closed = False
        self.waiting = 0
        self._look = look
        self._most = most
        self._pause = pause
        self._quick = Quick(1)
        self.seen = 0
        self._wanted = asyncio.Event()
        self._news = Bell()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """While this lasts, who waits is woken; at its end all are."""
        async with asyncio.TaskGroup() as group:
            watcher = group.create_task(self._watch())
            try:
                yield
            finally:
                self.close()
                watcher.cancel()

    def close(self) -> None:
        """Wake everybody, and let nobody wait any more: the server stops."""
        self.closed = True
        self._news.ring()

    async def after(self, seen: int, seconds: float) -> int:
        """The log's end as soon as it lies behind `seen`; the same again after so many seconds, or at a stop.

        Raises:
            Problem: too many are waiting already.
        """
        if self.closed or seconds <= 0:
            return seen
        if self.waiting >= self._most:
            raise Problem(
                503, f"{self._most} are waiting already; ask without waiting.", headers={"Retry-After": "5"}
            )
        self.waiting += 1
        self._wanted.set()
        try:
            async with asyncio.timeout(seconds):
                while self.seen <= seen and not self.closed:
                    await self._news.wait()
        except TimeoutError:
            pass
        finally:
            self.waiting -= 1
        return max(seen, self.seen)

    async def _watch(self) -> None:
        while True:
            if not self.waiting:
                self._wanted.clear()
                await self._wanted.wait()
            try:
                seen = await self._quick.look(self._look)
            except StoreError:
                seen = self.seen
            if seen > self.seen:
                self.seen = seen
                self._news.ring()
            await self._pause()
