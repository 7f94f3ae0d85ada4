"""A watch over the canary, for processes that live beside it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from serinus.bootstrap.operators import Operators, operators_of
from serinus.config import ConfigError, Settings
from serinus.engine.clock import now
from serinus.service.courier import Tell, unheard
from serinus.service.memory import Memory
from serinus.service.watchman import NightWatch, Watchman


@asynccontextmanager
async def watching(
    settings: Settings, environ: Mapping[str, str], memory: Memory, tell: Tell = unheard
) -> AsyncIterator[None]:
    """Watch over the canary of this store until the end of the context; the store must be writable.

    Operators are told through the configured channels. One whose URL or secret this process cannot have
    is told of, and what was to be sent waits for the canary.
    """
    operators = _operators(settings, environ, tell)
    models = tuple(model.id for model in settings.model)
    watchman = Watchman(memory, now, models, settings.rounds.interval)
    watch = NightWatch(watchman, operators.courier(memory.store, tell), tell)
    stop = asyncio.Event()
    trouble: Exception | None = None  # of the caller: a group of tasks would wrap it
    async with asyncio.TaskGroup() as group:
        group.create_task(watch.follow(stop))
        try:
            yield
        except Exception as error:  # noqa: BLE001  raised again as it was
            trouble = error
        finally:
            stop.set()
    if trouble is not None:
        raise trouble


def _operators(settings: Settings, environ: Mapping[str, str], tell: Tell) -> Operators:
    try:
        return operators_of(settings, environ)
    except ConfigError as error:
        tell("watch over the canary", f"no channel can be opened here: {error.problems[0].line()}")
        return Operators()
