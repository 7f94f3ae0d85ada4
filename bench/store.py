"""How fast the store is on three months of rounds: `python bench/store.py [--days 90] [--routes 20]`.

Writes every round through the port, as the canary does, then reads what the commands read. On a busy
machine read the processor's time, or give the bench precedence: `chrt -f 10 python bench/store.py`.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from serinus.service.planning import round_name
from serinus.service.storage import ClosedRound, FindingRow, RoundRow, RoundState, Store, TranscriptRow
from serinus.store import open_store

MODEL = "acme/story-70b"
START = datetime(2026, 9, 1, tzinfo=UTC)
CONTRACTS = ("filtering", "first_token", "language", "opening", "repetition", "structured_output")
MB = 1_000_000
T = TypeVar("T")


def main() -> None:
    """Write, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--routes", type=int, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "serinus.sqlite"
        written(path, asked.days, [f"host{n}/fp8" for n in range(asked.routes)])
        read(path, START + timedelta(days=asked.days))
    print(f"{'peak memory':<44}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:>10.0f} MB")


def written(path: Path, days: int, tags: list[str]) -> None:
    """Write the rounds."""
    store = open_store(path, create=True)
    seen, times, begun = 0, [], time.perf_counter()
    for n in range(days * 48):
        at = START + n * timedelta(minutes=30)
        row = store.open_round(round_name(MODEL, at), MODEL, at)
        if row is not None:
            closed = end_of(row, seen, tags)
            clock = time.perf_counter()
            seen = store.close_round(closed)
            times.append(time.perf_counter() - clock)
    took = time.perf_counter() - begun
    store.close()
    rows = len(times) * len(tags) * len(CONTRACTS)
    print(f"{days} days, {len(tags)} routes, {len(CONTRACTS)} contracts: {seen} entries, {rows} findings")
    print(f"{'written in':<44}{took:>10.1f} s     {rows / took:,.0f} findings/s")
    line("a round's end, median", statistics.median(times))
    line("a round's end, 99th percentile", sorted(times)[len(times) * 99 // 100])
    print(f"{'file':<44}{path.stat().st_size / MB:>10.1f} MB")


def end_of(row: RoundRow, seen: int, tags: list[str]) -> ClosedRound:
    """A round's end: an entry a route, a finding a route and contract, a transcript."""
    ended = replace(row, state=RoundState.CLOSED, closed_at=row.at, routes=len(tags), cost=0.004, tokens=9000)
    entries = [(row.at, "counted", entry(row, tag)) for tag in tags]
    findings = [finding(row, tag, contract, n) for n, tag in enumerate(tags) for contract in CONTRACTS]
    events = [
        {"at": n * 0.02, "data": f'{{"choices":[{{"delta":{{"content":"w{n} "}}}}]}}'} for n in range(150)
    ]
    kept = [TranscriptRow(row.name, row.at, MODEL, tags[0], "roleplay.pt.1", 0, True, {"events": events})]
    return ClosedRound(
        ended, seen, entries, findings, kept, owed={tags[0]: {"debts": []}}, listing={"offers": tags}
    )


def entry(row: RoundRow, tag: str) -> dict[str, object]:
    """An entry of some 200 bytes."""
    words = dict.fromkeys(CONTRACTS, "pass")
    return {"model": row.model, "route": tag, "at": row.at.isoformat(), "results": words, "streaks": {}}


def finding(row: RoundRow, tag: str, contract: str, n: int) -> FindingRow:
    """A finding; one in seven carries evidence."""
    evidence = {"spans": [[10, 25]], "share": 0.31, "limit": 0.15} if n % 7 == 0 else {}
    detail = "The answer is in the language that was asked for."
    return FindingRow(row.name, row.at, MODEL, tag, contract, "pass", "expected", detail, evidence, "pt", 0.8)


def read(path: Path, now: datetime) -> None:
    """Read as `status`, `explain`, `log` and a restart do."""
    day, month = now - timedelta(days=1), now - timedelta(days=30)
    timed("open and close", lambda: open_store(path).close())
    store = open_store(path)
    tag = "host3/fp8"
    entries = timed("the whole log, documents parsed", lambda: sum(1 for _ in store.log()))
    print(f"{'':<44}{entries[0] / entries[1]:>10,.0f} entries/s")
    timed("the log's last 100 entries", lambda: list(store.log(after=entries[0] - 100)))
    timed("last round", lambda: store.last_round(MODEL))
    timed("findings of 24 h, all routes", lambda: store.findings(MODEL, since=day))
    timed("findings of 24 h, one route", lambda: store.findings(MODEL, since=day, tag=tag))
    timed("findings of 30 days, one route", lambda: store.findings(MODEL, since=month, tag=tag))
    timed("findings of the last round", lambda: last_findings(store))
    timed("rounds of 90 days", lambda: store.rounds(MODEL, since=START))
    timed("days of 90 days, all routes", lambda: store.daily(MODEL, since=START.date()))
    timed("transcripts of 30 days, one route", lambda: store.transcripts(MODEL, "host0/fp8", since=month))
    timed("spent today", lambda: store.spent(day.date()))
    timed("outbox", lambda: store.outbox("ops"))
    timed("one operator's act", lambda: store.append(entries[0], []))
    timed("pruning one day more", lambda: store.prune(now + timedelta(days=1)), times=1)
    timed("pruning ten days more", lambda: store.prune(now + timedelta(days=11)), times=1)
    timed("checking the whole store", store.check, times=1)
    store.close()


def last_findings(store: Store) -> object:
    """What `status` shows."""
    row = store.last_round(MODEL)
    return row and store.findings(MODEL, since=row.at, round_name=row.name)


def timed(what: str, act: Callable[[], T], times: int = 5) -> tuple[T, float]:
    """What it gives, and the best of a few times in seconds."""
    clocks = []
    for _ in range(times):
        wall, processor = time.perf_counter(), time.process_time()
        given = act()
        clocks.append((time.perf_counter() - wall, time.process_time() - processor))
    wall, processor = (min(each) for each in zip(*clocks, strict=True))
    line(what, wall, processor)
    return given, wall


def line(what: str, wall: float, processor: float | None = None) -> None:
    """One line of the table: milliseconds by the clock, and of the processor (the rest was waiting)."""
    own = "" if processor is None else f"{processor * 1000:>10.1f} ms of processor"
    print(f"{what:<44}{wall * 1000:>10.1f} ms{own}")


if __name__ == "__main__":
    main()
