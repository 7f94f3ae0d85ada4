"""A list in a file, and one straight from the canary's store."""

import os
from datetime import timedelta

import pytest

from cli.operated import suspended_beta
from serinus.core.exclusions import Layer
from serinus.core.listing import published
from serinus.core.policy import Exclude, Lift
from serinus.core.published import alike
from serinus.engine.clock import now
from serinus.service.memory import Memory
from serinus.service.operators import act
from serinus.traffic.client.file import FileSource
from serinus.traffic.client.source import LARGEST, SourceError, source_of
from serinus.traffic.client.store import ANEW, StoreSource
from traffic.client.lists import AT, DAY, MODEL, excluded, suspended, written


def wall():
    return AT.timestamp()


def test_a_file_is_read_when_it_changed_and_its_age_counts_from_when_it_was_written(tmp_path):
    path = tmp_path / "lists.json"
    path.write_bytes(written(suspended("birch"), at=AT - DAY))
    source = source_of(path, None, wall)
    first = source.fetch(None, 1)
    assert (first.published.of(MODEL).ignore, first.published.at) == (("birch",), AT - DAY)
    assert (first.now, first.current) == (AT, False)
    assert source.fetch(first.tag, 1).published is None
    path.with_suffix(".new").write_bytes(written(excluded("cedar")))
    path.with_suffix(".new").replace(path)
    assert source.fetch(first.tag, 1).published.of(MODEL).ignore == ("cedar",)


@pytest.mark.parametrize("found", [b"", b"{", b"{}", b"\xff", b"[" * 100_000, b" " * (LARGEST + 1)])
def test_a_file_without_a_list_is_told_with_its_name(tmp_path, found):
    path = tmp_path / "lists.json"
    path.write_bytes(found)
    with pytest.raises(SourceError, match=r"lists\.json"):
        FileSource(path, wall).fetch(None, 1)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(SourceError, match=r"lists\.json cannot be read: No such file"):
        FileSource(tmp_path / "lists.json", wall).fetch(None, 1)


@pytest.fixture
def canary(tmp_path):
    """Beta is suspended."""
    with suspended_beta(tmp_path) as canary:
        yield canary


def at(canary):
    return canary.at.timestamp()


def test_a_store_says_what_the_canary_says(canary, tmp_path):
    source = source_of(tmp_path / "serinus.sqlite", None, lambda: at(canary))
    found = source.fetch(None, 1)
    assert found.current
    assert found.published.of(MODEL).ignore == ("beta",)
    assert alike(found.published, published(canary.canary.memory.state, canary.at))
    assert source.fetch(found.tag, 1).published is None


def test_an_operators_act_is_seen_at_the_next_look(canary, tmp_path):
    source = StoreSource(tmp_path / "serinus.sqlite", lambda: at(canary))
    tag = source.fetch(None, 1).tag
    memory = Memory(canary.store)
    act(memory, canary.canary.policy, Lift(canary.at, MODEL, "beta", "anna", "it is well"))
    exclude = Exclude(
        canary.at, Layer.OPERATIONAL, "gamma", None, "anna", "slow", canary.at + timedelta(minutes=5)
    )
    act(memory, canary.canary.policy, exclude)
    found = source.fetch(tag, 1)
    assert found.published.of(MODEL).ignore == ("gamma",)
    assert found.published.of("any/other").ignore == ("gamma",)


def test_time_alone_changes_what_a_store_says(canary, tmp_path):
    times = [at(canary)]
    source = StoreSource(tmp_path / "serinus.sqlite", lambda: times[0])
    tag = source.fetch(None, 1).tag
    times[0] += 30 * 24 * 3600
    assert source.fetch(tag, 1).published.of(MODEL).ignore == ()
    assert ANEW < 60


def test_a_clock_that_was_set_back_does_not_bring_back_what_is_over(canary, tmp_path):
    source = StoreSource(tmp_path / "serinus.sqlite", lambda: at(canary) - 10 * 24 * 3600)
    found = source.fetch(None, 1)
    assert found.published.of(MODEL).ignore == ("beta",)
    assert found.published.at == canary.canary.memory.state.now


def test_a_store_is_read_behind_its_kept_fold(canary, tmp_path):
    Memory(canary.store).verify()
    canary.round("gamma"), canary.round("gamma")
    found = StoreSource(tmp_path / "serinus.sqlite", lambda: at(canary)).fetch(None, 1)
    assert alike(found.published, published(canary.canary.memory.state, canary.at))
    assert "gamma" in found.published.of(MODEL).ignore


@pytest.mark.usefixtures("canary")
def test_a_store_is_found_by_what_it_is_or_is_named(tmp_path):
    renamed = tmp_path / "elsewhere"
    renamed.symlink_to(tmp_path / "serinus.sqlite")
    assert isinstance(source_of(renamed, None, wall), StoreSource)
    assert isinstance(source_of(tmp_path / "none.sqlite", None, wall), StoreSource)
    assert isinstance(source_of(f"sqlite:///{tmp_path}/none", None, wall), StoreSource)
    assert isinstance(source_of(tmp_path / "none.json", None, wall), FileSource)


@pytest.mark.parametrize(
    "found", [b"", b"SQLite format 3\0", b"SQLite format 3\0" + os.urandom(5000), b"x" * 99]
)
def test_another_file_is_told_and_not_changed(tmp_path, found):
    path = tmp_path / "s.sqlite"
    path.write_bytes(found)
    with pytest.raises(SourceError, match=r"s\.sqlite cannot be read as a store of serinus"):
        StoreSource(path, wall).fetch(None, 1)
    assert path.read_bytes() == found


def test_a_missing_store_is_told_and_not_made(tmp_path):
    with pytest.raises(SourceError, match="cannot be read"):
        StoreSource(tmp_path / "s.sqlite", lambda: now().timestamp()).fetch(None, 1)
    assert list(tmp_path.iterdir()) == []
