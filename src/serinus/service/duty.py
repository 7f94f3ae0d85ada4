"""A canary on duty: each planned round, and what must follow it whatever happened."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date, datetime

from serinus.service.canary import Canary, Outcome
from serinus.service.courier import Courier
from serinus.service.storage import LogMovedError, StoreError

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
    """

    canary: Canary
    courier: Courier
    report: Report
    beat: Beat = no_beat
    pruned: date | None = field(default=None)

    async def round(self, model: str, planned: datetime) -> None:
        """The round of that instant, told to `report`; then delivery, the heartbeat and pruning."""
        self.report(await self._round(model, planned))
        await self._after(planned)

    async def _round(self, model: str, planned: datetime) -> Happening:
        try:
            outcome = await self.canary.round(model, planned)
        except (StoreError, LogMovedError) as error:
            return Happening(model, planned, trouble=f"the store cannot be used: {error}")
        except Exception as error:  # noqa: BLE001  a fault of our own in one model must not end the others
            return Happening(
                model, planned, trouble=f"a fault of serinus itself: {type(error).__name__}: {error}"
            )
        return Happening(model, planned, outcome, outcome.trouble if outcome else "it was taken before")

    async def _after(self, planned: datetime) -> None:
        try:
            await self.courier.deliver()
            if self.pruned != planned.date():
                await asyncio.to_thread(self.canary.store.prune, self.canary.clock())
                self.pruned = planned.date()
        except StoreError:
            pass  # told with the round that met it; delivery and pruning are tried again after the next
        await self.beat()
