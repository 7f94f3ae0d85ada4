"""`serinus run` on a store that cannot be used ends with a sentence and status 2, before it asks anybody."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cli.place import configured
from receiver import beside
from serinus.cli.run import run
from serinus.simulator.scenario_file import parse
from serinus.simulator.simulator import Simulator
from serinus.store import open_store

SCENARIO = """
[[model]]
id = "acme/story-70b"

[[host]]
tag = "alpha"

[[host]]
tag = "beta"
"""


@pytest.fixture(scope="module")
def simulator() -> Iterator[Simulator]:
    simulated = Simulator(parse(tomllib.loads(SCENARIO)))
    with beside(simulated):
        yield simulated


@pytest.fixture
def config(tmp_path: Path, simulator: Simulator) -> Path:
    """A configuration whose store was made by an earlier run."""
    open_store(tmp_path / "serinus.sqlite", create=True).close()
    return configured(tmp_path, simulator.base_url)


def newer(store: Path) -> None:
    with closing(sqlite3.connect(store)) as c, c:
        c.execute("UPDATE alembic_version SET version_num = '0042'")


def no_database(store: Path) -> None:
    store.write_bytes(b"\xa5" * 200 + store.read_bytes()[200:])


def damaged(store: Path) -> None:
    written = store.read_bytes()
    store.write_bytes(written[:4096] + b"\xa5" * (len(written) - 4096))


def gone(store: Path) -> None:
    store.unlink()


def a_directory(store: Path) -> None:
    store.unlink()
    store.mkdir()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (newer, "(schema 0042); this is serinus"),
        (no_database, "is no SQLite database, or its beginning is damaged"),
        (damaged, "is damaged. Stop the canary, keep the file for inspection, and put back a backup"),
        (gone, "is gone: serinus.sqlite.claim beside it tells that there was one"),
        (a_directory, "is a directory; name a file in it"),
    ],
    ids=lambda of: of.__name__ if callable(of) else "",
)
def test_a_run_on_a_store_that_cannot_be_used_says_why_and_asks_nobody(
    config: Path,
    simulator: Simulator,
    spoil: Callable[[Path], None],
    said: str,
    capsys: pytest.CaptureFixture[str],
):
    store = config.with_name("serinus.sqlite")
    spoil(store)
    before = store.read_bytes() if store.is_file() else None
    asked = simulator.ledger.requests
    assert run(config=config, rounds=1, yes=True) == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith(f"The store {store}")
    assert said in last
    assert simulator.ledger.requests == asked
    assert (store.read_bytes() if store.is_file() else None) == before


def test_a_second_run_beside_a_first_is_refused_by_the_name_of_the_first(
    config: Path, capsys: pytest.CaptureFixture[str]
):
    first = open_store(config.with_name("serinus.sqlite"))
    first.claim()
    assert run(config=config, rounds=1, yes=True) == 2
    assert f"is taken by {first.holder()}" in capsys.readouterr().err
    first.close()
