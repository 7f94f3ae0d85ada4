"""One process at a time takes rounds; others read and act beside it; no death leaves it stuck."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from serinus.service.store_errors import StoreBusyError, StoreMissingError
from serinus.store import open_store
from store.rows import MODEL, OTHER, START, closing, name_of

TESTS = Path(__file__).parent.parent


@pytest.fixture
def path(tmp_path):
    return tmp_path / "serinus.sqlite"


@pytest.fixture
def holder(path):
    """Another process that has the canary's place; its id stands in its first line."""
    command = [sys.executable, "-m", "store.holder", str(path)]
    with subprocess.Popen(
        command, cwd=TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline().strip() == str(process.pid)
        yield process
        process.kill()


def test_a_second_canary_is_refused_by_the_name_of_the_first(path, holder):
    store = open_store(path)
    named = f"process {holder.pid} on {socket.gethostname()}"
    assert store.holder() == named
    for act in (store.claim, lambda: store.open_round("r", MODEL, START)):
        with pytest.raises(StoreBusyError, match=rf"is taken by {named}\. .*stop that one first"):
            act()
    assert store.rounds(MODEL, since=START) == []
    store.close()


def test_operators_act_and_read_beside_the_canary(path, holder):
    assert holder.poll() is None
    store, reader = open_store(path), open_store(path, read_only=True)
    store.append(0, [(START, "lift", {"model": MODEL})])
    store.mark(1, True, "ops", "seen", START)
    assert reader.marks() == {1: True}
    assert reader.holder() == store.holder() is not None
    for one in (store, reader):
        one.close()


def test_the_place_is_free_at_once_when_its_holder_is_killed(path, holder):
    store = open_store(path)
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert store.holder() is None
    store.claim()
    assert store.holder() == f"process {os.getpid()} on {socket.gethostname()}"
    store.close()


def test_the_place_is_free_when_its_holder_ends_in_order(path, holder):
    holder.stdin.close()
    assert holder.wait(timeout=30) == 0
    store = open_store(path)
    assert store.holder() is None
    store.claim()
    store.close()


def test_two_stores_in_one_process_share_no_place(path):
    first, second = open_store(path, create=True), open_store(path)
    first.claim()
    first.claim()
    with pytest.raises(StoreBusyError, match=f"process {os.getpid()}"):
        second.claim()
    first.close()
    second.claim()
    second.close()


def test_whoever_takes_a_round_has_the_place(path):
    first, second = open_store(path, create=True), open_store(path)
    row = first.open_round(name_of(MODEL, START), MODEL, START)
    with pytest.raises(StoreBusyError):
        second.open_round(name_of(OTHER, START), OTHER, START)
    first.close_round(closing(row, 0))
    first.close()
    second.close()


@pytest.mark.parametrize("act", ["removed", "replaced"])
def test_no_round_is_taken_at_a_store_that_went_away_in_use(path, act):
    store = open_store(path, create=True)
    assert store.open_round(name_of(MODEL, START), MODEL, START)
    path.rename(path.with_name("away.sqlite"))
    if act == "replaced":
        path.write_bytes(path.with_name("away.sqlite").read_bytes())
    later = START + timedelta(hours=1)
    with pytest.raises(StoreMissingError, match="was removed or replaced while it was in use"):
        store.open_round(name_of(MODEL, later), MODEL, later)
    store.close()


def test_no_round_is_taken_by_a_claim_whose_file_went_away(path):
    store = open_store(path, create=True)
    store.claim()
    path.with_name(path.name + ".claim").unlink()
    with pytest.raises(StoreMissingError, match="another process might take rounds"):
        store.claim()
    store.close()


def test_of_a_store_in_memory_this_process_knows_that_it_holds_the_rounds():
    store = open_store("sqlite://")
    assert store.holder() is None
    store.claim()
    assert store.holder() == f"process {os.getpid()} on {socket.gethostname()}"
    store.close()
    assert store.holder() is None
