"""Rows of a small made-up world, shared by the tests of the store."""

from __future__ import annotations

import sqlite3
from contextlib import closing as closed_after
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from serinus.service.storage import (
    ClosedRound,
    FindingRow,
    Notice,
    RoundRow,
    RoundState,
    TranscriptRow,
)

MODEL = "acme/story-70b"
OTHER = "acme/tale-8b"
START = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
TAGS = ("alpha/fp8", "beta", "gamma/turbo")
CONTRACTS = ("first_token", "language")


def name_of(model: str, at: datetime) -> str:
    return f"{model}@{at:%Y-%m-%dT%H:%MZ}"


def finding(row: RoundRow, tag: str, contract: str, word: str = "pass", **rest) -> FindingRow:
    return FindingRow(
        round=row.name,
        at=row.at,
        model=row.model,
        tag=tag,
        contract=contract,
        word=word,
        reason=rest.pop("reason", "fine"),
        detail=rest.pop("detail", ""),
        evidence=rest.pop("evidence", {}),
        **rest,
    )


def transcript(row: RoundRow, tag: str, at: datetime | None = None) -> TranscriptRow:
    events = {"events": [{"t": n, "data": "こんにちは"} for n in range(5)]}
    return TranscriptRow(row.name, at or row.at, row.model, tag, "roleplay.ja.1", 0, True, events)


def notice(key: str, at: datetime = START, resolves: str | None = None) -> Notice:
    return Notice(key, at, "suspended", MODEL, TAGS[0], f"Something about {key}.", resolves)


def ended(row: RoundRow, **rest) -> RoundRow:
    closed_at = row.at + timedelta(minutes=1)
    return replace(row, state=RoundState.CLOSED, closed_at=closed_at, routes=len(TAGS), **rest)


def closing(row: RoundRow, seen: int, **rest) -> ClosedRound:
    """A round's end as it usually is: one entry, a finding for each route and contract."""
    found = [finding(row, tag, contract, first_text=0.7) for tag in TAGS for contract in CONTRACTS]
    usual = {
        "entries": [(row.at, "counted", {"round": row.name, "model": row.model})],
        "findings": found,
        "transcripts": [transcript(row, TAGS[0])],
        "owed": {TAGS[0]: {"debts": [["language", "ja"]]}},
        "listing": {"offers": list(TAGS)},
        "prompts": {"roleplay.ja.inn": {"asked": 3}},
        "fold": {"seq": seen, "state": {}},
    }
    return ClosedRound(ended(row, cost=0.25, tokens=600), seen, **{**usual, **rest})


def seen_by(store) -> dict:
    """All that can be read from a store, as one value to compare; ids of notices left out."""
    models = (MODEL, OTHER)
    return {
        "log": list(store.log()),
        "log of one": list(store.log(after=1, model=MODEL)),
        "open": list(store.left_open()),
        "last": [store.last_round(m) for m in models],
        "rounds": [list(store.rounds(m, since=START)) for m in models],
        "findings": [list(store.findings(m, since=START - timedelta(days=400))) for m in models],
        "of one tag": list(store.findings(MODEL, since=START + HALF_HOUR, tag=TAGS[0])),
        "transcripts": [list(store.transcripts(m, t, since=START)) for m in models for t in TAGS],
        "owed": [dict(store.owed(m)) for m in models],
        "listing": [store.listing(m) for m in models],
        "prompts": [store.prompts(m) for m in models],
        "fold": store.fold(),
        "spent": [store.spent((START + timedelta(days=n)).date()) for n in range(3)],
        "marks": dict(store.marks()),
        "outbox": [[n for _, n in store.outbox(c)] for c in ("ops", "pager")],
        "disabled": dict(store.disabled_channels()),
    }


def dumped(path) -> dict[str, list]:
    """Every row of every table in a file, as another program sees it."""
    with closed_after(sqlite3.connect(path)) as c:
        assert c.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        tables = [name for (name,) in c.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: sorted(c.execute(f"SELECT * FROM {table}"), key=repr) for table in tables}  # noqa: S608  ours
