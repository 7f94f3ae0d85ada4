"""Work that would hold up the event loop, in a few threads.

The loop also times the first tokens of probes. Threads take turns with it at the interpreter's lock, so
that each further one which is busy may delay it by a turn: few of them, and short turns.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final, TypeVar

from anyio import CapacityLimiter, to_thread

_T = TypeVar("_T")

AT_ONCE: Final = 2  # routes that look into the store at once; others wait their turn
TURN: Final = 0.001  # seconds until a busy thread has to let another one go on; Python's own is 0.005


class Quick:
    """A few threads of their own for looks of a millisecond, which must not wait behind longer ones."""

    def __init__(self, at_once: int = 2) -> None:
        self._limiter = CapacityLimiter(at_once)

    async def look(self, work: Callable[[], _T]) -> _T:
        """The work's result; it goes on where whoever asked has left."""
        return await to_thread.run_sync(work, limiter=self._limiter)


async def aside(work: Callable[[], _T]) -> _T:
    """The work's result, done in one of the threads of routes."""
    return await to_thread.run_sync(work)


def few_threads() -> None:
    """Let routes run in `AT_ONCE` threads, with short turns; called once the loop runs."""
    to_thread.current_default_thread_limiter().total_tokens = AT_ONCE
    sys.setswitchinterval(TURN)
