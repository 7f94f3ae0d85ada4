"""A simulated gateway on a thread of its own, for clients that block while they ask."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from receiver import beside
from serinus.simulator.scenario import Latency, Scenario
from serinus.simulator.simulator import Simulator

AT_ONCE = Latency(first_text=0.0, per_token=0.0, jitter=0.0)


@contextmanager
def standing(scenario: Scenario) -> Iterator[str]:
    """The base URL of a gateway that stands as long as the block."""
    with beside(Simulator(scenario)) as (running,):
        yield running.base_url
