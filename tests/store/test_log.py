"""What any store promises of the log, of operators' opinions, and of notices."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from serinus.service.storage import Retention
from serinus.service.store_errors import LogMovedError, StoreError
from serinus.store import open_store
from store.rows import HALF_HOUR, MODEL, OTHER, START, TAGS, closing, name_of, notice, transcript


def entries(count, **document):
    return [(START + timedelta(seconds=n), "tick", {"n": n, **document}) for n in range(count)]


def keys(store, channel="ops"):
    return [n.key for _, n in store.outbox(channel)]


def test_entries_are_numbered_from_one_without_gaps(reopen):
    assert reopen().append(0, entries(3)) == 3
    assert reopen().append(3, entries(2)) == 5
    assert [e.seq for e in reopen().log()] == [1, 2, 3, 4, 5]


def test_a_long_log_is_read_whole_and_from_any_entry_on(store):
    store.append(0, entries(4_500))
    assert [e.document["n"] for e in store.log()] == list(range(4_500))
    assert [e.seq for e in store.log(after=4_498)] == [4_499, 4_500]
    assert list(store.log(after=4_500)) == []


def test_a_reader_of_the_log_holds_up_no_writer(store):
    store.append(0, entries(4_500))
    reading = store.log()
    next(reading)
    store.append(4_500, entries(1))
    assert sum(1 for _ in reading) == 4_500


def test_an_act_decided_on_an_older_log_writes_nothing(store):
    store.append(0, entries(2))
    with pytest.raises(LogMovedError, match=r"ends at 2.*based on 1"):
        store.append(1, entries(1), [notice("lost")])
    assert len(list(store.log())) == 2
    assert keys(store) == []


def test_the_log_of_a_model_holds_what_concerns_all_models(store):
    acts = [
        (START, "mode", {"model": None}),
        (START, "lift", {"model": MODEL}),
        (START, "lift", {"model": OTHER}),
    ]
    store.append(0, acts)
    assert [e.model for e in store.log()] == [None, MODEL, OTHER]
    assert [e.seq for e in store.log(model=MODEL)] == [1, 2]


def test_an_entry_without_a_model_of_its_own_has_that_of_its_round(store):
    row = store.open_round(name_of(MODEL, START), MODEL, START)
    told = [(START, "counted", {}), (START, "expired", {"model": OTHER}), (START, "tick", {"model": None})]
    store.close_round(closing(row, 0, entries=told))
    assert [e.model for e in store.log()] == [MODEL, OTHER, None]


def test_threads_that_append_at_once_lose_and_double_nothing(store):
    def act(who):
        for n in range(10):
            while True:
                seen = max((e.seq for e in store.log()), default=0)
                try:
                    store.append(seen, [(START, "act", {"who": who, "n": n})])
                    break
                except LogMovedError:
                    continue

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(act, range(4)))
    log = list(store.log())
    assert [e.seq for e in log] == list(range(1, 41))
    for who in range(4):
        assert [e.document["n"] for e in log if e.document["who"] == who] == list(range(10))


def test_the_newest_opinion_of_a_decision_counts_and_can_be_taken_back(store):
    store.append(0, entries(3))
    for seq, right in ((1, True), (2, False), (2, True), (3, True), (3, None)):
        store.mark(seq, right, "ops", "looked at it", START)
    assert store.marks() == {1: True, 2: True}


def test_an_opinion_needs_a_decision(store):
    with pytest.raises(LookupError, match="the log is empty"):
        store.mark(1, True, "ops", "", START)
    store.append(0, entries(3))
    with pytest.raises(LookupError, match="no entry 4: it goes from 1 to 3"):
        store.mark(4, True, "ops", "", START)


def test_each_channel_has_an_outbox_of_its_own(store):
    store.append(0, [], [notice("one"), notice("two"), notice("three")])
    first, second, _ = (number for number, _ in store.outbox("ops"))
    store.delivered("ops", [first, second], START)
    assert keys(store) == ["three"]
    assert keys(store, "pager") == ["one", "two", "three"]
    assert [n.key for _, n in store.outbox("pager", limit=2)] == ["one", "two"]


def test_taking_a_notice_twice_changes_nothing(store):
    store.append(0, [], [notice("one")])
    ((number, _),) = store.outbox("ops")
    store.delivered("ops", [number, number], START)
    store.delivered("ops", [number, 999], START)
    assert keys(store) == []
    assert keys(store, "pager") == ["one"]


def test_a_trouble_is_told_once_until_it_is_resolved_and_then_anew(store):
    over = notice("floor is back", resolves="floor")
    for news in (notice("floor"), notice("floor"), over, over, notice("floor"), notice("floor"), over):
        store.append(0, [], [news])
    assert keys(store) == ["floor", "floor is back", "floor", "floor is back"]


def test_repeats_in_one_transaction_are_told_once(store):
    store.append(0, [], [notice("one"), notice("one"), notice("two")])
    assert keys(store) == ["one", "two"]


def test_a_channel_is_disabled_with_its_latest_reason_and_enabled_again(reopen):
    store = reopen()
    store.disable_channel("ops", "410 Gone", START)
    store.disable_channel("ops", "404", START)
    assert reopen().disabled_channels() == {"ops": "404"}
    store = reopen()
    store.enable_channel("ops")
    store.enable_channel("never disabled")
    assert store.disabled_channels() == {}


def test_pruning_forgets_what_is_past_its_time_and_keeps_decisions(store):
    for seen in range(45):
        at = START + seen * timedelta(days=1)
        row = store.open_round(name_of(MODEL, at), MODEL, at)
        store.close_round(closing(row, seen, notices=[notice(f"n{seen}", at)]))
    store.mark(1, True, "ops", "", START)
    assert store.prune(START + timedelta(days=100)) == 10 * 6 + 45 + 10
    assert len({f.round for f in store.findings(MODEL, since=START)}) == 35
    assert store.transcripts(MODEL, TAGS[0], since=START) == []
    assert len(keys(store)) == 35
    assert len(list(store.log())) == 45
    assert len(store.rounds(MODEL, since=START)) == 45
    assert len(store.daily(MODEL, since=START.date())) == 45 * 6
    assert store.marks() == {1: True}
    assert store.prune(START + timedelta(days=100)) == 0
    assert store.check() == []


def test_what_is_exactly_as_old_as_its_retention_is_kept(store):
    row = store.open_round("r", MODEL, START)
    store.close_round(closing(row, 0, transcripts=[], notices=[]))
    assert store.prune(START + timedelta(days=90)) == 0
    assert store.prune(START + timedelta(days=90, microseconds=1)) == 6


def test_pruning_gives_the_space_back_to_the_file_system(tmp_path):
    path = tmp_path / "s.sqlite"
    store = open_store(path, create=True)
    row = store.open_round("r", MODEL, START)
    noise = [f"{n * 2_654_435_761 % 2**32:08x}" for n in range(20_000)]
    kept = [replace(transcript(row, tag), document={"events": noise}) for tag in TAGS]
    store.close_round(closing(row, 0, transcripts=kept))
    store.close()
    full = path.stat().st_size
    store = open_store(path)
    assert store.prune(START + timedelta(days=31)) == len(TAGS)
    assert store.check() == []
    store.close()
    assert path.stat().st_size < full / 2


def test_retention_is_the_operators_choice(tmp_path):
    hour = timedelta(hours=1)
    store = open_store(tmp_path / "s.sqlite", create=True, retention=Retention(hour, hour, hour))
    store.close_round(closing(store.open_round("r", MODEL, START), 0))
    assert store.prune(START + 2 * HALF_HOUR) == 0
    assert store.prune(START + 3 * HALF_HOUR) == 7
    store.close()


def test_a_closed_store_says_so(tmp_path):
    store = open_store(tmp_path / "s.sqlite", create=True)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="was closed before"):
        store.marks()
    with pytest.raises(StoreError, match="was closed before"):
        store.append(0, entries(1))


def test_the_log_can_be_read_by_kind(store):
    store.append(0, [(START, "tick", {"n": 0}), (START, "mode", {"n": 1}), (START, "lift", {"n": 2})])
    assert [e.seq for e in store.log(kinds={"mode", "lift"})] == [2, 3]
    assert [e.seq for e in store.log(after=2, kinds={"mode", "lift"})] == [3]


def test_the_newest_of_a_kind_come_first_and_page_back(store):
    written = [(START, kind, {"n": n}) for n, kind in enumerate(("counted", "decision") * 4)]
    store.append(0, written)
    newest = store.latest(kinds=("decision",), limit=2)
    assert [e.seq for e in newest] == [8, 6]
    assert [e.seq for e in store.latest(before=6, kinds=("decision",), limit=9)] == [4, 2]


def test_the_newest_of_a_model_are_those_of_all_models_too(store):
    store.append(
        0, [(START, "lift", {"model": MODEL}), (START, "lift", {"model": OTHER}), (START, "lift", {})]
    )
    assert [e.seq for e in store.latest(model=MODEL, kinds=("lift",), limit=9)] == [3, 1]
