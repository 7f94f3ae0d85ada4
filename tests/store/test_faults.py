"""Whatever call to the database fails, a write happened whole or not at all, and can be done again.

The way SQLite tests itself (https://www.sqlite.org/testing.html, "I/O error testing"): the n-th call
fails, for n = 1, 2, … until the operation gets through.
"""

from __future__ import annotations

import shutil
import sqlite3
from datetime import timedelta

import pytest

from serinus.service.store_errors import (
    LogMovedError,
    RoundNotOpenError,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreReadOnlyError,
)
from serinus.store import open_store
from serinus.store.troubles import trouble
from store.rows import HALF_HOUR, MODEL, OTHER, START, closing, dumped, name_of, notice

LATER = START + timedelta(days=200)  # all that can be forgotten is, by then


class Failing:
    """Fails the n-th call after it was armed; with `for_good`, each one after it too."""

    def __init__(self, for_good: bool = False):  # noqa: FBT001, FBT002  a test's parameter
        self.for_good = for_good
        self.left = None
        self.failed = 0

    def arm(self, n):
        self.left, self.failed = n, 0

    def disarm(self):
        self.left = None

    def __call__(self, statement):
        if self.left is None:
            return
        self.left -= 1
        if self.left == 0 or (self.left < 0 and self.for_good):
            self.failed += 1
            raise failure(statement)


def failure(where, name="SQLITE_IOERR_WRITE"):
    error = sqlite3.OperationalError(f"it broke at {where}")
    error.sqlite_errorname = name
    return error


def open_row(store):
    return store.left_open()[0]


ACTS = {
    "open_round": lambda s: s.open_round("r9", OTHER, START),
    "close_round": lambda s: s.close_round(closing(open_row(s), 2, notices=[notice("a"), notice("b")])),
    "append": lambda s: s.append(2, [(START, "lift", {}), (START, "mode", {})], [notice("c")]),
    "mark": lambda s: s.mark(1, False, "ops", "wrong", START),
    "delivered": lambda s: s.delivered("ops", [n for n, _ in s.outbox("ops")], START),
    "disable_channel": lambda s: s.disable_channel("ops", "gone", START),
    "spend": lambda s: s.spend("doctor", START, 0.5),
    "keep_fold": lambda s: s.keep_fold({"seq": 2, "state": {"now": None}}),
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Two rounds ended, one of them long enough to prune, and one open."""
    path = tmp_path_factory.mktemp("prepared") / "serinus.sqlite"
    store = open_store(path, create=True)
    for seen, model in enumerate((MODEL, OTHER)):
        row = store.open_round(name_of(model, START), model, START)
        store.close_round(closing(row, seen, notices=[notice(f"old {model}")]))
    store.open_round(name_of(MODEL, START + HALF_HOUR), MODEL, START + HALF_HOUR)
    store.close()
    return path


@pytest.fixture
def copied(prepared, tmp_path):
    """Gives a fresh copy of the prepared store each time it is called."""

    def fresh():
        path = tmp_path / "serinus.sqlite"
        for file in tmp_path.iterdir():
            file.unlink()
        return shutil.copy(prepared, path)

    return fresh


@pytest.mark.parametrize(
    ("act", "for_good"),
    [*((act, False) for act in ACTS.values()), (ACTS["close_round"], True)],
    ids=[*ACTS, "close_round for good"],
)
def test_a_write_that_fails_anywhere_happened_whole_or_not_at_all(copied, act, for_good):
    before, after = dumped(copied()), dumped_after(copied(), act)
    assert before != after
    failing, outcomes = Failing(for_good), set()
    for n in range(1, 200):
        path = copied()
        store = open_store(path, on_call=failing)
        failing.arm(n)
        refused = tried(store, act)
        failing.disarm()
        now = dumped(path)
        assert now in (before, after), f"half done after call {n} failed"
        assert refused or now == after
        outcomes.add(now == after)
        if now == before:
            act(store)  # the same store works on, as if nothing had been
        assert dumped(path) == after
        store.close()
        if not refused:
            break
    assert outcomes == {True, False}
    assert n > 3


def tried(store, act):
    """Whether it was refused, in the store's own words."""
    try:
        act(store)
    except StoreError as error:
        assert "failed to read or write its disk" in str(error)  # noqa: PT017  most calls get here
        return True
    return False


def dumped_after(path, act):
    store = open_store(path)
    act(store)
    store.close()
    return dumped(path)


def test_pruning_that_fails_anywhere_is_finished_by_the_next(copied):
    def prune(store):
        return store.prune(LATER)

    failing, after = Failing(), dumped_after(copied(), prune)
    for n in range(1, 200):
        path = copied()
        store = open_store(path, on_call=failing)
        failing.arm(n)
        refused = tried(store, prune)
        failing.disarm()
        prune(store)
        store.close()
        assert dumped(path) == after
        if not refused:
            break
    assert n > 10


def test_making_a_store_that_fails_anywhere_can_be_done_again(tmp_path):
    for n in range(1, 400):
        path = tmp_path / f"{n}.sqlite"
        failing = Failing()
        failing.arm(n)
        try:
            store = open_store(path, create=True, on_call=failing)
        except StoreError:
            store = open_store(path, create=True)
        failing.disarm()
        assert store.append(0, [(START, "tick", {})]) == 1
        store.close()
        if not failing.failed:
            break
    assert n > 40


def test_reading_that_fails_is_told_and_never_answered_with_nothing(copied):
    failing = Failing()
    store = open_store(copied(), on_call=failing)
    reads = [
        lambda: list(store.log()),
        lambda: store.last_round(MODEL),
        lambda: store.findings(MODEL, since=START),
        lambda: store.listing(MODEL),
        lambda: store.owed(MODEL),
        lambda: store.spent(START.date()),
        store.marks,
        lambda: store.outbox("ops"),
    ]
    for read in reads:
        failing.arm(2)  # the first call begins the transaction
        with pytest.raises(StoreError, match="failed to read or write its disk"):
            read()
        failing.disarm()
        assert read() is not None
    store.close()


def test_a_failed_write_keeps_neither_lock_nor_half_a_transaction(copied):
    failing = Failing(for_good=True)
    path = copied()
    first, second = open_store(path, on_call=failing), open_store(path, patience=0.05)
    failing.arm(4)
    with pytest.raises(StoreError):
        first.append(2, [(START, "lift", {})])
    assert second.append(2, [(START, "lift", {})]) == 3
    failing.disarm()
    with pytest.raises(LogMovedError):
        first.append(2, [(START, "lift", {})])
    first.close()
    second.close()


def test_a_round_whose_commit_was_answered_with_an_error_is_not_written_twice(copied):
    def lost_answer(statement):
        if statement == "COMMITTED" and armed:
            raise lost

    lost, armed = failure("the connection"), False
    store = open_store(copied(), on_call=lost_answer)
    closed = closing(open_row(store), 2)
    armed = True
    with pytest.raises(StoreError):
        store.close_round(closed)
    armed = False
    with pytest.raises(RoundNotOpenError):
        store.close_round(closed)
    assert len(list(store.log())) == 3
    store.close()


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("SQLITE_FULL", StoreReadOnlyError, "the disk is full. Nothing was changed"),
        ("SQLITE_READONLY_DBMOVED", StoreReadOnlyError, "may not be written by this user"),
        ("SQLITE_BUSY_SNAPSHOT", StoreBusyError, "locked by another process for too long"),
        ("SQLITE_CORRUPT_INDEX", StoreDamagedError, "put back a backup"),
        ("SQLITE_NOTADB", StoreDamagedError, "is no SQLite database"),
        ("SQLITE_CANTOPEN_ISDIR", StoreError, "cannot be opened"),
        ("SQLITE_IOERR_FSYNC", StoreError, "look at the disk's health and space"),
        ("SQLITE_CONSTRAINT_UNIQUE", StoreError, "contradicts what it holds"),
        ("SQLITE_NOMEM", StoreError, "failed: it broke"),
    ],
)
def test_each_kind_of_failure_names_the_store_and_what_to_do(name, kind, said):
    told = trouble(failure("COMMIT", name), "/data/serinus.sqlite")
    assert type(told) is kind
    assert str(told).startswith("The store /data/serinus.sqlite ")
    assert said in str(told)
    assert "it broke" in str(told)
