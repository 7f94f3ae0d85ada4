"""What a comparison works with, over the configured gateway."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from serinus.bootstrap.canary import pace_of
from serinus.bootstrap.gateways import open_gateway
from serinus.config import Settings
from serinus.contracts import contracts
from serinus.engine.clock import now
from serinus.engine.judges import JudgePool
from serinus.prober.secret import Key
from serinus.probes.languages import LANGUAGES
from serinus.service.comparing.request import Hands
from serinus.service.ports import Gateway
from serinus.service.rounds import Judges
from serinus.service.storage import Store


@asynccontextmanager
async def open_hands(settings: Settings, key: Key | None, store: Store, model: str) -> AsyncIterator[Hands]:
    """A gateway, a pace of its own, and judges that get warm when they are first needed.

    Raises:
        ConfigError: a server's key is not where the configuration says.
    """
    pool = JudgePool()

    async def ready() -> None:
        pool.warm(contracts())
        await pool.ready()

    try:
        async with open_gateway(settings, key) as gateway:
            yield replace(hands_of(settings, store, gateway, pool.judge, model), ready=ready)
    finally:
        await asyncio.to_thread(pool.close)


def hands_of(settings: Settings, store: Store, gateway: Gateway, judges: Judges, model: str) -> Hands:
    """What a comparison of this model works with, where gateway and judges are there already.

    A model that is not configured is compared in all languages and with the usual limits.
    """
    known = next((m for m in settings.model if m.id == model), None)
    return Hands(
        gateway=gateway,
        pace=pace_of(settings),
        judges=judges,
        store=store,
        clock=now,
        budget=settings.budget.usd_per_day,
        limits=settings.limits_of(model),
        languages=known.languages if known else tuple(LANGUAGES),
        controls=frozenset(known.controls) if known else frozenset(),
    )
