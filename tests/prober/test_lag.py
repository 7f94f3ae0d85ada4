"""What the meter remembers of our own lateness."""

from __future__ import annotations

import asyncio
import time

from hypothesis import given
from hypothesis import strategies as st

from serinus.prober.lag import LagMeter

ticks = st.lists(st.tuples(st.floats(0, 10), st.floats(0, 0.1)), max_size=30)


@given(ticks, st.floats(0, 10))
def test_the_worst_of_a_window_is_the_worst_tick_in_it(noted, since):
    meter = LagMeter()
    for when, lag in sorted(noted):
        meter.note(when, lag)
    assert meter.worst(since) == max((round(lag, 4) for when, lag in noted if when >= since), default=0.0)


def test_what_is_kept_does_not_grow_with_time():
    meter = LagMeter()
    for i in range(100_000):
        meter.note(float(i), (i % 97) / 10_000)
    assert len(meter._worst) <= 97  # noqa: SLF001  the bound is the claim


def test_a_loop_that_is_held_up_shows():
    async def run() -> tuple[float, float]:
        meter = LagMeter()
        with meter.watching():
            await asyncio.sleep(0.03)
            before = meter.clock()
            time.sleep(0.08)  # noqa: ASYNC251  the fault to be found
            at_once = meter.worst(before)  # no tick had its turn yet
            await asyncio.sleep(0.01)
            return at_once, meter.worst(before)

    at_once, later = asyncio.run(run())
    assert at_once >= 0.07
    assert later >= 0.07


def test_a_hold_up_before_the_window_does_not_count():
    async def run() -> float:
        meter = LagMeter()
        with meter.watching():
            meter.note(meter.clock(), 5.0)
            await asyncio.sleep(0.001)
            return meter.worst(meter.clock())

    assert asyncio.run(run()) < 5.0


def test_the_meter_rests_while_nobody_watches():
    async def run() -> None:
        meter = LagMeter()
        with meter.watching(), meter.watching():
            pass
        assert meter.worst(0.0) == 0.0
        with meter.watching():
            await asyncio.sleep(0.02)
            assert meter.worst(0.0) > 0.0

    asyncio.run(run())
