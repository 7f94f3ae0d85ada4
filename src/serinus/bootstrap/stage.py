"""Where a canary works, and the whole of it on duty there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from serinus.bootstrap.canary import open_canary, plans_of
from serinus.bootstrap.desk import desk_of
from serinus.bootstrap.front import UNSERVED, Front, front_of, load_web, means_beside
from serinus.bootstrap.operators import Operators, operators_of
from serinus.bootstrap.simulation import open_simulation, scenario_of
from serinus.config import ConfigError, Settings, inspect, required_key
from serinus.core.policy import Exclude, Mode, Policy
from serinus.engine.clock import now
from serinus.engine.local import LocalEngine, Schedule
from serinus.engine.schedule import planned_at
from serinus.prober.secret import Key
from serinus.service.canary import Canary
from serinus.service.configured import sync_builtin, sync_modes
from serinus.service.courier import Tell
from serinus.service.duty import Duty, Report
from serinus.service.planning import ModelPlan
from serinus.service.rehearsal import scaled
from serinus.service.reviews import Reviewer
from serinus.service.rounds import Watch
from serinus.service.storage import Store
from serinus.service.watchman import Watchman
from serinus.store import open_store


@dataclass(frozen=True, slots=True)
class OnDuty:
    """Rounds on time, and beside them what follows each."""

    engine: LocalEngine
    duty: Duty
    front: Front = UNSERVED

    async def run(self, models: tuple[str, ...], stop: asyncio.Event) -> bool:
        """Run until `stop` is set; True if every round in flight ended within the grace."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.duty.follow())
            try:
                return await self.engine.run(models, stop)
            finally:
                self.duty.end()


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a canary works: on the configured gateway, or on a simulated one at no cost."""

    settings: Settings
    key: Key | None
    policy: Policy
    schedule: Schedule
    store: str | Path
    simulated: bool
    operators: Operators = field(default_factory=Operators)
    builtin: tuple[Exclude, ...] = ()

    @property
    def plans(self) -> dict[str, ModelPlan]:
        """What is asked of each model."""
        return plans_of(self.settings)

    @property
    def budget_set(self) -> bool:
        """Whether somebody chose a budget; the default alone is no leave to spend."""
        return "usd_per_day" in self.settings.budget.model_fields_set

    def _begin(self, canary: Canary) -> None:
        """Go on where the process before ended, and take in what is news to the log.

        News may be in the reviewed exclusions and the configured modes.
        """
        canary.take_over(lambda _model: planned_at(now(), self.schedule.interval))
        if not self.simulated:
            sync_builtin(canary.memory, self.policy, self.builtin, now())
            sync_modes(canary.memory, self.policy, list(self.settings.modes(now())), now())
        load_web(self.settings)  # the judges are on another core

    def _front(self, canary: Canary) -> AbstractAsyncContextManager[Front]:
        """The API and the pages beside the canary, over its own memory."""
        desk = desk_of(self.settings, canary.memory, now, self.policy)
        desk = replace(desk, interval=self.schedule.interval)
        means = means_beside(self.settings, canary, self.key)
        return front_of(self.settings, desk, means, any_port=self.simulated)

    def _look(self, canary: Canary) -> Callable[[], None]:
        """Whether rounds are late, and whether a reviewed exclusion needs another look."""
        models = tuple(canary.plans)
        watchman = Watchman(canary.memory, now, models, self.schedule.interval)
        reviewer = Reviewer(canary.memory, now, self.builtin, models)

        def look() -> None:
            watchman.look()
            reviewer.look()

        return look

    @asynccontextmanager
    async def on_duty(self, report: Report, watch: Watch, tell: Tell) -> AsyncIterator[OnDuty]:
        """A canary that runs planned rounds over this stage's store, whose place it takes.

        `tell` hears of channels that fail, are disabled or work again.

        Raises:
            StoreError: another process has that place, or the store cannot be used.
        """
        store = open_store(self.store, create=True)
        try:
            store.claim()
            opened = open_canary(
                self.settings, self.key, store, self.plans, watch, policy=self.policy, begin=self._begin
            )
            async with opened as canary, self._front(canary) as front:
                duty = self.operators.duty(canary, report, tell, self._look(canary))
                engine = LocalEngine(self.schedule, now, duty.round, lambda model: _taken(store, model))
                yield OnDuty(engine, duty, front)
        finally:
            store.close()


def _taken(store: Store, model: str) -> datetime | None:
    last = store.last_round(model)
    return last.at if last else None


def real_stage(config: Path | None, environ: Mapping[str, str]) -> Stage:
    """The configured gateway.

    Raises:
        ConfigError: something is wrong with the configuration, or there is no key.
    """
    looked_at = inspect(config, environ)
    settings = looked_at.settings
    if settings is None:
        raise ConfigError(looked_at.problems)
    rounds = settings.rounds
    return Stage(
        settings=settings,
        key=required_key(settings, environ),
        policy=settings.policy.value(),
        schedule=Schedule(rounds.interval, rounds.jitter),
        store=settings.store.path,
        simulated=False,
        builtin=tuple(entry.event() for entry in looked_at.exclusions),
        operators=operators_of(settings, environ),
    )


@asynccontextmanager
async def simulated_stage(scenario: Path | None, every: timedelta) -> AsyncIterator[Stage]:
    """A simulated gateway; the policy enforces and its durations are scaled to the pace."""
    async with open_simulation(scenario_of(scenario)) as (settings, key):
        yield Stage(
            settings=settings,
            key=key,
            policy=scaled(settings.policy.value(), every, mode=Mode.ENFORCE),
            schedule=Schedule(every),
            store="sqlite://",
            simulated=True,
        )
