"""What any store promises of comparisons."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from serinus.service.comparisons import SILENT, ComparisonRow, ComparisonState, seen_at
from store.rows import MODEL, OTHER, START

ROW = ComparisonRow("one", START, "ana", MODEL, ComparisonState.RUNNING, 0.0, START, {"done": 0})


def test_a_name_is_taken_once(reopen):
    assert reopen().comparisons.begin(ROW)
    store = reopen()
    assert not store.comparisons.begin(replace(ROW, by="bob"))
    assert store.comparisons.get("one") == ROW
    assert store.comparisons.get("two") is None


def test_what_is_written_again_replaces_what_stood(reopen):
    reopen().comparisons.begin(ROW)
    later = START + timedelta(minutes=1)
    done = replace(ROW, state=ComparisonState.DONE, cost=0.25, touched=later, document={"done": 9})
    reopen().comparisons.keep(done)
    assert reopen().comparisons.get("one") == done


def test_the_newest_come_first_of_one_model_or_all(store):
    for n, model in enumerate((MODEL, OTHER, MODEL)):
        store.comparisons.begin(replace(ROW, name=f"c{n}", model=model, at=START + timedelta(hours=n)))
    assert [r.name for r in store.comparisons.latest()] == ["c2", "c1", "c0"]
    assert [r.name for r in store.comparisons.latest(MODEL)] == ["c2", "c0"]
    assert [r.name for r in store.comparisons.latest(limit=1)] == ["c2"]


def test_one_that_nobody_writes_any_more_has_failed(store):
    store.comparisons.begin(ROW)
    store.comparisons.begin(replace(ROW, name="fresh", touched=START + timedelta(minutes=10)))
    store.comparisons.begin(replace(ROW, name="done", state=ComparisonState.DONE))
    assert store.comparisons.fail_silent(START + timedelta(minutes=5)) == 1
    states = {r.name: r.state.value for r in store.comparisons.latest()}
    assert states == {"one": "failed", "fresh": "running", "done": "done"}


def test_a_reader_sees_the_same_without_writing():
    assert seen_at(ROW, START + SILENT).state is ComparisonState.RUNNING
    dead = seen_at(ROW, START + SILENT + timedelta(seconds=1))
    assert dead.state is ComparisonState.FAILED
