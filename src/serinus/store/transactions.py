"""Transactions: many readers, one writer, and every failure told in the store's own words."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.pool import StaticPool

from serinus.service.store_errors import StoreError, StoreReadOnlyError
from serinus.store.troubles import told

OnCall = Callable[[str], None]
COMMITTED: Final = "COMMITTED"  # what `on_call` hears after a commit


class Transactions:
    """The way to a database. Safe for threads: writers wait for each other, readers for nobody.

    `where` names the store in messages. `on_call` hears every statement before it runs, `COMMIT` and
    `ROLLBACK` too, and `COMMITTED` when a write is durable; what it raises is as if the database did.
    """

    def __init__(
        self, engine: Engine, where: str, *, read_only: bool = False, on_call: OnCall | None = None
    ) -> None:
        self.engine = engine
        self.where = where
        self.read_only = read_only
        self._call = on_call or _silent
        self._writing = threading.Lock()
        # A database in memory is one connection, which even readers must take in turn.
        lone = isinstance(engine.pool, StaticPool)
        self._reading: AbstractContextManager[Any] = self._writing if lone else nullcontext()
        self._closed = False
        if on_call is not None:
            _listen(engine, on_call)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One consistent look.

        Raises:
            StoreError: it cannot be read.
        """
        self._check_open()
        with self._reading, told(self.where), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """All of it or nothing of it, durable once this ends.

        Raises:
            StoreReadOnlyError: it was opened for reading, or cannot be written.
            StoreError: anything else that is wrong with it.
        """
        self.check_writable()
        with self._writing, told(self.where):
            with self.engine.connect() as connection:
                writing = connection.execution_options(write=True)
                with writing.begin():
                    yield writing
            self._call(COMMITTED)

    def check_writable(self) -> None:
        """See that writing was wanted.

        Raises:
            StoreReadOnlyError: the store was opened for reading only.
        """
        self._check_open()
        if self.read_only:
            message = f"The store {self.where} was opened for reading only. Nothing was changed."
            raise StoreReadOnlyError(message)

    def close(self) -> None:
        """Let all connections go."""
        self._closed = True
        self.engine.dispose()

    def _check_open(self) -> None:
        if self._closed:
            message = f"The store {self.where} was closed before."
            raise StoreError(message)


def _listen(engine: Engine, on_call: OnCall) -> None:
    @event.listens_for(engine, "before_cursor_execute")
    def _statement(_c: Connection, _cursor: Any, statement: str, *_rest: Any) -> None:
        on_call(statement)

    @event.listens_for(engine, "commit")
    def _commit(_c: Connection) -> None:
        on_call("COMMIT")

    @event.listens_for(engine, "rollback")
    def _rollback(_c: Connection) -> None:
        on_call("ROLLBACK")


def _silent(statement: str) -> None:
    del statement
