"""What a round adds to its slowest host's own time.

    python bench/round_overhead.py [--rounds 5] [--hosts 12] [--slowest 6]

The simulated gateway runs in a process of its own; the judges' process is started before. The slowest
host, first or last in the listing, says its first word after `--slowest` seconds, the others after
half a second. A host's own time is from its first request's start to its last answer's end, its two
requests running side by side; the rest of the round's time is what the canary adds: discovering,
pacing, judging, deciding, writing. Exit status 1 if that is more than 10 % in the median.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from serinus.bootstrap.canary import open_canary, plans_of
from serinus.bootstrap.simulation import open_simulation
from serinus.engine.clock import now
from serinus.service.answers import Answered
from serinus.simulator.scenario import Host, Latency, Model, Scenario
from serinus.store import open_store

MODEL = Model("acme/story-70b", "Acme: Story 70B")
BAR = 0.10


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--hosts", type=int, default=12)
    parser.add_argument("--slowest", type=float, default=6.0)
    asked = parser.parse_args()
    print(f"{'slowest host':<16}{'round s':>9}{'its own s':>11}{'added ms':>10}{'added':>8}{'worst':>8}")
    bad = 0
    for place in ("first", "last"):
        rounds = asyncio.run(
            measured(scenario(asked.hosts, asked.slowest, last=place == "last"), asked.rounds)
        )
        shares = [whole / own - 1 for whole, own in rounds]
        whole, own = (statistics.median(each) for each in zip(*rounds, strict=True))
        share = statistics.median(shares)
        times = f"{whole:>9.3f}{own:>11.3f}{(whole - own) * 1000:>10.0f}"
        print(f"{place + ' in the list':<16}{times}{share:>8.1%}{max(shares):>8.1%}", flush=True)
        bad += share > BAR
    return 1 if bad else 0


def scenario(hosts: int, slowest: float, *, last: bool) -> Scenario:
    """Healthy hosts, one of which is slow."""
    slow = hosts - 1 if last else 0
    return Scenario(
        (MODEL,),
        tuple(
            Host(
                f"host{n:02}",
                f"Host {n}",
                f"host{n:02}",
                latency=Latency(slowest if n == slow else 0.5, 0.004, 0.0),
            )
            for n in range(hosts)
        ),
    )


class Watch:
    """When each host's last answer was there, as the canary's own clock had it."""

    def __init__(self) -> None:
        self.own: dict[str, float] = {}

    def answered(self, answered: Answered) -> None:
        """Remember the longest of a host's requests."""
        tag = answered.ask.offer.route.tag
        self.own[tag] = max(self.own.get(tag, 0.0), answered.transcript.ended or 0.0)


async def measured(played: Scenario, rounds: int) -> list[tuple[float, float]]:
    """Each round's seconds, and its slowest host's own."""
    found: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "serinus.sqlite", create=True)
        async with open_simulation(played) as (settings, key):
            watch = Watch()
            async with open_canary(settings, key, store, plans_of(settings), watch.answered) as canary:
                for _ in range(rounds + 1):
                    watch.own.clear()
                    begun = time.perf_counter()
                    await canary.round(MODEL.id, now())
                    found.append((time.perf_counter() - begun, max(watch.own.values())))
        store.close()
    return found[1:]  # in the first one connections and caches are made


if __name__ == "__main__":
    sys.exit(main())
