"""What keeps a list current: one thread over one source, whoever looks up and however."""

from __future__ import annotations

import os
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final

from serinus.core.published import Published, alike, document, etag_of
from serinus.traffic.client.kept import Copy, Kept
from serinus.traffic.client.source import Fetched, Source, instant
from serinus.traffic.client.telling import failed, log
from serinus.traffic.client.view import AT_ONCE, BLANK, NEVER, Known, View, view_of

NAME: Final = "serinus-exclusions"
POLL: Final = 25.0  # seconds a long poll may last: proxies between us and a canary give up after 30 or 60
BUSY: Final = 0.1  # seconds between two new lists: a source that changes without end is asked no faster
KEEP_EACH: Final = timedelta(minutes=10)  # so far is the age of a copy on disk behind
STEP: Final = timedelta(seconds=1)  # a larger step of the source's clock is taken in at once
TIMES: Final = 20  # how often a thread that is to end is interrupted
FIRST_BACKOFF: Final = 0.5  # seconds
LONGEST_BACKOFF: Final = 30.0


@dataclass(frozen=True, slots=True)
class Clocks:
    """Time and chance, as the machine has them or a test."""

    monotonic: Callable[[], float]
    wall: Callable[[], float]
    chance: Callable[[], float]  # from 0 to 1


@dataclass(eq=False, slots=True, weakref_slot=True)
class Refresher:
    """Asks a source without end and swaps the view whole.

    Nothing here raises into a lookup: what fails is told once in the log `serinus.client` and in `trouble`,
    and the last good list stays. `first` is in seconds.
    """

    source: Source
    kept: Kept | None
    clocks: Clocks
    max_age: timedelta
    first: float
    on_change: Callable[[Published], None] | None = None
    view: View = BLANK
    known: Known | None = None
    trouble: str | None = None
    _closed: bool = False
    _saved: Copy | None = None
    _lock: threading.RLock = field(init=False)
    _tried: threading.Event = field(init=False)
    _stop: threading.Event = field(init=False)
    _thread: threading.Thread | None = field(init=False)

    def __post_init__(self) -> None:
        self._renew()
        _ALIVE.add(self)

    def _renew(self) -> None:
        """What a process needs of its own."""
        self._lock = threading.RLock()
        self._tried = threading.Event()
        self._stop = threading.Event()
        self._thread = None

    def turned(self) -> View:
        """The view of this instant; starts what keeps it current, if nothing does yet.

        The first call of a process waits for the source, at most `first` seconds, and not at all where
        that would hold up an event loop.
        """
        if self.start() and not self._tried.is_set() and not _in_event_loop():
            self._tried.wait(self.first)
        with self._lock:
            return self._look()

    def start(self) -> bool:
        """Start the thread if none runs; whether one runs."""
        with self._lock:
            if self._closed or self._thread is not None:
                return not self._closed
            if self.known is None:
                self._load()
            self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
            try:
                self._thread.start()
            except RuntimeError as error:  # no thread is to be had: the last list stays, a later call tries
                self._thread = None
                self._away(error)
                return False
            return True

    def wait(self, seconds: float) -> bool:
        """Wait until the source was asked once; whether a list is known."""
        self._tried.wait(seconds)
        return self.known is not None

    def stop(self) -> None:
        """End the thread; lookups go on with the last list."""
        self._closed = True
        self._stop.set()
        self.source.interrupt()

    def join(self, seconds: float) -> None:
        """Wait for the thread to end; it may have begun to ask just as it was stopped."""
        thread = self._thread
        if thread is None or thread is threading.current_thread():
            return
        for _ in range(TIMES):
            thread.join(seconds / TIMES)
            if not thread.is_alive():
                return
            self.source.interrupt()

    def forked(self) -> None:
        """In a child process: the thread stayed with the parent, so that the next lookup starts one."""
        self._renew()
        self.source.let_go()
        self.view = replace(self.view, turns=AT_ONCE)

    def _look(self) -> View:
        if self.known is None:
            self.view = replace(BLANK, turns=NEVER if self._thread else AT_ONCE)
        else:
            self.view = view_of(self.known, self.clocks.monotonic(), self.max_age)
        return self.view

    def _load(self) -> None:
        """Begin with what was kept on disk: by our own clock, since nothing else is there yet."""
        self._saved = copy = self.kept.load() if self.kept else None
        if copy is not None:
            now = max(instant(self.clocks.wall()), copy.confirmed)
            tag = etag_of(document(copy.published))
            self.known = Known(copy.published, copy.confirmed, now, self.clocks.monotonic(), tag)

    def _run(self) -> None:
        failures = 0
        stop = self._stop
        while not stop.is_set():
            began = self.clocks.monotonic()
            try:
                fetched = self.source.fetch(self.known.tag if self.known else None, POLL)
                self._back()
                changed = self._take(fetched)
            except Exception as error:  # noqa: BLE001  whatever it is, the next request is served from the last list
                if stop.is_set():
                    break  # we hung up ourselves: the source did not fail
                failures += 1
                self._away(error)
                pause = min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** min(failures - 1, 10))
                pause *= 0.5 + self.clocks.chance() / 2  # many applications do not come back all at once
            else:
                failures = 0
                lasted = self.clocks.monotonic() - began
                pause = BUSY if changed else max(0.0, self.source.pause - lasted)
            self._tried.set()
            stop.wait(pause)
        self.source.let_go()

    def _take(self, fetched: Fetched) -> bool:
        """Take in what the source said; whether the list is another."""
        with self._lock:
            known, heard = self.known, self.clocks.monotonic()
            published = fetched.published
            if published is None:
                if known is None:
                    return False
                published = known.published
            confirmed = fetched.now if fetched.current else published.at
            new = Known(published, confirmed, fetched.now, heard, fetched.tag)
            jumped = known is None or abs(known.now(heard) - fetched.now) > STEP
            was_old = known is not None and known.age(heard) > self.max_age
            self.known = new
            changed = known is None or not alike(published, known.published)
            if changed or jumped or was_old:
                self._look()
        self._keep(Copy(published, confirmed))
        if changed:
            self._tell(published)
        return changed

    def _keep(self, copy: Copy) -> None:
        saved = self._saved
        if self.kept is None or (
            saved is not None
            and alike(saved.published, copy.published)
            and copy.confirmed - saved.confirmed < KEEP_EACH
        ):
            return
        self._saved = copy
        try:
            self.kept.keep(copy)
        except OSError as error:
            log("info", "the last list cannot be kept in %s: %s", self.kept.path, error)

    def _tell(self, published: Published) -> None:
        if self.on_change is not None:
            try:
                self.on_change(published)
            except Exception as error:  # noqa: BLE001  what the application does with it is its own affair
                failed("on_change failed", error)

    def _away(self, error: Exception) -> None:
        said = str(error) or type(error).__name__
        if said != self.trouble:
            stays = "the last list stays" if self.known else "there is no list yet, so nothing is excluded"
            log("warning", "%s; %s", said, stays)
        self.trouble = said

    def _back(self) -> None:
        if self.trouble is not None:
            log("info", "%s gives lists again", self.source.name)
        self.trouble = None


def _in_event_loop() -> bool:
    """Whether this thread runs an event loop; one that never imported asyncio does not."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is None:
        return False
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


_ALIVE: Final[weakref.WeakSet[Refresher]] = weakref.WeakSet()


def _forked() -> None:
    for refresher in list(_ALIVE):
        refresher.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
