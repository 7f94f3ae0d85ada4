"""The route ledger: what was served, counted for operators and forgotten after its time."""

from datetime import UTC, datetime, timedelta

from serinus.service.ledger import Served
from serinus.store import open_store

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
MODEL = "acme/story-70b"


def row(n=0, **facts):
    return Served(**{"at": AT + timedelta(seconds=n), "model": MODEL, "end": "done", "status": 200} | facts)


def ledger(*rows):
    kept = open_store("sqlite://").ledger
    kept.keep(rows)
    return kept


def test_what_is_kept_comes_back_whole_and_oldest_first():
    whole = row(2, tag="amber/fp8", provider="Amber", generation="gen-1", conversation="c", first_token=0.25)
    whole = row(2, **{n: getattr(whole, n) for n in ("tag", "provider", "generation", "conversation")})
    kept = ledger(whole, row(1))
    assert list(kept.between(MODEL, AT, AT + timedelta(hours=1))) == [row(1), whole]
    assert kept.of_generation("gen-1") == whole
    assert list(kept.of_conversation("c")) == [whole]
    assert kept.between("acme/other", AT, AT + timedelta(hours=1)) == []


def test_an_error_is_a_status_an_end_in_the_stream_or_no_answer_to_one_who_waited():
    rows = [
        *(row(provider="A", status=s) for s in (200, 404, 502)),
        row(provider="A", finish="error"),
        row(provider="A", status=None, end="refused"),
        row(provider="A", status=None, end="caller_left"),
        row(provider="A", end="caller_left", first_token=0.5),
        row(provider="A", end="reset", first_token=0.1),
    ]
    (found,) = ledger(*rows).traffic(MODEL, AT, AT + timedelta(hours=1))
    assert (found.provider, found.requests, found.errors, found.cut) == ("A", 8, 4, 1)
    assert found.first_token == [0.1, 0.5]


def test_pruning_goes_in_slices_and_takes_only_what_is_old():
    kept = ledger(*(row(n) for n in range(5)))
    assert kept.prune(AT + timedelta(seconds=4), limit=3) == 3
    assert kept.prune(AT + timedelta(seconds=4), limit=3) == 1
    assert [s.at for s in kept.between(None, AT, AT + timedelta(hours=1))] == [AT + timedelta(seconds=4)]
