"""How late the loop that times first tokens is while the API is asked: idle, polled, and asked hard.

    python bench/api_lag.py [SECONDS]

A server over a store with a day of rounds (15 routes, 16 contracts), asked from another process. The lag is
that of `serinus.prober.lag.LagMeter`, sampled every 50 ms: what a probe in flight would be told. A probe
whose answer met a lag of more than 50 ms is not judged for its time.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from serinus.bootstrap.desk import desk_of
from serinus.bootstrap.front import Means
from serinus.bootstrap.web import serving
from serinus.config import Settings
from serinus.core.model import Offer, Route, Word
from serinus.engine.clock import now
from serinus.prober.lag import LagMeter
from serinus.service.documents import listing_document
from serinus.service.memory import Memory
from serinus.service.storage import ClosedRound, FindingRow, RoundState, Store
from serinus.store import open_store

MODEL: Final = "author/model"
LOADS: Final = (
    ("idle", 0, 0),
    ("200 long polls", 0, 200),
    ("1 asker", 1, 0),
    ("8 askers, 50 polls", 8, 50),
)
CLIENT: Final = """
import asyncio, sys, aiohttp, time
url, seconds, askers, pollers = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
async def main():
    until, count = time.monotonic() + seconds, 0
    async with aiohttp.ClientSession() as session:
        async def ask():
            nonlocal count
            while time.monotonic() < until:
                for path in ("v1/status", "v1/exclusions", "v1/decisions", "v1/routes/author/model"):
                    async with session.get(url + path) as response:
                        await response.read(); count += 1
        async def poll():
            tag = ""
            while time.monotonic() < until:
                wait = max(1, min(60, int(until - time.monotonic())))
                known = {"If-None-Match": tag}
                async with session.get(url + f"v1/exclusions?wait={wait}", headers=known) as r:
                    tag = r.headers["ETag"]; await r.read()
        await asyncio.gather(*(ask() for _ in range(askers)), *(poll() for _ in range(pollers)))
    print(round(count / seconds))
asyncio.run(main())
"""


def filled(store: Store) -> None:
    """A day of rounds, the last one now."""
    offers = tuple(Offer(Route(MODEL, f"host{r}/fp8"), f"host{r}", f"Host {r}") for r in range(15))
    listed = listing_document(offers)
    at = now().replace(second=0, microsecond=0) - timedelta(hours=24)
    for n in range(48):
        planned = at + n * timedelta(minutes=30)
        row = store.open_round(f"{MODEL}@{planned:%Y-%m-%dT%H:%MZ}", MODEL, planned)
        if row is None:
            continue
        found = [
            FindingRow(row.name, planned, MODEL, f"host{r}/fp8", f"contract{c}", Word.PASS, "fine", "", {})
            for r in range(15)
            for c in range(16)
        ]
        ended = replace(row, state=RoundState.CLOSED, closed_at=planned, routes=15, cost=0.01, tokens=900)
        store.close_round(ClosedRound(ended, 0, findings=found, listing=listed))


async def measured(url: str, seconds: float, askers: int, pollers: int) -> tuple[str, list[float]]:
    """Requests a second, and the lag of each stretch of 50 ms."""
    command = [sys.executable, "-c", CLIENT, url, str(seconds), str(askers), str(pollers)]
    client = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    meter, lags = LagMeter(), []
    with meter.watching():
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            since = time.monotonic()
            await asyncio.sleep(0.05)
            lags.append(meter.worst(since))
    out, _ = await client.communicate()
    return out.decode().strip(), sorted(lags)


async def run(seconds: float) -> None:
    """Measure each load and print a line."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.model_validate({"model": [{"id": MODEL}], "serve": {"port": 0}})
        store = open_store(Path(folder) / "serinus.sqlite", create=True)
        filled(store)
        desk = desk_of(settings, Memory(store), now)
        async with serving(settings, desk, Means()) as front:
            print(f"{'load':<24}{'req/s':>8}{'lag p50':>10}{'p95':>8}{'p99':>8}{'worst ms':>10}")
            for name, askers, pollers in LOADS:
                rate, lags = await measured(front.url or "", seconds, askers, pollers)
                p50, p95, p99, worst = (
                    1000 * lags[min(len(lags) - 1, int(q * len(lags)))] for q in (0.5, 0.95, 0.99, 1.0)
                )
                print(f"{name:<24}{rate:>8}{p50:>10.1f}{p95:>8.1f}{p99:>8.1f}{worst:>10.1f}", flush=True)
        store.close()


if __name__ == "__main__":
    asyncio.run(run(float(sys.argv[1]) if len(sys.argv) > 1 else 8.0))
