"""A simulated gateway on this machine, and drills on one under logical time."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from serinus.config import Settings
from serinus.contracts import contracts
from serinus.core.policy import Mode, Policy
from serinus.engine.judges import judge_pool
from serinus.prober.pace import Pace
from serinus.prober.secret import Secret
from serinus.probes.languages import LANGUAGES
from serinus.service.planning import ModelPlan
from serinus.service.rehearsal import scaled
from serinus.store import open_store

if TYPE_CHECKING:
    from serinus.simulator.drill import DrillReport, Progress
    from serinus.simulator.scenario import Scenario


def scenario_of(file: Path | None) -> Scenario:
    """The scenario of a file, or the one that comes with serinus.

    Raises:
        ConfigError: something is wrong with the file.
    """
    from serinus.simulator.demo import demo  # noqa: PLC0415  a canary on a real gateway needs no simulator
    from serinus.simulator.scenario_file import load as load_scenario  # noqa: PLC0415  as above

    return demo() if file is None else load_scenario(file)


@asynccontextmanager
async def open_simulation(scenario: Scenario) -> AsyncIterator[tuple[Settings, Secret]]:
    """A simulated gateway on this machine, with settings and a key that ask it."""
    from serinus.simulator.apart import simulator_apart  # noqa: PLC0415  as above

    async with simulator_apart(scenario) as base_url:
        controls = [host.tag for host in scenario.hosts if host.control]
        models = [{"id": model.id, "controls": controls} for model in scenario.models]
        gateway = {"base_url": base_url}
        yield Settings.model_validate({"model": models, "gateway": gateway}), Secret("sk-simulated")


async def run_drill(
    file: Path | None, length: timedelta, interval: timedelta, seed: int | None, progress: Progress
) -> tuple[DrillReport, int]:
    """A drill of a scenario under the usual policy, enforcing; the report and the seed it used."""
    from serinus.simulator.demo import drill_scenario  # noqa: PLC0415  as above
    from serinus.simulator.drill import Drill  # noqa: PLC0415  as above

    scenario = drill_scenario() if file is None else scenario_of(file)
    scenario = scenario if seed is None else replace(scenario, seed=seed)
    controls = frozenset(host.tag for host in scenario.hosts if host.control)
    plan = ModelPlan(scenario.models[0].id, tuple(LANGUAGES), contracts(), controls)
    store = open_store("sqlite://")
    try:
        async with judge_pool(plan.contracts, workers=os.cpu_count() or 1) as judges:
            drill = Drill(
                scenario=scenario,
                plan=plan,
                policy=scaled(Policy(), interval, mode=Mode.ENFORCE),
                store=store,
                pace=Pace(starts_per_second=float("inf")),
                length=length,
                interval=interval,
                judges=judges.judge,
            )
            return await drill.run(progress), scenario.seed
    finally:
        store.close()
