"""Probes that operators asked for: a few at once beside the server, their results held for a while."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import structlog

from serinus.judging.contract import Contract
from serinus.service.comparing.request import Hands
from serinus.service.probing import NoSuchRouteError, probe_now
from serinus.service.round_report import RouteReport
from serinus.web.bell import Bell
from serinus.web.problems import Problem

AT_ONCE: Final = 3
HELD: Final = 30  # results, the newest
BROKEN: Final = "The probe broke off; the server's log says why."

OpenHands = Callable[[str], AbstractAsyncContextManager[Hands]]


@dataclass(slots=True)
class Trial:
    """A probe of one route: `report` or `trouble` once it ended. `news` rings at each answer and the end."""

    number: int
    model: str
    tag: str
    contracts: Sequence[Contract]
    by: str
    at: datetime
    language: str | None = None
    answers: int = 0
    report: RouteReport | None = None
    trouble: str | None = None
    news: Bell = field(default_factory=Bell)

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.report is None and self.trouble is None


class Trials:
    """Holds them in memory: they feed no streak, and nothing of them is kept but what they cost."""

    def __init__(self, open_hands: OpenHands) -> None:
        self._open_hands = open_hands
        self._group: asyncio.TaskGroup | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._held: deque[Trial] = deque(maxlen=HELD)
        self._count = 0

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """While this lasts routes may be probed; at its end what runs is cut short."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            try:
                yield
            finally:
                self._group = None
                for task in self._tasks:
                    task.cancel()

    def get(self, number: int) -> Trial | None:
        """The probe of that number, while it is held."""
        return next((trial for trial in self._held if trial.number == number), None)

    def of_route(self, model: str, tag: str) -> list[Trial]:
        """The probes of a route that are held, the newest first."""
        return [t for t in reversed(self._held) if (t.model, t.tag) == (model, tag)]

    def begin(  # noqa: PLR0913, PLR0917  each is a part of what is asked
        self,
        model: str,
        tag: str,
        contracts: Sequence[Contract],
        by: str,
        at: datetime,
        language: str | None = None,
    ) -> Trial:
        """Begin to probe a route; it goes on when this returns.

        Raises:
            Problem: as many run already as may at once.
        """
        if self._group is None or len(self._tasks) >= AT_ONCE:
            raise Problem(409, "As many probes run as may at once; wait for one to end.", kind="busy")
        self._count += 1
        trial = Trial(self._count, model, tag, contracts, by, at, language)
        self._held.append(trial)
        task = self._group.create_task(self._run(trial))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return trial

    async def _run(self, trial: Trial) -> None:
        def watch(answered: object) -> None:
            del answered
            trial.answers += 1
            trial.news.ring()

        try:
            async with self._open_hands(trial.model) as hands:
                trial.report = await probe_now(
                    trial.model, trial.tag, trial.contracts, hands, language=trial.language, watch=watch
                )
        except asyncio.CancelledError:
            trial.trouble = "It was cut short: the server stopped."
            raise
        except (NoSuchRouteError, Problem) as error:
            trial.trouble = str(error)
        except Exception as error:  # noqa: BLE001  whoever asked is told, and the log; the server goes on
            trial.trouble = BROKEN
            structlog.get_logger().error("probe", model=trial.model, route=trial.tag, trouble=str(error))
        finally:
            trial.news.ring()
