"""SQLite's side of a store: how its file is opened, made, copied and looked over.

One writer at a time, any number of readers beside it (write-ahead log). `synchronous=FULL`: a commit
is on the disk before it is answered, so that neither `kill -9` nor a power cut loses it (ADR 0006).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool, QueuePool, StaticPool

from serinus.service.store_errors import StoreError
from serinus.store.troubles import told

_PRAGMAS: Final = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",
    "PRAGMA cache_size = -16000",  # 16 MB: the last rounds of a large model stay in memory
    "PRAGMA journal_size_limit = 67108864",  # a burst's 64 MB of log are given back
)
_FEW_PAGES: Final = 2_000  # given back to the file system at once: 8 MB


def file_engine(path: Path, *, read_only: bool, patience: float) -> Engine:
    """Connections to a file that exists; `patience` is how many seconds one waits for a lock."""

    def connect() -> sqlite3.Connection:
        uri = _uri(path, _reading(path) if read_only else "mode=rw")
        connection: sqlite3.Connection = sqlite3.connect(uri, uri=True, timeout=patience, **_OURSELVES)
        return connection

    if read_only:  # connects anew for each look: how it may look changes when a writer comes or goes
        return _engine(connect, read_only=True, poolclass=NullPool)
    return _engine(connect, read_only=False, poolclass=QueuePool, max_overflow=-1)


def memory_engine() -> Engine:
    """A database in memory: one connection, gone when it is closed."""
    return _engine(lambda: sqlite3.connect(":memory:", **_OURSELVES), read_only=False, poolclass=StaticPool)


def make_file(path: Path, patience: float) -> None:
    """Make the file, with what can only be chosen before its first table."""
    with closing(sqlite3.connect(_uri(path, "mode=rwc"), uri=True, timeout=patience, **_OURSELVES)) as c:
        c.execute("PRAGMA auto_vacuum = INCREMENTAL")
        c.execute("PRAGMA journal_mode = WAL")


def write_ahead(engine: Engine, where: str) -> None:
    """Make sure that readers and the writer do not hold each other up, in a restored file too.

    Raises:
        StoreError: the file system cannot do it.
    """
    with told(where), engine.connect().execution_options(bare=True) as c:
        mode = c.exec_driver_sql("PRAGMA journal_mode = WAL").scalar()
    if mode != "wal":
        message = (
            f"The store {where} stands on a file system that cannot share memory between processes "
            f"(SQLite's journal mode stays {mode}), such as a network share. Put it on a local disk."
        )
        raise StoreError(message)


def copy(path: Path, target: Path) -> None:
    """Write a copy of the database as it is committed, whole or not at all."""
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    source = sqlite3.connect(_uri(path, "mode=ro"), uri=True)
    with closing(source), closing(sqlite3.connect(part)) as copied:
        source.backup(copied)
    with part.open("rb") as written:
        os.fsync(written.fileno())
    part.replace(target)


def may(path: Path, mode: int) -> bool:
    """Whether this user may use a file so; SQLite itself would open one for reading without a word."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def give_back(c: Connection) -> None:
    """Give some free pages back to the file system, if they are more than a tenth of the file."""
    free = int(c.exec_driver_sql("PRAGMA freelist_count").scalar_one())
    if free * 10 > int(c.exec_driver_sql("PRAGMA page_count").scalar_one()):
        raw: Any = c.connection.driver_connection
        for _ in range(min(free, _FEW_PAGES)):
            raw.execute("PRAGMA incremental_vacuum(1)")  # it frees a page a step, and Python steps once


def faults(c: Connection) -> Iterator[str]:
    """What is wrong with the file, a sentence each; it is read as a whole."""
    for (said,) in c.exec_driver_sql("PRAGMA quick_check(20)"):
        if said != "ok":
            yield f"The file is damaged: {said}."
    for row in c.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"A row of {row[0]} belongs to a row of {row[2]} that is not there."


# Our transactions begin where we say; threads take turns, since the pool lends a connection to one.
_OURSELVES: Final[dict[str, Any]] = {"isolation_level": None, "check_same_thread": False}


def _engine(creator: Any, *, read_only: bool, **pool: Any) -> Engine:
    engine = create_engine("sqlite://", creator=creator, **pool)

    @event.listens_for(engine, "connect")
    def _connect(connection: sqlite3.Connection, _record: Any) -> None:
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        if read_only:
            connection.execute("PRAGMA query_only = ON")

    @event.listens_for(engine, "begin")
    def _begin(c: Connection) -> None:
        wanted = c.get_execution_options()
        if not wanted.get("bare"):
            # Who will write takes the lock at once: who read first could be refused it later.
            c.exec_driver_sql("BEGIN IMMEDIATE" if wanted.get("write") else "BEGIN")

    return engine


def _reading(path: Path) -> str:
    """How a reader opens the file: as one that cannot change where nobody can be writing.

    That is where no log stands beside it and this user can make none: SQLite would refuse to read.
    """
    log = path.with_name(path.name + "-wal")
    return "mode=ro" if log.exists() or may(path.parent, os.W_OK) else "mode=ro&immutable=1"


def _uri(path: Path, parameters: str) -> str:
    return f"file:{quote(str(path))}?{parameters}"
