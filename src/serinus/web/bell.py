"""A bell: whoever waits is woken each time it rings."""

from __future__ import annotations

import asyncio


class Bell:
    """Rung as often as there is news; who begins to wait after a ring waits for the next one."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def ring(self) -> None:
        """Wake everybody who waits."""
        rung, self._next = self._next, asyncio.Event()
        rung.set()

    async def wait(self) -> None:
        """Until it rings."""
        await self._next.wait()
