"""Asking a plan: pinned, once each, at the configured pace, kept as it goes, and what was measured stays."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC
from typing import Final

from serinus.service.answers import Answered
from serinus.service.comparing.documents import document
from serinus.service.comparing.plan import Plan, plan
from serinus.service.comparing.price import cap, refusal
from serinus.service.comparing.request import ComparisonError, ComparisonRequest, Hands
from serinus.service.comparing.result import Comparison
from serinus.service.comparing.tally import Progress, Tally
from serinus.service.comparisons import SILENT, ComparisonRow, ComparisonState
from serinus.service.planning import Ask

WRITTEN_EVERY: Final = 10  # answers: so many may be missing from the store after a crash
STOPPED: Final = "it was stopped"
SPENT: Final = "its budget was used up"
REFUSED: Final = "the gateway refused our own key or account, which says nothing of any route"
BROKEN: Final = "it broke off"
_ATTEMPTS: Final = 100  # names tried

OnProgress = Callable[[Progress], None]


def unseen(progress: Progress) -> None:
    """Tell nobody."""
    del progress


OnBegun = Callable[[Plan], None]


def unnamed(begun: Plan) -> None:
    """Nobody waits for its name."""
    del begun


class BudgetError(ComparisonError):
    """The comparison costs more than may be spent; nothing was asked."""


async def compare(
    request: ComparisonRequest, hands: Hands, progress: OnProgress = unseen, stop: asyncio.Event | None = None
) -> Comparison:
    """Plan, see that it may be paid for, and hold it.

    Raises:
        ComparisonError: it cannot be held as it was asked for.
        BudgetError: it may not be paid for.
    """
    found = await plan(request, hands)
    await check_budget(found, hands)
    return await hold(found, hands, progress, stop)


async def check_budget(found: Plan, hands: Hands) -> None:
    """See that a plan may be paid for.

    Raises:
        BudgetError: it may not; the message says why.
    """
    spent = await asyncio.to_thread(hands.store.spent, found.at.astimezone(UTC).date())
    why = refusal(found.request, found.estimate.usd, spent, hands.budget)
    if why is not None:
        raise BudgetError(why)


async def hold(
    found: Plan,
    hands: Hands,
    progress: OnProgress = unseen,
    stop: asyncio.Event | None = None,
    begun: OnBegun = unnamed,
) -> Comparison:
    """Ask what was planned and conclude; `stop` ends it after the requests in flight.

    `begun` is told once it is kept, under the name that it got.

    What was measured is kept however it ends, cancelled too, and is then called partial.

    Raises:
        ComparisonError: its name is taken.
        StoreError: it cannot be kept.
    """
    taken = await asyncio.to_thread(_begin, found, hands)
    begun(taken)
    holding = _Holding(taken, hands, progress, stop or asyncio.Event())
    return await holding.run()


class _Holding:
    """One comparison while it runs. Counting is the loop's; only writing is a thread's."""

    def __init__(self, found: Plan, hands: Hands, progress: OnProgress, stop: asyncio.Event) -> None:
        self._plan = found
        self._hands = hands
        self._progress = progress
        self._stop = stop
        self._why: str | None = None
        self._cap = 0.0
        self._tally = Tally(found, hands.gateway.by_hand)
        self._waiting: set[asyncio.Task[None]] = set()
        self._handed = 0  # answers of which the store was told, or is about to be
        self._writing = threading.Lock()
        self._noted = (0.0, 0)  # US dollars and tokens that are written as spent
        self._closed = False

    async def run(self) -> Comparison:
        """Ask all of it, or until it is stopped."""
        spent = await asyncio.to_thread(self._hands.store.spent, self._plan.at.astimezone(UTC).date())
        self._cap = cap(self._plan.request, spent, self._hands.budget)
        state = ComparisonState.FAILED
        try:
            await self._hands.ready()
            await self._ask_all()
            whole = self._tally.done == len(self._plan.asks)
            state = ComparisonState.DONE if whole else ComparisonState.PARTIAL
        except asyncio.CancelledError:
            self._why, state = STOPPED, ComparisonState.PARTIAL
            raise
        except BaseException:
            self._why = BROKEN
            raise
        finally:
            ended = self._close(state)
        return ended

    async def _ask_all(self) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                stopper = group.create_task(self._stopped())
                self._waiting = {group.create_task(self._ask(ask)) for ask in self._plan.asks}
                await asyncio.gather(*self._waiting, return_exceptions=True)
                stopper.cancel()
        except ExceptionGroup as several:
            raise several.exceptions[0] from several

    async def _stopped(self) -> None:
        await self._stop.wait()
        self._end(STOPPED)

    def _end(self, why: str) -> None:
        """Make no further request; those in flight come to their end."""
        self._why = self._why or why
        for task in self._waiting:
            task.cancel()

    async def _ask(self, ask: Ask) -> None:
        hands, task = self._hands, asyncio.current_task()
        async with hands.pace.slot(ask.offer.provider):
            self._waiting -= {task} if task else set()
            transcript = await hands.gateway.ask(
                ask.offer, ask.probe, session=ask.session, limits=hands.limits
            )
        if ask.offer.route.tag in hands.controls:
            transcript = replace(transcript, control=True)
        await self._take(await hands.judges(ask, transcript, (self._plan.contract,)))

    async def _take(self, answered: Answered) -> None:
        self._progress(self._tally.take(answered, self._hands.clock()))
        if self._tally.cost >= self._cap and self._tally.cost > 0:
            self._end(SPENT)
        elif self._tally.only_own_faults:
            self._end(REFUSED)
        if self._tally.done - self._handed >= WRITTEN_EVERY:
            self._handed = self._tally.done
            await asyncio.to_thread(self._write, self._tally.comparison(ComparisonState.RUNNING))

    def _close(self, state: ComparisonState) -> Comparison:
        """Write its end, at once: whoever cancels does not wait for a thread."""
        found = self._tally.comparison(state, self._hands.clock(), self._why)
        self._write(found)
        return found

    def _write(self, found: Comparison) -> None:
        """Note what it cost since that was last noted, and how it stands unless its end was written.

        A write that was overtaken, or cancelled before it began, loses nothing: the next one notes it.
        """
        store, running = self._hands.store, found.state is ComparisonState.RUNNING
        with self._writing:
            cost, tokens = found.cost - self._noted[0], found.tokens - self._noted[1]
            if cost > 0 or tokens > 0:
                store.spend(
                    f"comparison {self._plan.name}", self._hands.clock(), max(0.0, cost), max(0, tokens)
                )
                self._noted = (found.cost, found.tokens)
            if not (running and self._closed):
                store.comparisons.keep(row_of(found, self._hands))
            self._closed = self._closed or not running


def _begin(found: Plan, hands: Hands) -> Plan:
    """Take the comparison's name; one that was made up gives way to the next that is free.

    Those that a process died in are called failed by the way.
    """
    hands.store.comparisons.fail_silent(hands.clock() - SILENT)
    for n in range(1, _ATTEMPTS):
        named = found if n == 1 else replace(found, name=f"{found.name}-{n}")
        started = Tally(named, hands.gateway.by_hand).comparison(ComparisonState.RUNNING)
        if hands.store.comparisons.begin(row_of(started, hands)):
            return named
        if found.request.name is not None:
            break
    message = f"name: there is a comparison {found.name} already; give another name"
    raise ComparisonError(message)


def row_of(found: Comparison, hands: Hands) -> ComparisonRow:
    """The comparison as the store keeps it."""
    asked = found.asked
    return ComparisonRow(
        name=asked.name,
        at=asked.at,
        by=asked.by,
        model=asked.model,
        state=found.state,
        cost=found.cost,
        touched=hands.clock(),
        document=document(found),
    )
