"""Who notices a canary that fell silent: any process that lives beside it (R24).

The canary looks after single models whose rounds hang. A process of its own, such as one that serves
pages or forwards requests, notices the death of the canary itself, and then delivers what it left.
That both tell at once is possible and harmless: a notice comes at least once.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from serinus.service.courier import Courier, Tell, unheard
from serinus.service.memory import Memory
from serinus.service.notices import canary_back, canary_stale, stale_key
from serinus.service.ports import Clock
from serinus.service.standing import overdue_at
from serinus.service.store_errors import LogMovedError, StoreError

EVERY: Final = 60.0  # seconds between two looks


@dataclass(slots=True)
class Watchman:
    """Looks whether rounds are held, and tells once when they are not and when they are again.

    A model without any round is late once it was watched for as long as others may be.
    """

    memory: Memory
    clock: Clock
    models: tuple[str, ...]
    interval: timedelta
    _since: datetime = field(init=False)

    def __post_init__(self) -> None:
        self._since = self.clock()

    def look(self) -> tuple[str, ...]:
        """The models whose rounds are late; news is written to the outbox.

        Raises:
            StoreError: the store cannot be used.
            LogMovedError: the log moved again and again.
        """
        at, store = self.clock(), self.memory.store
        late: list[str] = []
        for model in self.models:
            row = store.last_round(model)
            last = row.at if row is not None else self._since
            told = store.open_notice(stale_key(model))
            if at > overdue_at(last, self.interval):
                late.append(model)
                if not told:
                    self.memory.tell([canary_stale(model, last, at, self.interval, store.holder())])
            elif told and row is not None:
                self.memory.tell([canary_back(model, last, at)])
        return tuple(late)


@dataclass(slots=True)
class NightWatch:
    """A watchman in a process of its own: while the canary is away, it delivers notices in its place."""

    watchman: Watchman
    courier: Courier
    tell: Tell = unheard
    every: float = EVERY
    _said: str | None = None
    _begun: bool = False

    async def follow(self, stop: asyncio.Event) -> None:
        """Look now and then until `stop` is set. It raises nothing: who serves goes on serving."""
        while not stop.is_set():
            self._say(await self._round())
            with suppress(TimeoutError):
                async with asyncio.timeout(self.every):
                    await stop.wait()

    async def _round(self) -> str | None:
        try:
            late = await asyncio.to_thread(self.watchman.look)
            alone = await asyncio.to_thread(self.watchman.memory.store.holder) is None
            if alone or late:
                await self._deliver()
        except (StoreError, LogMovedError) as error:
            return f"the store cannot be used: {error}"
        except Exception as error:  # noqa: BLE001  a fault of our own must not end what is served
            return f"a fault of serinus itself: {type(error).__name__}: {error}"
        return None

    async def _deliver(self) -> None:
        if not self._begun:
            await self.courier.begin()  # a new channel is spared the news of months here too
            self._begun = True
        while await self.courier.deliver():
            pass

    def _say(self, trouble: str | None) -> None:
        if trouble != self._said:
            self.tell("watch over the canary", trouble)
        self._said = trouble
