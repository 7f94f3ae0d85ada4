"""What is found where a store should be is named, and nothing is made or emptied by accident."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from serinus.service.store_errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreMissingError,
    StoreReadOnlyError,
    StoreVersionError,
)
from serinus.store import open_store
from store.rows import MODEL, START, name_of, notice, seen_by
from store.rows import closing as round_end

NOBODY = 65534


@pytest.fixture
def path(tmp_path):
    return tmp_path / "serinus.sqlite"


@pytest.fixture
def made(path):
    """A store with one round in it, closed again."""
    store = open_store(path, create=True)
    row = store.open_round(name_of(MODEL, START), MODEL, START)
    store.close_round(round_end(row, 0, notices=[notice("one")]))
    store.close()
    return path


@pytest.fixture
def folder():
    """A directory that every user can reach: pytest's own are for their owner only."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)  # noqa: PTH101, S103  as is meant
        yield Path(name)


@contextmanager
def somebody_else():
    """Another user, if this one may become one; permissions mean nothing to root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_an_address_may_be_a_path_or_a_url(path):
    open_store(path, create=True).close()
    open_store(f"sqlite:///{path}").close()


def test_a_path_may_hold_any_character(tmp_path):
    odd = tmp_path / "a b?c#d%20é'.sqlite"
    open_store(odd, create=True).close()
    store = open_store(odd, read_only=True)
    assert store.check() == []
    store.close()
    assert odd in tmp_path.iterdir()


@pytest.mark.parametrize(
    "address", ["serinus.sqlite", "mysql://h/d", "sqlite:///a?mode=ro", "sqlite://host/a"]
)
def test_an_address_of_another_kind_is_refused_with_what_is_allowed(address):
    with pytest.raises(StoreError, match="sqlite:///PATH is allowed"):
        open_store(address)


def test_a_store_that_is_not_there_is_not_made_unasked(path):
    for read_only in (False, True):
        with pytest.raises(StoreMissingError, match=r"does not exist.*`serinus run` makes a new one"):
            open_store(path, read_only=read_only)
    with pytest.raises(StoreMissingError):
        open_store(path, read_only=True, create=True)
    assert not path.exists()


def test_a_missing_directory_is_named(tmp_path):
    with pytest.raises(StoreMissingError, match=r"no directory .*/data\. Make it"):
        open_store(tmp_path / "data" / "serinus.sqlite", create=True)


def test_a_directory_is_no_store(tmp_path):
    with pytest.raises(StoreError, match="is a directory"):
        open_store(tmp_path, create=True)


def test_a_store_that_is_gone_is_never_replaced_by_an_empty_one(made):
    made.unlink()
    with pytest.raises(StoreMissingError, match=r"is gone: serinus\.sqlite\.claim beside it tells.*backup"):
        open_store(made, create=True)
    made.touch()
    with pytest.raises(StoreMissingError, match="is empty"):
        open_store(made, create=True)


def test_an_empty_file_is_filled_only_when_asked(path):
    path.touch()
    with pytest.raises(StoreMissingError, match="is empty"):
        open_store(path)
    open_store(path, create=True).close()


def test_a_file_that_is_no_database_is_left_alone(path):
    text = "[policy]\nmode = 'observe'\n" * 500
    path.write_text(text)
    for read_only in (False, True):
        with pytest.raises(StoreDamagedError, match="is no SQLite database"):
            open_store(path, create=True, read_only=read_only)
    assert path.read_text() == text


def test_a_database_of_something_else_is_left_alone(path):
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE moz_places (id INTEGER)")
    with pytest.raises(StoreDamagedError, match="is no store of serinus: it holds moz_places"):
        open_store(path, create=True)


def test_a_store_of_a_newer_release_is_left_alone(made):
    with closing(sqlite3.connect(made)) as newer, newer:
        newer.execute("UPDATE alembic_version SET version_num = '0042'")
        newer.execute("UPDATE meta SET written_by = '9.1.0'")
    for read_only in (False, True):
        with pytest.raises(
            StoreVersionError, match=r"by serinus 9\.1\.0 \(schema 0042\).*Nothing was changed"
        ):
            open_store(made, read_only=read_only)


def test_a_store_whose_making_was_interrupted_is_finished(path):
    with closing(sqlite3.connect(path)) as begun:
        begun.execute("PRAGMA auto_vacuum = INCREMENTAL")
        begun.execute("PRAGMA journal_mode = WAL")
    assert path.stat().st_size > 0
    with pytest.raises(StoreMissingError, match="was never finished"):
        open_store(path, read_only=True)
    with pytest.raises(StoreMissingError, match="was never finished"):
        open_store(path)
    store = open_store(path, create=True)
    assert store.check() == []
    store.close()


def test_a_damaged_page_is_told_and_nothing_is_answered_in_its_place(path):
    store = open_store(path, create=True)
    store.append(0, [(START, "tick", {"n": n, "padding": "x" * 500}) for n in range(500)])
    store.close()
    pages = path.stat().st_size // 4096
    with path.open("r+b") as file:
        file.seek(pages // 2 * 4096)
        file.write(b"\xa5" * 4096 * 3)
    store = open_store(path)
    with pytest.raises(StoreDamagedError, match=r"is damaged\. Stop the canary.*put back a backup"):
        list(store.log())
    assert any("damaged" in said for said in store.check())
    store.close()


def test_a_file_cut_short_is_told(made):
    os.truncate(made, made.stat().st_size // 2 // 4096 * 4096)
    with pytest.raises(StoreDamagedError):
        open_store(made)


def test_a_log_that_lost_its_end_is_told_at_once(made):
    with closing(sqlite3.connect(made)) as torn, torn:
        torn.execute("DELETE FROM entry")
    with pytest.raises(StoreDamagedError, match="log ends with entry 0, but 1 were written"):
        open_store(made)


def test_an_entry_that_cannot_be_read_is_named(made):
    with closing(sqlite3.connect(made)) as torn, torn:
        torn.execute("UPDATE entry SET document = substr(document, 1, 5)")
    store = open_store(made)
    with pytest.raises(StoreDamagedError, match="Entry 1 cannot be read"):
        list(store.log())
    store.close()


def test_a_kept_fold_that_cannot_be_read_is_none(made):
    store = open_store(made)
    store.keep_fold({"seq": 1})
    with closing(sqlite3.connect(made)) as torn, torn:
        torn.execute("UPDATE standing SET document = substr(document, 1, 5) WHERE name = 'fold'")
    assert store.fold() is None
    with closing(sqlite3.connect(made)) as torn, torn:
        torn.execute("UPDATE standing SET document = '7' WHERE name = 'fold'")
    assert store.fold() is None
    store.close()


def test_a_check_tells_of_missing_entries_and_of_rows_without_their_round(made):
    store = open_store(made)
    store.append(1, [(START, "tick", {}), (START, "tick", {})])
    store.close()
    with closing(sqlite3.connect(made)) as torn, torn:
        torn.execute("DELETE FROM entry WHERE seq = 2")
        torn.execute("DELETE FROM round")
    store = open_store(made)
    said = store.check()
    store.close()
    assert "Its log has 2 entries up to number 3: some are missing." in said
    assert any(s.startswith("A row of finding belongs to a row of round") for s in said)


def test_a_reader_sees_what_the_canary_writes_meanwhile(made):
    writer, reader = open_store(made), open_store(made, read_only=True)
    writer.append(1, [(START, "tick", {})])
    assert len(list(reader.log())) == 2
    assert seen_by(reader) == seen_by(writer)
    for store in (reader, writer):
        store.close()


def test_a_reader_cannot_write(made):
    reader = open_store(made, read_only=True)
    for act in (lambda: reader.append(1, []), lambda: reader.prune(START), reader.claim):
        with pytest.raises(StoreReadOnlyError, match="opened for reading only"):
            act()
    reader.close()


def test_a_writer_that_waits_too_long_for_another_says_so(made):
    with closing(sqlite3.connect(made, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        store = open_store(made, patience=0.01)
        assert len(list(store.log())) == 1
        with pytest.raises(StoreBusyError, match="locked by another process for too long"):
            store.append(1, [(START, "tick", {})])
        other.execute("ROLLBACK")
        assert store.append(1, [(START, "tick", {})]) == 2
        store.close()


def test_a_file_that_may_not_be_written_is_told_and_can_be_read(folder):
    path = folder / "serinus.sqlite"
    store = open_store(path, create=True)
    store.append(0, [(START, "tick", {})])
    store.close()
    for file in folder.iterdir():
        file.chmod(0o444)
    with somebody_else():
        with pytest.raises(StoreReadOnlyError, match=r"may not be written by this user \(id \d+\)"):
            open_store(path)
        reader = open_store(path, read_only=True)
        assert len(list(reader.log())) == 1
        reader.close()


def test_a_file_that_may_not_be_read_is_told(folder):
    path = folder / "serinus.sqlite"
    open_store(path, create=True).close()
    path.chmod(0o200)
    with somebody_else(), pytest.raises(StoreError, match="may not be read by this user"):
        open_store(path, read_only=True)


def test_a_directory_that_may_not_be_entered_or_written_is_told(folder):
    closed, fixed = folder / "closed", folder / "fixed"
    closed.mkdir()
    fixed.mkdir(mode=0o555)
    with somebody_else(), pytest.raises(StoreReadOnlyError, match="fixed may not be written"):
        open_store(fixed / "serinus.sqlite", create=True)
    closed.chmod(0)
    with somebody_else(), pytest.raises(StoreError, match="cannot be reached: Permission denied"):
        open_store(closed / "serinus.sqlite", create=True)
    closed.chmod(0o700)
