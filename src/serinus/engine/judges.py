"""Judges beside the event loop, in processes of their own: a judge at work must not blur a clock.

Language analysis takes milliseconds of pure computation an answer. In a thread it would hold the
interpreter while other answers arrive, and their first-token times would be ours, not the host's.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from typing import Final

from serinus.core.model import Offer, Probe, Route
from serinus.core.transcript import Answer, Transcript
from serinus.engine.children import deaf_to_interrupts, end_with_parent
from serinus.judging.contract import Contract
from serinus.service.answers import Answered, judged
from serinus.service.planning import Ask

WORKERS: Final = 1  # at 10 ms an answer one process judges 100 answers a second


class JudgePool:
    """Judges answers in worker processes; if one dies, its answer is judged again by a new one."""

    def __init__(self, workers: int = WORKERS) -> None:
        self._workers = workers
        self._pool = self._fresh()
        self._warm: Future[Answered] | None = None

    def _fresh(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers, multiprocessing.get_context("spawn"), initializer=end_with_parent
        )

    def warm(self, contracts: Sequence[Contract]) -> None:
        """Begin to load what the judges need, in their processes; `ready` waits for it."""
        probe = Probe(key="warm", kind="roleplay", language="en")
        ask = Ask(Offer(Route("warm", "warm"), "warm", "warm"), probe, 0, "warm")
        answer = Answer(text="The lamp is lit. " * 12, finish_reason="stop")
        transcript = Transcript(probe, answer, status=200, timed=False)
        with deaf_to_interrupts():  # a worker is started where work is handed over
            self._warm = self._pool.submit(judged, ask, transcript, tuple(contracts))

    async def ready(self) -> None:
        """Wait until they are warm: a process that starts would take time from the first answers' clocks."""
        if self._warm is not None:
            await asyncio.wrap_future(self._warm)

    async def judge(self, ask: Ask, transcript: Transcript, contracts: Sequence[Contract]) -> Answered:
        """The answer with the verdict of every contract that reads it."""
        pool = self._pool
        try:
            return await _in(pool, ask, transcript, contracts)
        except BrokenProcessPool:
            if pool is self._pool:
                self._pool = self._fresh()
            return await _in(self._pool, ask, transcript, contracts)

    def close(self) -> None:
        """End the workers."""
        self._pool.shutdown(wait=True, cancel_futures=True)


async def _in(
    pool: ProcessPoolExecutor, ask: Ask, transcript: Transcript, contracts: Sequence[Contract]
) -> Answered:
    with deaf_to_interrupts():  # a worker is started where work is handed over
        result = asyncio.get_running_loop().run_in_executor(pool, judged, ask, transcript, tuple(contracts))
    return await result


@asynccontextmanager
async def judge_pool(contracts: Sequence[Contract], workers: int = WORKERS) -> AsyncIterator[JudgePool]:
    """A pool of judges that get warm; whoever measures waits until they are ready."""
    pool = JudgePool(workers)
    try:
        pool.warm(contracts)
        yield pool
    finally:
        await asyncio.to_thread(pool.close)
