"""The route ledger's writer: rows are handed over without waiting, and written in batches by a thread."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Final

from serinus.service.ledger import KEPT, Ledger, Served
from serinus.service.store_errors import StoreError
from serinus.traffic.proxy.counters import LedgerCounters
from serinus.traffic.proxy.telling import Log

Open = Callable[[], AbstractContextManager[Ledger]]

BATCH: Final = 500  # rows
PAUSE: Final = 1.0  # seconds between two batches that are not full
ROOM: Final = 20_000  # rows that may wait: with 0.5 kB each, 10 MB
_PRUNE_EVERY: Final = 3600.0  # seconds
_PRUNED: Final = 10_000  # rows at once
_LAST_WAIT: Final = 5.0  # seconds that the end waits for the store


class Bookkeeper:
    """Writes served requests to the store, never in the way of traffic.

    The store may be away or busy: rows wait, up to `room`; what comes beyond is lost and counted. A
    batch that could not be written is tried again, so a row is either kept, waiting or lost.
    """

    def __init__(  # noqa: PLR0913  the last three are a test's to choose
        self,
        open_ledger: Open,
        now: Callable[[], datetime],
        log: Log,
        *,
        room: int = ROOM,
        batch: int = BATCH,
        pause: float = PAUSE,
    ) -> None:
        self._open = open_ledger
        self._now = now
        self._room = room
        self._batch = batch
        self._pause = pause
        self._rows: deque[Served] = deque()
        self._wake = threading.Event()
        self._stopping = False
        self._pruned_at = -_PRUNE_EVERY
        self._log = log
        self._thread = threading.Thread(target=self._run, name="route-ledger", daemon=True)
        self.counters = LedgerCounters()
        self.trouble: str | None = None

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def add(self, served: Served) -> None:
        """Hand a row over; it never waits and never raises."""
        if len(self._rows) >= self._room:
            self.counters.lost += 1
            return
        self._rows.append(served)
        self.counters.waiting = len(self._rows)
        if len(self._rows) >= self._batch:
            self._wake.set()

    def stop(self) -> None:
        """Write what waits, within a few seconds; what cannot be written is counted as lost."""
        self._stopping = True
        self._wake.set()
        self._thread.join(_LAST_WAIT)
        left = len(self._rows)
        if left:
            self.counters.lost += left  # at most: a batch may be on its way while the process ends
        if self.counters.lost:
            self._log.warning("ledger rows lost", rows=self.counters.lost, why=self.trouble or "too many")

    def _run(self) -> None:
        while not (self._stopping and not self._rows):
            try:
                with self._open() as ledger:
                    self._told(None)
                    self._serve(ledger)
            except (StoreError, OSError) as error:
                self.counters.failures += 1
                self._told(str(error))
                if self._stopping:
                    return
                self._wait()
            except Exception as error:  # noqa: BLE001  whatever a row did, the next ones are to be written
                self._drop(error)

    def _drop(self, error: Exception) -> None:
        """Give up a batch that fails by no fault of the store's, or it would be tried for ever."""
        self.counters.failures += 1
        for _ in range(min(self._batch, len(self._rows))):
            self._rows.popleft()
            self.counters.lost += 1
        self._told(f"a batch was given up: {type(error).__name__}")

    def _serve(self, ledger: Ledger) -> None:
        """Write until the end, or until the store fails."""
        while True:
            self._write(ledger)
            if self._stopping:
                return
            self._prune(ledger)
            self._wait()

    def _write(self, ledger: Ledger) -> None:
        while self._rows:
            rows = [self._rows[n] for n in range(min(self._batch, len(self._rows)))]
            ledger.keep(rows)
            for _ in rows:  # only now: a batch that failed is tried again
                self._rows.popleft()
            self.counters.kept += len(rows)
            self.counters.waiting = len(self._rows)

    def _prune(self, ledger: Ledger) -> None:
        if time.monotonic() - self._pruned_at < _PRUNE_EVERY:
            return
        before = self._now() - KEPT
        while gone := ledger.prune(before, limit=_PRUNED):
            self.counters.pruned += gone
        self._pruned_at = time.monotonic()

    def _wait(self) -> None:
        self._wake.wait(self._pause)
        self._wake.clear()

    def _told(self, trouble: str | None) -> None:
        """Say once that the store does not take rows, and once that it does again."""
        if trouble and trouble != self.trouble:
            self._log.warning("ledger not written", why=trouble, waiting=len(self._rows))
        elif self.trouble and not trouble:
            self._log.info("ledger written again", waiting=len(self._rows), lost=self.counters.lost)
        self.trouble = trouble
