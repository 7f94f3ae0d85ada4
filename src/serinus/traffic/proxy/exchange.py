"""One request on its way: how long it may still take, who waits for whom, and who ended it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final, Protocol


class Waiting(StrEnum):
    """What an exchange waits for; when it takes too long, this is why it ends."""

    BODY = "body"  # the caller's request
    ANSWER = "answer"  # the gateway's first byte
    MORE = "more"  # the gateway's next byte
    CALLER = "caller"  # the caller's reading


class Connection(Protocol):
    """The caller's connection."""

    exchange: Exchange | None

    @property
    def full(self) -> bool:
        """Whether it has more to write than it should: then nothing more is read for it."""
        ...

    def pass_on(self, data: bytes) -> bool:
        """Write a piece of a chunked answer at once; False if the answer is not of that kind."""
        ...

    def abort(self) -> None:
        """Drop it, and what it has not taken."""
        ...


class Exchange:
    """A request between its arrival and its end.

    `due` is when its patience ends, on the loop's clock. Each chunk sets `moved`, which grants `patience`
    seconds from the next look on: cheaper than to reckon at each. `left` tells that the caller went,
    `overdue` what it waited for too long, `started` that an answer's head was written and `whole` that all
    of it was; `resumed` is called when the caller's connection is no longer full. Ending it cancels its
    task, which closes the way to the gateway: a generation that nobody reads is billed all the same.
    """

    __slots__ = (
        *("_task", "connection", "due", "held", "left", "moved", "overdue", "patience", "resumed"),
        *("started", "waiting", "whole"),
    )

    def __init__(self, connection: Connection | None, due: float) -> None:
        self._task = asyncio.current_task()
        self.connection = connection
        self.waiting = Waiting.BODY
        self.due = due
        self.held = 0
        self.left = False
        self.moved = False
        self.patience = 0.0
        self.started = False
        self.whole = False
        self.overdue: Waiting | None = None
        self.resumed: Callable[[], None] | None = None
        if connection is not None:
            connection.exchange = self

    def leave(self) -> None:
        """The caller's connection is gone."""
        if not self.left and not self.whole:
            self.left = True
            self._cancel()

    def check(self, now: float) -> None:
        """End it if its patience is over; whatever moved since the last look has patience anew."""
        if self.whole:
            return
        if self.moved:
            self.moved = False
            self.due = now + self.patience
        elif now >= self.due and self.overdue is None and not self.left:
            self.overdue = self.waiting
            self._cancel()

    def end(self) -> None:
        """Nothing may end it any more."""
        if self.connection is not None and self.connection.exchange is self:
            self.connection.exchange = None

    @property
    def was_ended(self) -> bool:
        """Whether its cancellation was this proxy's doing."""
        return self.left or self.overdue is not None

    def abort(self) -> None:
        """Drop the caller's connection at once."""
        if self.connection is not None:
            self.connection.abort()

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()


class Headed(Protocol):
    """A connection that may wait for a request's header section."""

    def check_head(self, now: float) -> None:
        """Drop it if that takes too long."""
        ...


SWEEP: Final = 0.5  # seconds: one timer for all, where a timer for each read would cost more than the read


async def sweep(exchanges: Iterable[Exchange], connections: Iterable[Headed]) -> None:
    """Look after everything that waits, until it is cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(SWEEP)
        now = loop.time()
        for exchange in tuple(exchanges):
            exchange.check(now)
        for connection in tuple(connections):
            connection.check_head(now)
