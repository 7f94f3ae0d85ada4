"""Notices from the outbox to the channels: at least once, grouped, none held up by another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from serinus.service.notice_kinds import ALL, Wants
from serinus.service.notices import channel_disabled
from serinus.service.ports import Channel, Clock, DeliveryError
from serinus.service.storage import Notice, Store

GROUP: Final = 50  # notices in one message; a storm becomes one message a pass, not hundreds
PATIENCE: Final = 20.0  # seconds a channel may take
# A channel that failed is left alone for so long, twice as long each time: a service that takes a message
# and answers too late would else be sent it again each minute.
FIRST_WAIT: Final = timedelta(minutes=1)
LONGEST_WAIT: Final = timedelta(hours=1)
NEWS: Final = timedelta(days=1)  # a channel that was never sent anything is spared what is older

# Who sends, and what is wrong with it; None: it works again. Told when it changes, not each time.
Tell = Callable[[str, str | None], None]


def unheard(what: str, trouble: str | None) -> None:
    """Tell nobody."""


@dataclass(slots=True)
class Courier:
    """Delivers what committed decisions left in the outbox.

    Delivery happens after the commit and beside the rounds. A channel that fails in passing is
    tried again after a while; one that fails for good is disabled, and the others are told by a
    notice. `wants` says which notices a channel is sent; one that is not named is sent all.
    """

    store: Store
    channels: Sequence[Channel]
    clock: Clock
    wants: Mapping[str, Wants] = field(default_factory=dict)
    tell: Tell = unheard
    failures: dict[str, str] = field(default_factory=dict)
    _waits: dict[str, tuple[datetime, timedelta]] = field(default_factory=dict)  # until when, how long
    _passing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def begin(self) -> None:
        """Say which channels are disabled, and spare new ones the news of months.

        Raises:
            StoreError: the store cannot be used.
        """
        disabled = await asyncio.to_thread(self.store.disabled_channels)
        for channel in self.channels:
            if channel.name in disabled:
                self._say(channel.name, _off(channel.name, disabled[channel.name]))
            elif not await asyncio.to_thread(self.store.deliveries, channel.name):
                await asyncio.to_thread(self._spare, channel.name)

    def _spare(self, name: str) -> None:
        eldest = self.clock() - NEWS
        while old := [i for i, notice in self.store.outbox(name, limit=1000) if notice.at < eldest]:
            self.store.delivered(name, old, self.clock())

    async def deliver(self) -> int:
        """One pass over all channels; how many notices were taken. Passes never overlap.

        Raises:
            StoreError: the store cannot be used; what was sent and not noted is sent again.
        """
        async with self._passing:
            disabled = await asyncio.to_thread(self.store.disabled_channels)
            ready = [c for c in self.channels if c.name not in disabled and not self._waiting(c.name)]
            ended = await asyncio.gather(*(self._pass(channel) for channel in ready), return_exceptions=True)
        taken = 0
        for end in ended:
            if isinstance(end, BaseException):
                raise end
            taken += end
        return taken

    def _waiting(self, name: str) -> bool:
        wait = self._waits.get(name)
        return wait is not None and self.clock() < wait[0]

    async def _pass(self, channel: Channel) -> int:
        pending = await asyncio.to_thread(self.store.outbox, channel.name, limit=GROUP)
        if not pending:
            return 0
        wants = self.wants.get(channel.name, ALL)
        group = folded([notice for _, notice in pending if wants.takes(notice)])
        error = await attempt(channel, group) if group else None
        if error is not None:
            await self._failed(channel.name, error)
            return 0
        if group:
            self._waits.pop(channel.name, None)
            self._say(channel.name, None)
        ids = [number for number, _ in pending]
        await asyncio.to_thread(self.store.delivered, channel.name, ids, self.clock())
        return len(pending)

    async def _failed(self, name: str, error: DeliveryError) -> None:
        why = str(error)
        if not error.permanent:
            _, before = self._waits.get(name, (None, FIRST_WAIT / 2))
            wait = min(before * 2, LONGEST_WAIT)
            self._waits[name] = (self.clock() + wait, wait)
            self._say(name, f"{why}; what it was not told is kept and sent later")
            return
        at = self.clock()
        await asyncio.to_thread(self.store.disable_channel, name, why, at, [channel_disabled(name, why, at)])
        self._say(name, _off(name, why))

    def _say(self, name: str, trouble: str | None) -> None:
        if trouble != self.failures.get(name):
            self.tell(f"channel {name}", trouble)
        if trouble is None:
            self.failures.pop(name, None)
        else:
            self.failures[name] = trouble


def _off(name: str, why: str) -> str:
    return f"{why}; it is disabled and sent nothing until `serinus notify enable {name}`"


async def attempt(
    channel: Channel, notices: Sequence[Notice], patience: float = PATIENCE
) -> DeliveryError | None:
    """Send a group once; None if the channel took it, else why not. Nothing else is ever raised."""
    try:
        async with asyncio.timeout(patience):
            await channel.send(notices)
    except DeliveryError as error:
        return error
    except TimeoutError:
        return DeliveryError(f"no answer within {patience:g} s", permanent=False)
    except Exception as error:  # noqa: BLE001  whatever a library does with a message, rounds go on
        kind = type(error).__name__  # its words might hold the channel's secret
        return DeliveryError(f"a fault of the channel's own: {kind}", permanent=False)
    return None


def folded(notices: Sequence[Notice]) -> list[Notice]:
    """The notices without what a later one of the same group repeats or resolves.

    A notice and its resolution in one group were both news to nobody: only the resolution is kept.
    """
    resolved = {n.resolves for n in notices if n.resolves}
    last = {n.key: n for n in notices}
    return [n for n in notices if last[n.key] is n and n.key not in resolved]
