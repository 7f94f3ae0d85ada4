"""Rounds on time in one process: one loop a model, a graceful stop, nothing run twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from serinus.engine.schedule import due, jitter, wait
from serinus.service.ports import Clock

RunRound = Callable[[str, datetime], Awaitable[None]]
LastRound = Callable[[str], datetime | None]


@dataclass(frozen=True, slots=True)
class Schedule:
    """How often, how much spread over the first moments of an interval, and how long a stop may take."""

    interval: timedelta
    jitter: timedelta = timedelta()
    grace: timedelta = timedelta(seconds=90)


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """Runs each model's rounds in this process.

    `run_round(model, planned)` runs one and never raises for what hosts do; `last_round(model)` is
    the latest planned instant already taken, so that a restart neither repeats nor replays.
    """

    schedule: Schedule
    clock: Clock
    run_round: RunRound
    last_round: LastRound

    async def run(self, models: tuple[str, ...], stop: asyncio.Event) -> bool:
        """Run until `stop` is set; True if every round in flight ended within the grace."""
        async with asyncio.TaskGroup() as group:
            loops = [group.create_task(self._model(model, stop)) for model in models]
            await stop.wait()
            _, late = await asyncio.wait(loops, timeout=self.schedule.grace.total_seconds())
            for loop in late:
                loop.cancel()
        return not late

    async def _model(self, model: str, stop: asyncio.Event) -> None:
        last = self.last_round(model)
        while not stop.is_set():
            planned = due(last, self.clock(), self.schedule.interval)
            if planned is None:
                await _pause(stop, wait(self.clock(), self.schedule.interval))
                continue
            if not await _pause(stop, jitter(f"{model}@{planned}", self.schedule.jitter)):
                await self.run_round(model, planned)
                last = planned


async def _pause(stop: asyncio.Event, length: timedelta) -> bool:
    """Wait that long or until the stop; True if it is time to stop."""
    if length > timedelta():
        try:
            await asyncio.wait_for(stop.wait(), length.total_seconds())
        except TimeoutError:
            return False
    return stop.is_set()
