"""A scripted day under logical time, written through the port: the same day each time it is lived.

Each entry carries a digest of the log before it, so that one lost or written twice shows in all that
follow. The day can be broken off anywhere and gone on with by another process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from serinus.service.storage import RoundRow, Store
from serinus.service.store_errors import LogMovedError, RoundNotOpenError
from serinus.store import open_store
from store.rows import CONTRACTS, HALF_HOUR, START, TAGS, closing, finding, name_of, notice

RESOLVES_EVERY = 7
OnCall = Callable[[str], None]


@dataclass(frozen=True)
class Day:
    """Where it is written, where its messages go, how many models have rounds and how many each."""

    store: Path
    sent: Path
    models: int = 2
    rounds: int = 48

    def plan(self):
        for n in range(self.rounds):
            for model in range(self.models):
                yield n, f"acme/model-{model}", START + n * HALF_HOUR


def live(day: Day, on_call: OnCall | None = None) -> int:
    """Live the day from wherever it was broken off; how many rounds were found half asked."""
    store = open_store(day.store, create=True, on_call=on_call)
    store.claim()
    resumed = store.left_open()
    for row in resumed:
        end(store, row)
    for n, model, at in day.plan():
        if n % 10 == 0:
            act(store, f"lift {n}", model, at)
        row = store.open_round(name_of(model, at), model, at)
        if row is not None:
            end(store, row)
            send(store, day.sent)
    send(store, day.sent)
    store.prune(START + timedelta(days=30, hours=6))
    store.close()
    return len(resumed)


def end(store: Store, row: RoundRow) -> None:
    """Decide on the log as it stands, and write the round's end."""
    with suppress(RoundNotOpenError):
        while True:
            with suppress(LogMovedError):
                seen, digest = read(store)
                store.close_round(decided(row, seen, digest))
                return


def decided(row: RoundRow, seen: int, digest: str):
    lot = hashlib.sha256(f"{row.name} {digest}".encode()).digest()
    entries = [(row.at, "counted", {"round": row.name, "after": digest})]
    notices = []
    if row.index % 3 == 0:
        entries.append((row.at, "suspended", {"model": row.model, "route": TAGS[lot[1] % 3]}))
        key = f"{row.model} {lot[1] % 3}"
        over = row.index % RESOLVES_EVERY == 0
        notices = [notice(f"{key} is back", row.at, key) if over else notice(key, row.at)]
    words = ("pass", "fail", "inconclusive", "transport")
    found = [
        finding(row, tag, c, words[lot[n] % 4], first_text=lot[n] / 100)
        for n, (tag, c) in enumerate((tag, c) for tag in TAGS for c in CONTRACTS)
    ]
    return closing(row, seen, entries=entries, notices=notices, findings=found)


def act(store: Store, name: str, model: str, at: datetime) -> None:
    """An operator's act that is to be in the log once."""
    while not any(e.document.get("act") == f"{name} {model}" for e in store.log()):
        seen, digest = read(store)
        with suppress(LogMovedError):
            store.append(seen, [(at, "lift", {"act": f"{name} {model}", "after": digest})])


def read(store: Store) -> tuple[int, str]:
    """The log's end, and a digest of all of it."""
    seen, digest = 0, hashlib.sha256()
    for entry in store.log():
        seen = entry.seq
        digest.update(repr((entry.seq, entry.at, entry.kind, sorted(entry.document.items()))).encode())
    return seen, digest.hexdigest()[:16]


def send(store: Store, sent: Path) -> None:
    """Deliver what the outbox holds: said first, noted afterwards (at an instant that tells nothing)."""
    pending = store.outbox("ops")
    if pending:
        with sent.open("a") as file:
            file.writelines(f"{number} {n.key}\n" for number, n in pending)
        store.delivered("ops", [number for number, _ in pending], START)
