"""How late our own event loop was, so that our slowness is never held against a host."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class LagMeter:
    """Ticks on the event loop while somebody watches, and remembers how late the ticks were.

    A tick is due every `tick` seconds; what it came late is the lag. So a stretch in which the loop
    did something else shows, short by at most one tick. No task of its own: the tick is a timer
    that ends with the last watcher.
    """

    __slots__ = ("_due", "_timer", "_watchers", "_worst", "clock", "tick")

    def __init__(self, *, tick: float = 0.005, clock: Callable[[], float] = time.monotonic) -> None:
        self.tick = tick
        self.clock = clock
        self._watchers = 0
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        # (when, lag), lags falling: what came earlier and was no worse can never be the worst again.
        self._worst: list[tuple[float, float]] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Keep the meter ticking; `worst` answers for times within."""
        self._watchers += 1
        if self._timer is None:
            self._schedule()
        try:
            yield
        finally:
            self._watchers -= 1
            if not self._watchers and self._timer is not None:
                self._timer.cancel()
                self._timer = None
                self._worst.clear()

    def worst(self, since: float) -> float:
        """The worst lag from `since` until now, in seconds; a tick that is overdue counts already."""
        place = bisect_left(self._worst, (since, 0.0))
        known = self._worst[place][1] if place < len(self._worst) else 0.0
        overdue = self.clock() - self._due if self._timer else 0.0
        return max(known, overdue, 0.0)

    def note(self, when: float, lag: float) -> None:
        """Remember that a tick came `lag` seconds late, in steps of 0.1 ms to bound what is kept."""
        lag = round(lag, 4)
        while self._worst and self._worst[-1][1] <= lag:
            self._worst.pop()
        self._worst.append((when, lag))

    def _schedule(self) -> None:
        self._due = self.clock() + self.tick
        self._timer = asyncio.get_running_loop().call_later(self.tick, self._on_tick)

    def _on_tick(self) -> None:
        now = self.clock()
        self.note(now, now - self._due)
        self._schedule()
