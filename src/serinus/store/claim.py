"""The canary's place: one process at a time takes rounds, whoever else reads or acts beside it.

The place is a lock that the operating system holds on a file beside the database, and lets go when
its process ends, however it ends: nothing has to be cleaned up after `kill -9`. The file itself says
who the last holder was, and stays: that it exists tells that a store was made here.
"""

from __future__ import annotations

import fcntl
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from serinus.service.store_errors import StoreBusyError, StoreMissingError, StoreReadOnlyError

_TRIES: Final = 10
_PAUSE: Final = 0.01  # seconds


class Place(Protocol):
    """What only one can have."""

    def take(self) -> None:
        """Take it, or go on having it. Raises StoreBusyError when another has it."""
        ...

    def leave(self) -> None:
        """Give it back, if it is had."""
        ...

    def holder(self) -> str | None:
        """Who has it."""
        ...


def beside(database: Path) -> Path:
    """The lock's file."""
    return database.with_name(database.name + ".claim")


def myself() -> str:
    """This process, as others are told of it."""
    return f"process {os.getpid()} on {socket.gethostname()}"


class FilePlace:
    """The place beside a database file; `where` names the store in messages."""

    def __init__(self, database: Path, where: str) -> None:
        self._database = database
        self._path = beside(database)
        self._where = where
        self._held: int | None = None
        self._file: tuple[int, int] | None = None  # which file the database was when the place was taken
        self._taking = threading.Lock()

    def take(self) -> None:
        """Take the place, or go on having it.

        Raises:
            StoreBusyError: another process, or another store in this one, has it.
            StoreReadOnlyError: the lock's file cannot be made or written.
            StoreMissingError: the database or the lock's file is not the one of before. An open file that
                was removed can be written still, and all of it is lost when its last reader ends.
        """
        with self._taking:
            if self._held is None:
                self._file, self._held = _identity(self._database), self._take()
            else:
                self._same_as_before(self._held)

    def _same_as_before(self, held: int) -> None:
        if _identity(self._database) != self._file:
            message = (
                f"The store {self._where} was removed or replaced while it was in use; what was written "
                "since may be lost. Put the right file there and start the canary again."
            )
            raise StoreMissingError(message)
        if _identity(self._path) != _identity(held):
            message = (
                f"{self._path} was removed or replaced while it was in use, so another process might take "
                f"rounds at the store {self._where} too. Start the canary again."
            )
            raise StoreMissingError(message)

    def leave(self) -> None:
        """Give the place back."""
        with self._taking:
            if self._held is not None:
                os.close(self._held)
                self._held = None

    def holder(self) -> str | None:
        """Who has the place now; None if nobody."""
        if self._held is not None:
            return myself()
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return _named(descriptor)
        finally:
            os.close(descriptor)
        return None

    def _take(self) -> int:
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            message = f"The store {self._where} cannot be claimed: {error}. Nothing was changed."
            raise StoreReadOnlyError(message) from error
        if not _locked(descriptor):
            named = _named(descriptor)
            os.close(descriptor)
            raise StoreBusyError(self._taken(named))
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{myself()}\n".encode(), 0)
        return descriptor

    def _taken(self, by: str) -> str:
        return (
            f"The canary's place at the store {self._where} is taken by {by}. "
            "Only one process takes rounds: stop that one first, or give this one a store of its own. "
            "Reading and operators' commands work beside it."
        )


class NoPlace:
    """The place of a store in memory: nobody else can reach it, and what runs here may ask who has it."""

    def __init__(self) -> None:
        self._had = False

    def take(self) -> None:
        """Have it: nobody else can."""
        self._had = True

    def leave(self) -> None:
        """Give it back; nobody waits for it."""
        self._had = False

    def holder(self) -> str | None:
        """This process, while it has it."""
        return myself() if self._had else None


@contextmanager
def taken(place: Place) -> Iterator[None]:
    """Have the place for a while.

    Raises:
        StoreBusyError: another has it.
    """
    place.take()
    try:
        yield
    finally:
        place.leave()


def _identity(file: Path | int) -> tuple[int, int] | None:
    """Which file it is, however it is called; None if there is none."""
    try:
        found = os.stat(file)  # noqa: PTH116  a path or a descriptor
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _locked(descriptor: int) -> bool:
    """Whether the lock was had, tried for a tenth of a second: `holder` borrows it for a moment."""
    for _ in range(_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            time.sleep(_PAUSE)
        else:
            return True
    return False


def _named(descriptor: int) -> str:
    said = os.pread(descriptor, 200, 0).decode("utf-8", "replace").strip()
    return said or "another process"  # it has not written its name yet
