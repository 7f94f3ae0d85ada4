"""Stores to try the same claims on. A further kind of database is one more entry here."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from serinus.service.storage import Store
from serinus.store import open_store

Reopen = Callable[[], Store]


@pytest.fixture(params=["file", "memory"])
def reopen(request, tmp_path):
    """Opens the store anew each time it is called, after closing it; one in memory stays as it is."""
    opened = []

    def again() -> Store:
        if request.param == "memory":
            opened[:] = opened or [open_store("sqlite://")]
            return opened[0]
        for store in opened:
            store.close()
        opened[:] = [open_store(tmp_path / "serinus.sqlite", create=True)]
        return opened[0]

    yield again
    for store in opened:
        store.close()


@pytest.fixture
def store(reopen: Reopen) -> Store:
    return reopen()
