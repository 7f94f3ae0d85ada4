"""An older store is copied and brought up to date in one step; the tables are what the code says."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from serinus.service.store_errors import StoreBusyError, StoreError, StoreVersionError
from serinus.store import open_store
from serinus.store.schema import SCHEMA, Schema
from serinus.store.sqlite import memory_engine
from serinus.store.tables import METADATA
from store.rows import MODEL, START, dumped, name_of, seen_by
from store.rows import closing as round_end

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "next"
down_revision = "{before}"


def upgrade() -> None:
    op.add_column("spending", sa.Column("currency", sa.Text(), nullable=False, server_default="USD"))
    op.execute("UPDATE round SET trouble = 'migrated'")
    {rest}
"""


@pytest.fixture
def older(tmp_path):
    """A store of today with a round in it: older than what `later` makes."""
    path = tmp_path / "serinus.sqlite"
    store = open_store(path, create=True)
    store.close_round(round_end(store.open_round(name_of(MODEL, START), MODEL, START), 0))
    store.close()
    return path


def later(tmp_path, rest="") -> Schema:
    """The schema of an imagined next release."""
    location = tmp_path / "100% later"
    copytree(SCHEMA.location, location, dirs_exist_ok=True)
    text = NEXT.format(before=SCHEMA.newest, rest=rest)
    (location / "versions" / "next.py").write_text(text)
    return Schema(location, (*SCHEMA.revisions, "next"))


def columns(path):
    with closing(sqlite3.connect(path)) as c:
        return [row[1] for row in c.execute("PRAGMA table_info(spending)")]


def test_the_migrations_make_the_tables_that_the_code_uses():
    engine = memory_engine()
    with engine.connect() as c:
        SCHEMA.upgrade(c)
        differences = compare_metadata(MigrationContext.configure(c), METADATA)
    engine.dispose()
    assert differences == []


def test_the_code_knows_every_migration_in_order():
    config = Config()
    config.set_main_option("script_location", str(SCHEMA.location))
    scripts = ScriptDirectory.from_config(config)
    revisions = [script.revision for script in scripts.walk_revisions()]
    assert tuple(reversed(revisions)) == SCHEMA.revisions
    assert all(Path(s.path).stem.startswith(f"v{s.revision}_") for s in scripts.walk_revisions())


def test_an_older_store_is_migrated_and_a_copy_of_it_kept(older, tmp_path):
    before = dumped(older)
    store = open_store(older, schema=later(tmp_path))
    assert "currency" in columns(older)
    assert [r.trouble for r in store.rounds(MODEL, since=START)] == ["migrated"]
    store.close()
    assert dumped(older.with_name("serinus.sqlite.before-next")) == before


def test_the_copy_can_be_put_back(older, tmp_path):
    open_store(older, schema=later(tmp_path)).close()
    older.with_name("serinus.sqlite.before-next").replace(older)
    store = open_store(older)
    assert seen_by(store)["log"]
    assert store.check() == []
    store.close()


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("raise ValueError('oh')", "could not be brought to schema next: oh. Nothing was changed"),
        ("op.execute('DROP TABLE gone')", "no such table: gone"),
    ],
)
def test_a_migration_that_fails_changes_nothing(older, tmp_path, rest, said):
    before = dumped(older)
    with pytest.raises(StoreError, match=said):
        open_store(older, schema=later(tmp_path, rest))
    assert dumped(older) == before
    open_store(older).close()


def test_an_older_store_is_not_migrated_under_a_running_canary(older, tmp_path):
    running = open_store(older)
    running.claim()
    with pytest.raises(StoreBusyError, match="is taken by process"):
        open_store(older, schema=later(tmp_path))
    assert "currency" not in columns(older)
    running.close()
    migrated = open_store(older, schema=later(tmp_path))
    migrated.claim()
    migrated.close()


def test_a_reader_does_not_migrate(older, tmp_path):
    with pytest.raises(StoreVersionError, match="by an older serinus; start `serinus run` once"):
        open_store(older, schema=later(tmp_path), read_only=True)
    assert "currency" not in columns(older)


def test_the_older_release_refuses_the_migrated_store(older, tmp_path):
    open_store(older, schema=later(tmp_path)).close()
    with pytest.raises(StoreVersionError, match=rf"schema next.*up to {SCHEMA.newest}.*backup that it made"):
        open_store(older)
