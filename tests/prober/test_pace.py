"""When probes may start, on a clock that only sleeping moves."""

from __future__ import annotations

import asyncio

import pytest

from serinus.prober.pace import Pace


class Time:
    """A clock that moves when somebody sleeps, and by a yield lets all others run first."""

    def __init__(self) -> None:
        self.now = 100.0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, until)


def starts(providers: list[str], time: Time, pace: Pace) -> list[float]:
    found = []

    async def probe(provider: str) -> None:
        async with pace.slot(provider):
            found.append(round(time.now - 100.0, 3))

    async def run() -> None:
        async with asyncio.TaskGroup() as group:
            for provider in providers:
                group.create_task(probe(provider))

    asyncio.run(run())
    return found


def test_starts_are_a_gap_apart():
    time = Time()
    pace = Pace(starts_per_second=10, clock=time.clock, sleep=time.sleep)
    assert starts(["a", "b", "c", "d"], time, pace) == [0.0, 0.1, 0.2, 0.3]


def test_a_pause_saves_up_no_starts():
    time = Time()
    pace = Pace(starts_per_second=10, clock=time.clock, sleep=time.sleep)
    starts(["a"], time, pace)
    time.now += 50
    assert starts(["a", "b"], time, pace) == [50.0, 50.1]


def test_starts_may_be_unpaced():
    time = Time()
    pace = Pace(starts_per_second=float("inf"), clock=time.clock, sleep=time.sleep)
    assert starts(["a", "b", "c"], time, pace) == [0.0, 0.0, 0.0]


def most_at_once(pace: Pace, providers: list[str]) -> dict[str, int]:
    flying = dict.fromkeys([*providers, "all"], 0)
    most = dict(flying)

    async def probe(provider: str) -> None:
        async with pace.slot(provider):
            for name in (provider, "all"):
                flying[name] += 1
                most[name] = max(most[name], flying[name])
            await asyncio.sleep(0)
            for name in (provider, "all"):
                flying[name] -= 1

    async def run() -> None:
        async with asyncio.TaskGroup() as group:
            for provider in providers * 10:
                group.create_task(probe(provider))

    asyncio.run(run())
    return most


def test_a_provider_gets_few_at_a_time_and_all_together_not_many():
    pace = Pace(starts_per_second=float("inf"), in_flight=5, per_provider=2)
    assert most_at_once(pace, ["a", "b", "c"]) == {"a": 2, "b": 2, "c": 2, "all": 5}


def test_waiting_for_a_busy_provider_takes_no_place_from_others():
    pace = Pace(starts_per_second=float("inf"), in_flight=2, per_provider=1)

    async def run() -> None:
        async with pace.slot("busy"), asyncio.TaskGroup() as group:
            waiting = group.create_task(_enter(pace, "busy"))
            await asyncio.sleep(0)
            async with asyncio.timeout(5):
                await _enter(pace, "other")
            waiting.cancel()

    asyncio.run(run())


async def _enter(pace: Pace, provider: str) -> None:
    async with pace.slot(provider):
        pass


@pytest.mark.parametrize("limit", ["starts_per_second", "in_flight", "per_provider"])
def test_a_limit_of_nothing_is_refused_by_name(limit):
    with pytest.raises(ValueError, match=f"{limit} is 0; it must be above zero"):
        Pace(**{limit: 0})
