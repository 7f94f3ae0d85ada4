"""Opening a store: what is found there is named, made or brought up to date, never guessed."""

from __future__ import annotations

import os
from pathlib import Path

from sqlalchemy import Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from serinus.service.storage import Retention, Store
from serinus.service.store_errors import (
    StoreDamagedError,
    StoreError,
    StoreMissingError,
    StoreReadOnlyError,
    StoreVersionError,
)
from serinus.store import log, sqlite
from serinus.store.claim import FilePlace, NoPlace, Place, beside, taken
from serinus.store.schema import SCHEMA, Schema, Standing
from serinus.store.sql import SqlStore
from serinus.store.transactions import OnCall, Transactions
from serinus.store.troubles import told


def open_store(  # noqa: PLR0913  what an operator, a test and a migration may choose
    at: str | Path,
    *,
    create: bool = False,
    read_only: bool = False,
    retention: Retention | None = None,
    patience: float = 5.0,
    on_call: OnCall | None = None,
    schema: Schema = SCHEMA,
) -> Store:
    """Open the store at a URL (`sqlite:///serinus.sqlite`) or path; `sqlite://` is one in memory.

    `create` makes a new one where none ever was: without it, a mistyped path would look like a canary
    that never suspended anything. An older one is migrated in one transaction, after a copy was made
    beside it. `read_only` changes nothing and works while another process writes. `patience` is how
    many seconds a write waits for another process's. `on_call` hears each call (see `Transactions`).

    Raises:
        StoreError: of the kind that fits; the message says what was found, where, and what to do.
    """
    path = _path(at)
    keep = retention or Retention()
    if path is None:
        memory = Transactions(sqlite.memory_engine(), "in memory", on_call=on_call)
        with memory.write() as c:
            schema.upgrade(c)
        return SqlStore(memory, NoPlace(), sqlite, keep)
    where = str(path)
    with told(where):
        _found(path, create=create and not read_only, read_only=read_only, patience=patience)
        engine = sqlite.file_engine(path, read_only=read_only, patience=patience)
    place = FilePlace(path, where)
    transactions = Transactions(engine, where, read_only=read_only, on_call=on_call)
    try:
        _ready(transactions, place, path, schema, create=create)
    except BaseException:
        transactions.close()
        raise
    return SqlStore(transactions, place, sqlite, keep)


def _path(at: str | Path) -> Path | None:
    """The file's absolute path; None for a store in memory."""
    if isinstance(at, Path):
        return at.expanduser().absolute()
    try:
        url = make_url(at)
    except ArgumentError:
        message = f"The store's address {at!r} is no URL; sqlite:///PATH is allowed."
        raise StoreError(message) from None
    if url.get_backend_name() != "sqlite" or url.host or url.query:
        message = f"The store's address {url.render_as_string()} is not supported; sqlite:///PATH is allowed."
        raise StoreError(message)
    return None if url.database in {None, "", ":memory:"} else Path(str(url.database)).expanduser().absolute()


def _found(path: Path, *, create: bool, read_only: bool, patience: float) -> None:
    """See that a file is there, or make one where none ever was.

    Raises:
        StoreError: there is none, or not one that can be used as wanted.
    """
    try:
        size = path.stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        size = 0
    except OSError as error:
        message = f"The store {path} cannot be reached: {error.strerror}. Look at the permissions on its way."
        raise StoreError(message) from error
    if size == 0:
        _absent(path, create=create)
        _allowed(path.parent, read_only=False)
        sqlite.make_file(path, patience)
    elif path.is_dir():
        message = f"The store {path} is a directory; name a file in it."
        raise StoreError(message)
    _allowed(path, read_only=read_only)


def _absent(path: Path, *, create: bool) -> None:
    """Say why there is no store, unless one may be made.

    Raises:
        StoreMissingError: none may be made.
    """
    emptied = "is empty" if path.exists() else "is gone"
    if not path.parent.is_dir():
        message = (
            f"The store {path} is missing: there is no directory {path.parent}. Make it, or name another."
        )
    elif beside(path).exists():
        message = (
            f"The store {path} {emptied}: {beside(path).name} beside it tells that there was one. "
            f"Put it back from a backup. To begin anew and forget all suspensions, remove {beside(path)}."
        )
    elif not create:
        message = (
            f"The store {path} {'is empty' if path.exists() else 'does not exist'}. "
            "Name the right file; `serinus run` makes a new one."
        )
    else:
        return
    raise StoreMissingError(message)


def _allowed(path: Path, *, read_only: bool) -> None:
    """See that this user may use a file or directory as wanted.

    Raises:
        StoreError: it may not be read.
        StoreReadOnlyError: it may be read and not written.
    """
    if not sqlite.may(path, os.R_OK):
        message = f"{path} may not be read by this user (id {os.geteuid()}). Give the permission."
        raise StoreError(message)
    if not read_only and not sqlite.may(path, os.W_OK):
        message = f"{path} may not be written by this user (id {os.geteuid()}). Nothing was changed."
        raise StoreReadOnlyError(message)


def _ready(transactions: Transactions, place: Place, path: Path, schema: Schema, *, create: bool) -> None:
    """Bring the tables up to date, and see that the log is whole."""
    where = transactions.where
    if transactions.read_only:
        with transactions.read() as c:
            standing = schema.standing(c, where)
            if standing is not Standing.CURRENT:
                raise _not_yet(standing, where)
            _whole(log.broken(c), where)
        return
    with transactions.read() as c:
        standing = schema.standing(c, where)
    if standing is Standing.OLDER:
        with taken(place):
            _migrate(transactions, path, schema)
    elif standing is Standing.BLANK and not create:
        raise _not_yet(standing, where)
    elif standing is Standing.BLANK:
        _migrate(transactions, path, schema)
    sqlite.write_ahead(transactions.engine, where)
    beside(path).touch()
    with transactions.read() as c:
        _whole(log.broken(c), where)


def _migrate(transactions: Transactions, path: Path, schema: Schema) -> None:
    with transactions.write() as c:
        # Looked at again: another process may have been quicker.
        standing = schema.standing(c, transactions.where)
        if standing is Standing.OLDER:
            sqlite.copy(path, path.with_name(f"{path.name}.before-{schema.newest}"))
        if standing is not Standing.CURRENT:
            _upgrade(c, transactions.where, schema)


def _upgrade(c: Connection, where: str, schema: Schema) -> None:
    try:
        schema.upgrade(c)
    except DBAPIError:
        raise  # told in the store's own words by the transaction
    except Exception as error:
        message = (
            f"The store {where} could not be brought to schema {schema.newest}: {error}. "
            "Nothing was changed; this is a fault of the product. Go on with the release before."
        )
        raise StoreError(message) from error


def _not_yet(standing: Standing, where: str) -> StoreError:
    if standing is Standing.BLANK:
        return StoreMissingError(f"The store {where} was never finished; `serinus run` finishes it.")
    message = f"The store {where} was written by an older serinus; start `serinus run` once to migrate it."
    return StoreVersionError(message)


def _whole(fault: str | None, where: str) -> None:
    if fault is not None:
        message = f"The store {where} is damaged: {fault} Put back a backup."
        raise StoreDamagedError(message)
