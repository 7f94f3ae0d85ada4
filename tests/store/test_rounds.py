"""What any store promises of rounds and what they write."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from serinus.service.storage import ClosedRound, RoundState
from serinus.service.store_errors import LogMovedError, RoundNotOpenError
from store.rows import (
    CONTRACTS,
    HALF_HOUR,
    MODEL,
    OTHER,
    START,
    TAGS,
    closing,
    ended,
    finding,
    name_of,
    notice,
    seen_by,
    transcript,
)


def opened(store, at=START, model=MODEL):
    row = store.open_round(name_of(model, at), model, at)
    assert row is not None
    return row


def test_a_planned_round_is_taken_once(reopen):
    row = opened(reopen())
    assert row.state is RoundState.OPEN
    assert reopen().open_round(row.name, MODEL, START) is None
    store = reopen()
    store.close_round(closing(row, 0))
    assert store.open_round(row.name, MODEL, START) is None


def test_rounds_of_a_model_are_counted_from_zero(store):
    rows = [opened(store, START + n * HALF_HOUR) for n in range(3)]
    assert [row.index for row in rows] == [0, 1, 2]
    assert opened(store, model=OTHER).index == 0


def test_a_rounds_end_is_read_back_as_it_was_written(reopen):
    store = reopen()
    row = opened(store)
    closed = closing(row, 0, notices=[notice("one"), notice("two")])
    assert store.close_round(closed) == 1
    store = reopen()
    assert [(e.seq, e.at, e.kind, e.document) for e in store.log()] == [(1, *closed.entries[0])]
    assert store.findings(MODEL, since=START) == list(closed.findings)
    assert store.transcripts(MODEL, TAGS[0], since=START) == list(closed.transcripts)
    assert store.owed(MODEL) == closed.owed
    assert store.listing(MODEL) == closed.listing
    assert store.prompts(MODEL) == closed.prompts
    assert store.fold() == closed.fold
    assert store.last_round(MODEL) == closed.row
    assert [n for _, n in store.outbox("ops")] == list(closed.notices)
    assert store.check() == []


def test_a_round_decided_on_an_older_log_writes_nothing(store):
    row = opened(store)
    store.append(0, [(START, "lift", {"model": MODEL, "route": TAGS[0]})])
    before = seen_by(store)
    with pytest.raises(LogMovedError, match=r"ends at 1.*based on 0"):
        store.close_round(closing(row, 0, notices=[notice("lost")]))
    assert seen_by(store) == before
    assert store.close_round(closing(row, 1)) == 2


def test_a_round_without_entries_still_moves_with_the_log(store):
    row = opened(store)
    store.append(0, [(START, "lift", {})])
    with pytest.raises(LogMovedError):
        store.close_round(closing(row, 0, entries=[]))
    assert store.close_round(closing(row, 1, entries=[])) == 1


def test_a_round_ends_once(store):
    row = opened(store)
    store.close_round(closing(row, 0))
    with pytest.raises(RoundNotOpenError, match="is closed: nothing was written"):
        store.close_round(closing(row, 1))
    assert len(store.findings(MODEL, since=START)) == len(TAGS) * len(CONTRACTS)


def test_a_round_that_nobody_took_cannot_end(store):
    row = opened(store)
    with pytest.raises(RoundNotOpenError, match="was never taken"):
        store.close_round(closing(replace(row, name="another"), 0, findings=[], transcripts=[]))


def test_rounds_left_open_are_seen_and_abandoned(reopen):
    store = reopen()
    first, second = (opened(store, START + n * HALF_HOUR) for n in range(2))
    store = reopen()
    assert store.left_open() == [first, second]
    store.close_round(closing(second, 0))
    gone = replace(first, state=RoundState.ABANDONED, closed_at=START + 2 * HALF_HOUR)
    store.close_round(ClosedRound(gone, 1))
    assert store.left_open() == []
    states = [r.state for r in store.rounds(MODEL, since=START)]
    assert states == [RoundState.ABANDONED, RoundState.CLOSED]
    with pytest.raises(RoundNotOpenError, match="is abandoned"):
        store.close_round(closing(first, 1))


def test_the_last_round_goes_by_planned_instant_not_by_closing(store):
    early, late = opened(store, START), opened(store, START + HALF_HOUR)
    store.close_round(closing(late, 0))
    store.close_round(closing(early, 1))
    opened(store, START + 2 * HALF_HOUR)
    assert store.last_round(MODEL).name == late.name
    assert store.last_round(OTHER) is None


def test_an_instant_in_any_zone_is_the_same_instant(store):
    at = datetime(2026, 11, 30, 4, 30, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
    row = store.open_round("r", MODEL, at)
    assert row.at == at
    assert row.at.tzinfo is UTC
    assert [r.at for r in store.rounds(MODEL, since=at)] == [at]
    assert store.rounds(MODEL, since=at + timedelta(microseconds=1)) == []


def test_findings_are_asked_for_by_route_round_and_time(store):
    for n in range(3):
        store.close_round(closing(opened(store, START + n * HALF_HOUR), n))
    later = store.findings(MODEL, since=START + HALF_HOUR)
    assert len(later) == 2 * len(TAGS) * len(CONTRACTS)
    assert later == sorted(later, key=lambda f: f.at)
    of_tag = store.findings(MODEL, since=START, tag=TAGS[1])
    assert {f.tag for f in of_tag} == {TAGS[1]}
    of_round = store.findings(MODEL, since=START, round_name=name_of(MODEL, START))
    assert {f.at for f in of_round} == {START}
    assert store.findings(OTHER, since=START) == []


def test_transcripts_come_newest_first(store):
    row = opened(store)
    ats = [START + timedelta(seconds=n) for n in (3, 9, 6)]
    store.close_round(closing(row, 0, transcripts=[transcript(row, TAGS[0], at) for at in ats]))
    kept = store.transcripts(MODEL, TAGS[0], since=START + timedelta(seconds=4))
    assert [t.at for t in kept] == [ats[1], ats[2]]


def test_a_round_replaces_what_was_owed_and_listed(store):
    store.close_round(closing(opened(store), 0))
    row = opened(store, START + HALF_HOUR)
    store.close_round(closing(row, 1, owed={TAGS[2]: {"debts": []}}, listing=None))
    assert store.owed(MODEL) == {TAGS[2]: {"debts": []}}
    assert store.listing(MODEL) == {"offers": list(TAGS)}


def test_what_hosts_send_never_breaks_a_rounds_end(store):
    row = opened(store)
    nasty = "nul \0, half a pair \ud83d, a whole one \U0001f424, 'quotes' and \\ud83d"
    odd = finding(row, TAGS[0], "language", "fail", detail=nasty, evidence={nasty: [nasty, math.pi]})
    kept = replace(transcript(row, TAGS[0]), document={"text": nasty})
    store.close_round(closing(row, 0, findings=[odd], transcripts=[kept], notices=[notice(nasty)]))
    (read,) = store.findings(MODEL, since=START)
    assert read.evidence == odd.evidence
    assert "nul \\x00, half a pair \\ud83d, a whole one \U0001f424" in read.detail
    assert store.transcripts(MODEL, TAGS[0], since=START) == [kept]
    assert store.check() == []


def test_a_time_that_is_no_number_is_no_time(store):
    row = opened(store)
    odd = finding(row, TAGS[0], "first_token", first_text=math.nan)
    store.close_round(closing(row, 0, findings=[odd]))
    assert store.findings(MODEL, since=START)[0].first_text is None


def bad_ends(row):
    twice = [finding(row, TAGS[0], "language")] * 2
    stranger = finding(replace(row, name="another"), TAGS[0], "language")
    late = replace(finding(row, TAGS[0], "language"), at=START + timedelta(seconds=1))
    yield "two findings on alpha/fp8 for language", closing(row, 0, findings=twice)
    yield "brings a row of another", closing(row, 0, findings=[stranger])
    yield "a finding of .*02:00:01.*, not of .*02:00:00", closing(row, 0, findings=[late])
    yield "the cost of the round .* is nan", replace(closing(row, 0), row=ended(row, cost=math.nan))
    yield "the cost of the round .* is -1", replace(closing(row, 0), row=ended(row, cost=-1))
    yield "found 10{30} for the tokens", replace(closing(row, 0), row=ended(row, tokens=10**30))
    yield "a state and a time are needed", replace(closing(row, 0), row=row)
    naive = START.replace(tzinfo=None)
    yield "2026-11-30T02:00:00 without a zone", closing(row, 0, entries=[(naive, "counted", {})])
    yield "in a document; JSON values are allowed", closing(row, 0, entries=[(START, "x", {"a": START})])


def test_a_value_that_cannot_be_kept_is_named_and_nothing_is_written(store):
    row = opened(store)
    before = seen_by(store)
    for said, closed in bad_ends(row):
        with pytest.raises((ValueError, TypeError), match=said):
            store.close_round(closed)
        assert seen_by(store) == before
    store.close_round(closing(row, 0))


def test_money_is_summed_by_utc_day_in_rounds_and_outside_them(store):
    evening = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    for seen, at in enumerate((START, evening, evening + HALF_HOUR)):
        store.close_round(closing(opened(store, at), seen))
    store.spend("compare", evening, 0.5, tokens=100)
    assert store.spent(START.date()) == 1.0
    assert store.spent(START.date() + timedelta(days=1)) == 0.25
    assert store.spent(START.date() - timedelta(days=1)) == 0.0


def test_days_count_each_word_and_the_times_of_first_texts(store):
    words = ("pass", "fail", "pass", "transport")
    times = (0.05, 0.1, 0.7, None)
    for seen, (word, first) in enumerate(zip(words, times, strict=True)):
        row = opened(store, START + seen * HALF_HOUR)
        found = finding(row, TAGS[0], "first_token", word, first_text=first)
        store.close_round(closing(row, seen, findings=[found]))
    (day,) = store.daily(MODEL, since=START.date())
    assert (day.day, day.tag, day.contract) == (START.date(), TAGS[0], "first_token")
    assert day.words == {"pass": 2, "fail": 1, "transport": 1}
    assert day.first_text == ((0.1, 2), (0.745, 1))
    assert store.daily(MODEL, since=START.date() + timedelta(days=1)) == []
    assert store.daily(MODEL, since=START.date(), tag=TAGS[1]) == []


def test_a_first_text_later_than_any_bound_is_still_counted(store):
    row = opened(store)
    store.close_round(closing(row, 0, findings=[finding(row, TAGS[0], "first_token", first_text=61.0)]))
    assert store.daily(MODEL, since=START.date())[0].first_text == ((math.inf, 1),)


def test_transcripts_of_one_round_or_the_first_so_many(store):
    for n in range(3):
        at = START + n * HALF_HOUR
        row = store.open_round(name_of(MODEL, at), MODEL, at)
        store.close_round(closing(row, n))
    name = name_of(MODEL, START + HALF_HOUR)
    assert [t.round for t in store.transcripts(MODEL, TAGS[0], since=START, round_name=name)] == [name]
    assert len(store.transcripts(MODEL, TAGS[0], since=START, limit=2)) == 2
