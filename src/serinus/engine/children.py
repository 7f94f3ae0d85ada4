"""Processes of our own beside the event loop: Ctrl-C is not theirs to answer, and none outlives us."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes that are started inside it never see the SIGINT that a terminal sends to all of us.

    A child inherits the mask of signals, so it is deaf from its first instruction on; a handler of its
    own would come too late, and what it imports until then would die with a traceback.
    """
    resource_tracker.ensure_running()  # starting it would lift the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Called in a child: end it as soon as the process that started it is gone, even if by SIGKILL."""
    threading.Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
