"""The last good list on disk."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.traffic.client.kept import Copy, Kept, put_atomically, usual_place
from serinus.traffic.client.source import LARGEST
from traffic.client.lists import AT, lists, suspended

COPY = Copy(lists(suspended("birch")), AT)


@pytest.fixture
def kept(tmp_path):
    return Kept(tmp_path / "deeper" / "list.json", "http://canary")


def test_what_was_kept_is_there_again(kept):
    kept.keep(COPY)
    assert kept.load() == COPY
    assert oct(kept.path.stat().st_mode & 0o777) == "0o600"
    assert [p.name for p in kept.path.parent.iterdir()] == ["list.json"]


def test_what_was_kept_of_another_source_is_not_believed(kept):
    kept.keep(COPY)
    assert Kept(kept.path, "http://other").load() is None


@pytest.mark.parametrize(
    "found",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"version": 1}', b"[" * 100_000, b" " * (LARGEST + 2)],
    ids=["empty", "torn", "list", "null", "bytes", "half", "deep", "oversized"],
)
def test_nothing_is_made_of_a_file_that_holds_none(kept, found):
    kept.path.parent.mkdir()
    kept.path.write_bytes(found)
    assert kept.load() is None


@given(st.data())
def test_a_torn_file_is_no_list(tmp_path_factory, data):
    kept = Kept(tmp_path_factory.mktemp("torn") / "list.json", "http://canary")
    kept.keep(COPY)
    whole = kept.path.read_bytes()
    kept.path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    assert kept.load() is None


@pytest.mark.parametrize("kept_said", [None, [], {"source": "http://canary"}, {"confirmed": 7}])
def test_a_copy_without_its_age_is_not_believed(kept, kept_said):
    kept.keep(COPY)
    said = json.loads(kept.path.read_bytes())
    kept.path.write_text(json.dumps({**said, "kept": kept_said}))
    assert kept.load() is None


def test_a_file_that_cannot_be_written_stands_as_it_was(tmp_path):
    target = tmp_path / "folder"
    target.mkdir()
    (target / "inside").touch()
    with pytest.raises(OSError, match="irectory") as refused:
        put_atomically(target, b"new")
    assert refused.value.filename == str(target)
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_the_usual_place_is_in_the_cache_folder(tmp_path):
    environ = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path / "home")}
    place = usual_place("http://canary", environ)
    assert place.parent == tmp_path / "serinus"
    assert place != usual_place("http://other", environ)
    at_home = tmp_path / "home" / ".cache" / "serinus"
    assert usual_place("http://canary", {**environ, "XDG_CACHE_HOME": "relative"}).parent == at_home
