"""A scripted day of the true canary on the simulated gateway, under logical time that survives its process.

Five hosts, two of which go wrong for good; healthy hosts err, one has a storm of transport errors,
the listing flaps and once all hosts are slow. The same day each time it is lived: what its process
knows besides the store are the scenario and which instant it is, which the store tells.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from serinus.contracts import by_name
from serinus.core.policy import Mode, Policy
from serinus.service.canary import Canary
from serinus.service.courier import Courier
from serinus.service.duty import Duty, Happening
from serinus.service.planning import ModelPlan
from serinus.service.storage import Notice, Store
from serinus.simulator.in_process import in_process
from serinus.simulator.scenario import FaultUse, Host, Latency, Scenario, Window
from serinus.store import open_store
from simulated import MODEL
from world import Unpaced

BEGAN = datetime(2026, 11, 30, 0, 0, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
CONTRACTS = ("first_token", "filtering", "structured_output", "opening")
OnCall = Callable[[str], None]


@dataclass(frozen=True)
class Day:
    """Where it is written, where its messages go, how many rounds it has, and its chance."""

    store: Path
    sent: Path
    rounds: int = 48
    seed: int = 1


@dataclass
class Letters:
    """A channel into a file: one line a notice, named as the outbox names it."""

    sent: Path
    name: str = "ops"

    async def send(self, notices: Sequence[Notice]) -> None:
        with self.sent.open("a", encoding="utf-8") as file:
            file.writelines(f"{notice.key}\n" for notice in notices)


def scenario(seed: int) -> Scenario:
    """The day's hosts and their troubles."""
    return Scenario(
        (MODEL,),
        (
            _host("amber/fp8", FaultUse("json_fenced", rate=0.05)),
            _host("birch", FaultUse("http_502", rate=0.6, window=_hours(4, 8))),
            _host("cobalt", FaultUse("listing_flap", rate=0.4), FaultUse("silent_close", rate=0.03)),
            _host("dune/int8", FaultUse("opening_stray_punctuation", rate=0.9, window=_hours(2, 9))),
            _host("ember", FaultUse("canned_refusal", rate=0.95, window=_hours(6, None))),
        ),
        seed=seed,
        faults=(
            FaultUse("listing_empty", rate=0.5, window=_hours(10, 12)),
            FaultUse("slow_first_token", window=_hours(13, 14), parameters={"seconds": 20.0}),
        ),
    )


def _host(tag: str, *faults: FaultUse) -> Host:
    provider = tag.partition("/")[0]
    return Host(tag, provider.title(), provider, latency=Latency(0.3, 0.02, 0.2), faults=faults)


def _hours(start: float, end: float | None) -> Window:
    return Window(timedelta(hours=start), None if end is None else timedelta(hours=end))


def live(day: Day, on_call: OnCall | None = None) -> int:
    """Live the day from wherever it was broken off; how many rounds it held."""
    store = open_store(day.store, create=True, on_call=on_call)
    store.claim()
    held = asyncio.run(_live(day, store))
    store.close()
    return held


async def _live(day: Day, store: Store) -> int:
    gateway, prober = in_process(scenario(day.seed), BEGAN, instant_of(store))
    canary = Canary(
        store=store,
        gateway=gateway,
        pace=Unpaced(),
        policy=Policy(mode=Mode.ENFORCE),
        plans={MODEL.id: ModelPlan(MODEL.id, ("en", "de", "ja"), tuple(map(by_name, CONTRACTS)))},
        clock=lambda: prober.now,
    )
    canary.take_over(lambda _model: prober.now)
    happened: list[Happening] = []
    duty = Duty(canary, Courier(store, (Letters(day.sent),), lambda: prober.now), happened.append)
    while prober.now < BEGAN + day.rounds * HALF_HOUR:
        await duty.round(MODEL.id, prober.now)
        assert happened[-1].outcome is not None, happened[-1].trouble
        await duty.aftercare()
        prober.advance(HALF_HOUR)
    await duty.aftercare()
    return len(happened)


def instant_of(store: Store) -> datetime:
    """What time it is in the day: that of the round in which a process died, else after the last one."""
    left = store.left_open()
    if left:
        return left[0].at
    last = store.last_round(MODEL.id)
    return last.at + HALF_HOUR if last else BEGAN
