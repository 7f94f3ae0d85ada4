"""A simulated gateway in a process of its own, so that its work does not blur its client's clock."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from multiprocessing.connection import Connection
from typing import Final

from serinus.engine.children import deaf_to_interrupts
from serinus.simulator.scenario import Scenario
from serinus.simulator.simulator import Simulator

_LEAVE: Final = 5.0  # seconds for the process to end by itself


@asynccontextmanager
async def simulator_apart(scenario: Scenario) -> AsyncIterator[str]:
    """The base URL of the simulated gateway; it ends with the block, or with this process.

    Raises:
        OSError: it could not start; the message says why.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(scenario, theirs), daemon=True)
    with deaf_to_interrupts():  # who stops it is the parent, by the pipe
        process.start()
    theirs.close()
    try:
        yield await asyncio.to_thread(_address, ours)
    finally:
        ours.close()
        await asyncio.to_thread(process.join, _LEAVE)
        if process.is_alive():
            process.kill()


def _address(ours: Connection) -> str:
    try:
        found: str | OSError = ours.recv()
    except EOFError:
        found = OSError("the simulated gateway ended before it could be asked")
    if isinstance(found, OSError):
        raise found
    return found


def _run(scenario: Scenario, theirs: Connection) -> None:
    asyncio.run(_serve(scenario, theirs))


async def _serve(scenario: Scenario, theirs: Connection) -> None:
    try:
        async with Simulator(scenario) as running:
            theirs.send(running.base_url)
            with suppress(EOFError, OSError):
                await asyncio.to_thread(theirs.recv)  # nothing ever comes: this waits for the end
    except OSError as error:
        theirs.send(error)
