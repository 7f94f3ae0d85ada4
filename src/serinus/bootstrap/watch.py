"""A watch over the canary, for processes that live beside it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from serinus.bootstrap.operators import operators_of
from serinus.config import Settings
from serinus.engine.clock import now
from serinus.service.courier import Tell, unheard
from serinus.service.memory import Memory
from serinus.service.watchman import NightWatch, Watchman


@asynccontextmanager
async def watching(
    settings: Settings, environ: Mapping[str, str], memory: Memory, tell: Tell = unheard
) -> AsyncIterator[None]:
    """Watch over the canary of this store until the end of the context; the store must be writable.

    Operators are told through the configured channels, which this process must be able to open too.

    Raises:
        ConfigError: a channel's URL or secret is not where the configuration says.
    """
    operators = operators_of(settings, environ)
    models = tuple(model.id for model in settings.model)
    watchman = Watchman(memory, now, models, settings.rounds.interval)
    watch = NightWatch(watchman, operators.courier(memory.store, tell), tell)
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(watch.follow(stop))
        try:
            yield
        finally:
            stop.set()
