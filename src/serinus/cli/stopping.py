"""How a command that goes on is stopped: by Ctrl-C or SIGTERM, gently; by a second one at once."""

from __future__ import annotations

import asyncio
import signal
import sys


def stopper(said: str) -> asyncio.Event:
    """Set by the first signal, which prints `said`; a second one cancels the task that called this."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def again_or_stop() -> None:
        if stop.is_set() and task is not None:
            task.cancel()
            return
        stop.set()
        sys.stderr.write(said)

    for wanted in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(wanted, again_or_stop)
    return stop
