"""A canary on duty: each planned round, and what must follow it whatever happened."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from serinus.service.canary import Canary, Outcome
from serinus.service.courier import Courier, Tell, unheard
from serinus.service.store_errors import LogMovedError, StoreError

EVERY: Final = (
    60.0  # seconds between two looks at the outbox while no round ends: operators act, channels come back
)

Beat = Callable[[], Awaitable[str | None]]


async def no_beat() -> str | None:
    """Call nobody."""
    return None


@dataclass(frozen=True, slots=True)
class Happening:
    """What became of a planned round: its outcome, or one sentence on why there is none."""

    model: str
    planned: datetime
    outcome: Outcome | None = None
    trouble: str | None = None


Report = Callable[[Happening], None]


@dataclass(slots=True)
class Duty:
    """Runs planned rounds and never raises for what a round met.

    A store that cannot be written stops probing, not the process: the next round tries again, and
    the ignore list stands as it was. A fault of our own ends the round and is told.

    What follows rounds runs beside them, in `follow`, so that a channel that hangs delays none. The
    heartbeat is called only after a round that was written: its silence tells a watching service
    that the canary is down or cannot remember.
    """

    canary: Canary
    courier: Courier
    report: Report
    beat: Beat = no_beat
    tell: Tell = unheard
    look: Callable[[], object] | None = None  # sees whether rounds of any model are late, in a thread
    pruned: date | None = field(default=None)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _written: bool = False
    _over: bool = False
    _said: dict[str, str | None] = field(default_factory=dict)

    async def round(self, model: str, planned: datetime) -> None:
        """The round of that instant, told to `report`; what follows it is due then."""
        happening = await self._round(model, planned)
        self.report(happening)
        self._written = self._written or happening.outcome is not None
        self._news.set()

    async def _round(self, model: str, planned: datetime) -> Happening:
        try:
            outcome = await self.canary.round(model, planned)
        except (StoreError, LogMovedError) as error:
            return Happening(model, planned, trouble=f"the store cannot be used: {error}")
        except Exception as error:  # noqa: BLE001  a fault of our own in one model must not end the others
            fault = _root(error)
            return Happening(
                model, planned, trouble=f"a fault of serinus itself: {type(fault).__name__}: {fault}"
            )
        return Happening(model, planned, outcome, outcome.trouble if outcome else "it was taken before")

    async def follow(self) -> None:
        """Deliver, beat and prune: after rounds and now and then, until `end`, then once more."""
        await self._guarded(self.courier.begin)
        over = False
        while not over:
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._news.wait()
            self._news.clear()
            over = self._over
            await self._guarded(self.aftercare)

    def end(self) -> None:
        """Let `follow` end after one last pass."""
        self._over = True
        self._news.set()

    async def aftercare(self) -> None:
        """One pass of what follows rounds.

        Raises:
            StoreError: the store cannot be used.
        """
        written, self._written = self._written, False
        if written:
            self._say("heartbeat", await self.beat())
        if self.look is not None:
            await asyncio.to_thread(self.look)
        while await self.courier.deliver():
            pass
        today = self.canary.clock().date()
        if written and self.pruned != today:
            await asyncio.to_thread(self.canary.store.prune, self.canary.clock())
            self.pruned = today

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except StoreError as error:
            self._say("delivery", f"the store cannot be used: {error}")
        except Exception as error:  # noqa: BLE001  as for rounds
            self._say("delivery", f"a fault of serinus itself: {type(error).__name__}: {error}")
        else:
            self._say("delivery", None)

    def _say(self, what: str, trouble: str | None) -> None:
        if trouble != self._said.get(what):
            self.tell(what, trouble)
        self._said[what] = trouble


def _root(error: Exception) -> Exception:
    """What went wrong first: a group of tasks wraps it and says nothing of it."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
