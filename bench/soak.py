"""Whether memory stays flat: `python bench/soak.py [--rounds 10000] [--each 1000]`.

Rounds half an hour apart under logical time over a store in a file: 208 days of them, with pruning,
messages to a channel and the state folded from the log, on a simulated gateway in this process. One
host goes wrong every few days, one flaps in the listing, healthy hosts err at 1 %. Memory grows with
the store until its page caches are full (16 MB a connection) or retention holds it (90 days, 4,320
rounds); objects of our own must not. Exit status 1 if it grew by a twentieth over the second half.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from serinus.contracts import by_name
from serinus.core.policy import Mode, Policy
from serinus.prober.pace import Pace
from serinus.service.canary import Canary
from serinus.service.courier import Courier
from serinus.service.duty import Duty, Happening
from serinus.service.planning import ModelPlan
from serinus.service.storage import Notice
from serinus.simulator.desk import Desk
from serinus.simulator.in_process import in_process
from serinus.simulator.ledger import Ledger
from serinus.simulator.scenario import FaultUse, Host, Latency, Model, Scenario, Window
from serinus.store import open_store

BEGAN = datetime(2026, 1, 5, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
MODEL = Model("acme/story-70b", "Acme: Story 70B")
CONTRACTS = ("first_token", "filtering", "structured_output")
BAR = 0.05
PAGE = os.sysconf("SC_PAGE_SIZE")


def main() -> int:
    """Soak and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--each", type=int, default=1_000)
    asked = parser.parse_args()
    print(f"{'rounds':>8}{'RSS MB':>9}{'objects':>10}{'store MB':>10}{'log':>8}{'told':>7}{'ms/round':>10}")
    with tempfile.TemporaryDirectory() as folder:
        memory = asyncio.run(soaked(Path(folder) / "serinus.sqlite", asked.rounds, asked.each))
    grown = memory[-1] / memory[(len(memory) - 1) // 2] - 1
    print(f"grown by {grown:+.1%} over the second half")
    return int(grown > BAR)


@dataclass
class Ear:
    """A channel that counts."""

    name: str = "ops"
    heard: int = 0

    async def send(self, notices: Sequence[Notice]) -> None:
        """Take all of them."""
        self.heard += len(notices)


def scenario() -> Scenario:
    """Three hosts in ordinary trouble for months."""
    spans = [(timedelta(days=n), timedelta(days=n, hours=6)) for n in range(3, 400, 5)]
    return Scenario(
        (MODEL,),
        (
            host("amber/fp8", FaultUse("json_fenced", rate=0.01)),
            host("birch", FaultUse("canned_refusal", rate=0.01), FaultUse("http_502", rate=0.02)),
            host("cobalt", FaultUse("listing_flap", rate=0.1)),
            host("dune", *(FaultUse("json_fenced", rate=0.95, window=Window(*span)) for span in spans)),
        ),
        seed=1,
    )


def host(tag: str, *faults: FaultUse) -> Host:
    """A host that speaks in few pieces."""
    provider = tag.partition("/")[0]
    return Host(tag, provider.title(), provider, latency=Latency(0.3, 0.004, 0.2), faults=faults)


async def soaked(path: Path, rounds: int, each: int) -> list[float]:
    """The memory after each so many rounds, in MB."""
    store = open_store(path, create=True)
    store.claim()
    gateway, prober = in_process(scenario(), BEGAN)
    canary = Canary(
        store=store,
        gateway=gateway,
        pace=Pace(starts_per_second=float("inf")),
        policy=Policy(mode=Mode.ENFORCE),
        plans={MODEL.id: ModelPlan(MODEL.id, ("en", "de"), tuple(map(by_name, CONTRACTS)))},
        clock=lambda: prober.now,
    )
    canary.take_over(lambda _model: prober.now)
    ear, last = Ear(), []

    def report(happening: Happening) -> None:
        last[:] = [happening]

    duty = Duty(canary, Courier(store, (ear,), lambda: prober.now), report)
    memory: list[float] = []
    begun = time.perf_counter()
    for done in range(1, rounds + 1):
        await duty.round(MODEL.id, prober.now)
        if last[0].outcome is None:
            sys.exit(f"round {done}: {last[0].trouble}")
        await duty.aftercare()
        prober.advance(HALF_HOUR)
        if done % 100 == 0:
            # What the simulated gateway remembers is not ours.
            prober.desk = Desk(prober.desk.gateway, Ledger(1.5))
        if done % each == 0:
            memory.append(resident())
            spent = (time.perf_counter() - begun) / each
            line(done, memory[-1], path, canary.memory.seen, ear.heard, spent)
            begun = time.perf_counter()
    store.close()
    return memory


def line(done: int, held: float, path: Path, log: int, told: int, seconds: float) -> None:  # noqa: PLR0913, PLR0917  a column each
    """One line of the table."""
    gc.collect()
    sizes = f"{len(gc.get_objects()):>10}{path.stat().st_size / 1e6:>10.1f}"
    print(f"{done:>8}{held:>9.1f}{sizes}{log:>8}{told:>7}{seconds * 1000:>10.1f}", flush=True)


def resident() -> float:
    """What this process holds in memory, in MB."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE / 1e6


if __name__ == "__main__":
    sys.exit(main())
