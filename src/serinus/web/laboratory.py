"""Comparisons that run beside the server, one at a time: begun, watched and stopped by requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import structlog

from serinus.service.comparing.plan import Plan, plan
from serinus.service.comparing.request import ComparisonError, ComparisonRequest, Hands
from serinus.service.comparing.run import check_budget, hold
from serinus.service.comparing.tally import Progress
from serinus.web.bell import Bell
from serinus.web.problems import Problem
from serinus.web.trials import OpenHands, Trials

GRACE: Final = 5.0  # seconds that requests in flight have at a stop of the server
NO_GATEWAY: Final = (
    "Nothing can be asked from here: there is no key. `serinus run` with a key serves this too."
)


@dataclass(slots=True)
class Running:
    """A comparison that runs: how it stands, and how it is stopped. `news` rings at each answer."""

    name: str
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    news: Bell = field(default_factory=Bell)
    progress: Progress | None = None

    def told(self, progress: Progress) -> None:
        """One more answer came in."""
        self.progress = progress
        self.news.ring()


class Laboratory:
    """Holds comparisons. `open_hands` opens what they need for a model; None where nothing can be asked."""

    def __init__(self, open_hands: OpenHands | None = None) -> None:
        self._open_hands = open_hands
        self.trials = Trials(self._hands)
        self._group: asyncio.TaskGroup | None = None
        self._busy = False
        self._running: Running | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def able(self) -> bool:
        """Whether anything can be asked from here."""
        return self._open_hands is not None

    @property
    def running(self) -> Running | None:
        """The comparison that runs now."""
        return self._running

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """While this lasts comparisons may be held; at its end they stop, and what they measured is kept."""
        async with self.trials.opened(), asyncio.TaskGroup() as group:
            self._group = group
            try:
                yield
            finally:
                self._group = None
                await self._end()

    async def foresee(self, request: ComparisonRequest) -> Plan:
        """What a comparison would ask and cost; only the listing is asked for.

        Raises:
            Problem: it cannot be held so.
        """
        try:
            async with self._hands(request.model) as hands:
                return await plan(request, hands)
        except ComparisonError as error:
            raise _refused(error) from None

    async def begin(self, request: ComparisonRequest) -> Plan:
        """Begin a comparison; it goes on when this returns. `plan.name` is what it is called.

        Raises:
            Problem: it cannot be held so, may not be paid for, or another one runs.
        """
        if self._busy or self._group is None:
            message = "A comparison runs already; wait for its end, or stop it."
            raise Problem(409, message, kind="busy")
        self._busy = True
        planned: asyncio.Future[Plan] = asyncio.get_running_loop().create_future()
        self._task = self._group.create_task(self._hold(request, planned))
        try:
            return await asyncio.shield(planned)
        except ComparisonError as error:
            raise _refused(error) from None

    def stop(self, name: str) -> None:
        """End a comparison after the requests in flight; what was measured is kept.

        Raises:
            Problem: it does not run here.
        """
        if self._running is None or self._running.name != name:
            raise Problem(409, f"The comparison {name} does not run here.", kind="not_running")
        self._running.stop.set()

    async def _hold(self, request: ComparisonRequest, planned: asyncio.Future[Plan]) -> None:
        try:
            async with self._hands(request.model) as hands:
                found = await plan(request, hands)
                await check_budget(found, hands)
                running = Running(found.name)

                def begun(taken: Plan) -> None:
                    running.name = taken.name
                    self._running = running
                    planned.set_result(taken)

                await hold(found, hands, running.told, running.stop, begun)
        except Exception as error:  # noqa: BLE001  whoever asked is told, or the log; the server goes on
            if planned.done():
                structlog.get_logger().error("comparison", name=planned.result().name, trouble=str(error))
            else:
                planned.set_exception(error)
        finally:
            ended, self._running, self._busy = self._running, None, False
            if ended is not None:
                ended.news.ring()

    def _hands(self, model: str) -> AbstractAsyncContextManager[Hands]:
        if self._open_hands is None:
            raise Problem(409, NO_GATEWAY, kind="no_gateway")
        return self._open_hands(model)

    async def _end(self) -> None:
        """Stop what runs, and cut it short after `GRACE`."""
        if self._running is not None:
            self._running.stop.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=GRACE)
            self._task.cancel()


def _refused(error: ComparisonError) -> Problem:
    return Problem(409, f"{str(error).rstrip('.')}. Nothing was asked.", kind="comparison")
