"""What can be wrong with a store, each in one sentence: what was found, where, and what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError

from serinus.service.store_errors import StoreBusyError, StoreDamagedError, StoreError, StoreReadOnlyError

# By the beginning of SQLite's name of an error (https://www.sqlite.org/rescode.html), first match.
_KINDS: Final[tuple[tuple[str, type[StoreError], str], ...]] = (
    (
        "SQLITE_FULL",
        StoreReadOnlyError,
        "cannot be written: the disk is full. Nothing was changed; free some space and go on",
    ),
    (
        "SQLITE_READONLY",
        StoreReadOnlyError,
        "may not be written by this user: its file, directory or disk is read-only. Nothing was changed",
    ),
    (
        "SQLITE_PERM",
        StoreReadOnlyError,
        "cannot be written: the permission is missing. Nothing was changed; give it back",
    ),
    (
        "SQLITE_BUSY",
        StoreBusyError,
        "is locked by another process for too long. Nothing was changed; try again, or end that process",
    ),
    (
        "SQLITE_LOCKED",
        StoreBusyError,
        "is locked for too long. Nothing was changed; try again",
    ),
    (
        "SQLITE_CORRUPT",
        StoreDamagedError,
        "is damaged. Stop the canary, keep the file for inspection, and put back a backup",
    ),
    (
        "SQLITE_NOTADB",
        StoreDamagedError,
        "is no SQLite database, or its beginning is damaged. Name another file, or put back a backup",
    ),
    (
        "SQLITE_CANTOPEN",
        StoreError,
        "cannot be opened. Look whether its directory exists and this user may read and write in it",
    ),
    (
        "SQLITE_IOERR",
        StoreError,
        "failed to read or write its disk. The transaction was undone; look at the disk's health and space",
    ),
    (
        "SQLITE_CONSTRAINT",
        StoreError,
        "refused a row that contradicts what it holds. Nothing was changed; this is a fault of the product",
    ),
)


@contextmanager
def told(where: str) -> Iterator[None]:
    """Turn a database's error into a `StoreError` whose message names the store.

    Raises:
        StoreError: of the kind that fits; the database's own error is its cause.
    """
    try:
        yield
    except DBAPIError as error:
        raise trouble(error.orig or error, where) from error
    except sqlite3.Error as error:
        raise trouble(error, where) from error


def trouble(error: BaseException, where: str) -> StoreError:
    """The `StoreError` that tells of a database's error."""
    code = getattr(error, "sqlite_errorname", None) or ""
    said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    for beginning, kind, sentence in _KINDS:
        if code.startswith(beginning):
            return kind(f"The store {where} {sentence}. ({said})")
    if said.startswith("no such "):  # a table or column that its schema promises
        return StoreDamagedError(f"The store {where} is damaged: {said}. Put back a backup.")
    return StoreError(f"The store {where} failed: {said}.")
