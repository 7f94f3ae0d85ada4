"""A simulated gateway on this machine, and drills on one under logical time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from serinus.config import Settings
from serinus.config.keys import nearest
from serinus.config.problems import ConfigError, Problem
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
    from serinus.simulator.trial import Found


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


def faults_named(wanted: str) -> tuple[str, ...]:
    """The faults of a list of names and kinds with commas between them; `all` is every one.

    Raises:
        ConfigError: a name is neither.
    """
    from serinus.simulator.faults import catalogue  # noqa: PLC0415  as above
    from serinus.simulator.trial import kind_of  # noqa: PLC0415  as above

    known = {name: kind_of(fault) for name, fault in catalogue().items()}
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    choices = {"all", *known, *known.values()}
    problems = [_unknown(name, choices) for name in names if name not in choices]
    if problems or not names:
        raise ConfigError(problems or [_unknown("", choices)])
    return tuple(n for n, kind in known.items() if {"all", n, kind} & set(names))


def _unknown(name: str, choices: Collection[str]) -> Problem:
    close = nearest(name, choices)
    advice = f"did you mean {close}?" if close else "docs/reference/simulator.md lists them"
    allowed = "all, or names and kinds of faults with commas between them"
    return Problem("--faults", "", repr(name) if name else "nothing", allowed, advice)


async def run_trials(
    names: Sequence[str], progress: Callable[[Found, int, int], None], rounds: int | None = None
) -> list[Found]:
    """Each of the faults on trial against healthy peers, under the usual policy, enforcing."""
    from serinus.simulator.faults import catalogue  # noqa: PLC0415  as above
    from serinus.simulator.trial import INTERVAL, MODEL, ROUNDS, Memory, Trial  # noqa: PLC0415  as above

    plan = ModelPlan(MODEL.id, tuple(LANGUAGES), contracts())
    policy, memory = scaled(Policy(), INTERVAL, mode=Mode.ENFORCE), Memory()
    found: list[Found] = []
    async with judge_pool(plan.contracts, workers=os.cpu_count() or 1) as judges:
        at_once = asyncio.Semaphore(2 * (os.cpu_count() or 1))

        async def held(name: str | None) -> None:
            async with at_once:
                store = open_store("sqlite://")
                pace = Pace(starts_per_second=float("inf"))
                trial = Trial(plan, policy, store, pace, judges.judge, memory, rounds or ROUNDS)
                try:
                    if name is None:
                        await trial.healthy()
                        return
                    found.append(await trial.run(catalogue()[name]))
                finally:
                    store.close()
                progress(found[-1], len(found), len(names))

        await held(None)
        async with asyncio.TaskGroup() as group:
            for name in names:
                group.create_task(held(name))
    return sorted(found, key=lambda f: (f.kind, f.fault))
