"""Notices from the outbox to the channels: at least once, grouped, none held up by another."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from serinus.service.ports import Channel, Clock, DeliveryError
from serinus.service.storage import Notice, Store

GROUP: Final = 50  # notices in one message; a storm becomes one message a pass, not hundreds
PATIENCE: Final = 20.0  # seconds a channel may take


@dataclass(slots=True)
class Courier:
    """Delivers what committed decisions left in the outbox.

    Delivery happens after the commit and never inside a round. A channel that fails in passing is
    tried again at the next pass; one that fails for good is disabled, and the others are told.
    """

    store: Store
    channels: Sequence[Channel]
    clock: Clock
    failures: dict[str, str] = field(default_factory=dict)

    async def deliver(self) -> int:
        """One pass over all channels; how many notices were taken."""
        disabled = await asyncio.to_thread(self.store.disabled_channels)
        ready = [c for c in self.channels if c.name not in disabled]
        async with asyncio.TaskGroup() as group:
            passes = [group.create_task(self._pass(channel)) for channel in ready]
        return sum(p.result() for p in passes)

    async def _pass(self, channel: Channel) -> int:
        pending = await asyncio.to_thread(self.store.outbox, channel.name, limit=GROUP)
        if not pending:
            return 0
        try:
            async with asyncio.timeout(PATIENCE):
                await channel.send(folded([notice for _, notice in pending]))
        except (DeliveryError, TimeoutError) as error:
            await self._failed(channel, error)
            return 0
        self.failures.pop(channel.name, None)
        ids = [number for number, _ in pending]
        await asyncio.to_thread(self.store.delivered, channel.name, ids, self.clock())
        return len(pending)

    async def _failed(self, channel: Channel, error: Exception) -> None:
        why = str(error) or f"no answer within {PATIENCE:.0f} s"
        self.failures[channel.name] = why
        if isinstance(error, DeliveryError) and error.permanent:
            await asyncio.to_thread(self.store.disable_channel, channel.name, why, self.clock())


def folded(notices: Sequence[Notice]) -> list[Notice]:
    """The notices without what a later one of the same group repeats or resolves.

    A notice and its resolution in one group were both news to nobody: only the resolution is kept.
    """
    resolved = {n.resolves for n in notices if n.resolves}
    last = {n.key: n for n in notices}
    return [n for n in notices if last[n.key] is n and n.key not in resolved]
