"""The ledger's writer: never in the way, and every row kept, waiting or counted as lost."""

import threading
from contextlib import contextmanager
from datetime import UTC, datetime

from serinus.service.ledger import KEPT, Served
from serinus.service.store_errors import StoreError
from serinus.store import open_store
from serinus.traffic.proxy.bookkeeper import Bookkeeper
from serinus.traffic.proxy.telling import Quiet

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def row(n=0, at=NOW):
    return Served(at, "acme/story-70b", "done", generation=f"gen-{n}", status=200)


class Shelf:
    """A ledger that fails as often as it is told, and then takes rows."""

    def __init__(self, failures=0, error=StoreError):
        self.rows, self.failures, self.error = [], failures, error
        self.filled = threading.Event()
        self.wanted = 0

    def keep(self, served):
        if self.failures:
            self.failures -= 1
            raise self.error
        self.rows += served
        if len(self.rows) >= self.wanted:
            self.filled.set()

    def prune(self, before, *, limit):
        del before, limit
        return 0


def opener(ledger):
    @contextmanager
    def opened():
        yield ledger

    return opened


def books(ledger, **settings):
    return Bookkeeper(opener(ledger), lambda: NOW, Quiet(), pause=0.01, **settings)


def test_rows_are_kept_in_order_and_none_is_lost():
    shelf = Shelf()
    keeper = books(shelf, batch=7)
    keeper.start()
    for n in range(100):
        keeper.add(row(n))
    keeper.stop()
    assert [r.generation for r in shelf.rows] == [f"gen-{n}" for n in range(100)]
    assert (keeper.counters.kept, keeper.counters.waiting, keeper.counters.lost) == (100, 0, 0)


def test_a_store_that_is_away_for_a_while_costs_nothing():
    shelf = Shelf(failures=3)
    shelf.wanted = 5
    keeper = books(shelf)
    for n in range(5):
        keeper.add(row(n))
    keeper.start()
    assert shelf.filled.wait(10)
    keeper.stop()
    assert (keeper.counters.kept, keeper.counters.lost, keeper.counters.failures) == (5, 0, 3)


def test_what_finds_no_room_is_counted():
    keeper = books(Shelf(failures=10**9), room=10)
    for n in range(25):
        keeper.add(row(n))
    assert (keeper.counters.waiting, keeper.counters.lost) == (10, 15)
    keeper.start()
    keeper.stop()
    assert keeper.counters.kept + keeper.counters.lost == 25


def test_a_batch_that_no_store_would_take_is_given_up_and_the_next_is_written():
    shelf = Shelf(failures=1, error=OverflowError)
    keeper = books(shelf, batch=2)
    for n in range(4):
        keeper.add(row(n))
    keeper.start()
    keeper.stop()
    assert [r.generation for r in shelf.rows] == ["gen-2", "gen-3"]
    assert (keeper.counters.kept, keeper.counters.lost) == (2, 2)


def test_what_is_older_than_a_fortnight_is_pruned(tmp_path):
    path = tmp_path / "serinus.sqlite"
    store = open_store(path, create=True)
    store.ledger.keep([row(1, NOW - KEPT * 2), row(2, NOW)])
    keeper = books(store.ledger)
    keeper.start()
    keeper.add(row(3))
    while not keeper.counters.pruned:
        threading.Event().wait(0.01)
    keeper.stop()
    assert [s.generation for s in store.ledger.between(None, NOW - KEPT * 3, NOW + KEPT)] == [
        "gen-2",
        "gen-3",
    ]
    store.close()
