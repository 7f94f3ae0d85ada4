"""The one place where adapters are chosen: settings in, a working canary out."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from serinus.config import ConfigError, Model, Settings, inspect, required_key
from serinus.config.channels import ChannelSettings, channels, heartbeat_url
from serinus.contracts import contracts
from serinus.core.policy import Exclude, Mode, Policy
from serinus.engine.clock import now
from serinus.engine.judges import judge_pool
from serinus.engine.local import LocalEngine, Schedule
from serinus.engine.schedule import planned_at
from serinus.gateways.openrouter import OpenRouter
from serinus.judging.contract import Contract
from serinus.notify.apprise_url import AppriseUrl
from serinus.notify.heartbeat import Heartbeat
from serinus.notify.webhook import Webhook
from serinus.prober.pace import Pace
from serinus.prober.prober import Prober
from serinus.prober.secret import Key, Secret
from serinus.probes.languages import LANGUAGES
from serinus.service.canary import Canary
from serinus.service.configured import sync_builtin, sync_modes
from serinus.service.courier import Courier, Tell
from serinus.service.duty import Duty, Report, no_beat
from serinus.service.forecast import Forecast, forecast
from serinus.service.planning import ModelPlan
from serinus.service.ports import Channel
from serinus.service.rehearsal import scaled
from serinus.service.rounds import Watch
from serinus.service.storage import Store
from serinus.store import open_store

if TYPE_CHECKING:
    from serinus.simulator.drill import DrillReport, Progress
    from serinus.simulator.scenario import Scenario


def plans_of(settings: Settings, wanted: Sequence[str] = ()) -> dict[str, ModelPlan]:
    """What is asked of each configured model, or of the wanted ones.

    Raises:
        LookupError: a wanted model is not configured; the message lists those that are.
    """
    models = {model.id: model for model in settings.model}
    for name in wanted:
        if name not in models:
            message = f"model {name!r} is not configured; configured: {', '.join(models)}"
            raise LookupError(message)
    return {name: _plan(settings, models[name]) for name in (wanted or models)}


def _plan(settings: Settings, model: Model) -> ModelPlan:
    return ModelPlan(
        model=model.id,
        languages=model.languages,
        contracts=_chosen(model.contracts),
        controls=frozenset(model.controls),
        limits=settings.limits_of(model.id),
        lean=settings.rounds.set == "lean",
    )


def _chosen(names: Sequence[str]) -> tuple[Contract, ...]:
    return tuple(c for c in contracts() if not names or c.name in names)


def pace_of(settings: Settings) -> Pace:
    """How fast probes start and how many are in flight."""
    rounds = settings.rounds
    return Pace(
        starts_per_second=rounds.starts_per_second,
        in_flight=rounds.concurrency,
        per_provider=rounds.per_provider,
    )


@asynccontextmanager
async def open_gateway(settings: Settings, key: Key | None) -> AsyncIterator[OpenRouter]:
    """The configured gateway, ready to be asked."""
    gateway = settings.gateway
    reasoning = frozenset(model.id for model in settings.model if model.reasoning == "default")
    async with Prober() as prober:
        yield OpenRouter(prober, key, base_url=str(gateway.base_url), user=gateway.user, reasoning=reasoning)


@asynccontextmanager
async def open_clinic(settings: Settings, key: Key | None) -> AsyncIterator[tuple[OpenRouter, OpenRouter]]:
    """The configured gateway, and the same one with the account's default plugins left on."""
    url, user = str(settings.gateway.base_url), settings.gateway.user
    async with Prober() as prober:
        plugged = OpenRouter(prober, key, base_url=url, user=user, account_plugins=True)
        yield OpenRouter(prober, key, base_url=url, user=user), plugged


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


def _at_once(canary: Canary) -> None:
    """Nothing is to be done before the first round."""


@asynccontextmanager
async def open_canary(  # noqa: PLR0913  what a canary is made of
    settings: Settings,
    key: Key | None,
    store: Store,
    plans: Mapping[str, ModelPlan],
    watch: Watch,
    *,
    policy: Policy | None = None,
    begin: Callable[[Canary], None] = _at_once,
) -> AsyncIterator[Canary]:
    """A canary over the configured gateway and this store; it does `begin` while its judges get ready."""
    known = tuple({c.name: c for plan in plans.values() for c in plan.contracts}.values())
    async with judge_pool(known) as judges, open_gateway(settings, key) as gateway:
        canary = Canary(
            store=store,
            gateway=gateway,
            pace=pace_of(settings),
            policy=policy or settings.policy.value(),
            plans=plans,
            clock=now,
            budget=settings.budget.usd_per_day,
            judges=judges.judge,
            watch=watch,
        )
        begin(canary)
        await judges.ready()
        yield canary


async def forecasts(
    settings: Settings, key: Key | None, wanted: Sequence[str] = ()
) -> tuple[list[Forecast], dict[str, str]]:
    """What the models' rounds will cost by today's listings, and the troubles of listings that failed."""
    found, troubles = [], {}
    async with open_gateway(settings, key) as gateway:
        for name, plan in plans_of(settings, wanted).items():
            listing = await gateway.discover(name)
            if listing.trouble is None:
                found.append(forecast(plan, listing.offers, settings.rounds.interval))
            else:
                troubles[name] = listing.trouble
    return found, troubles


def channel_of(settings: ChannelSettings) -> Channel:
    """The channel that these settings open; nothing is asked yet."""
    url = settings.url.get_secret_value()
    if settings.kind == "apprise" or settings.secret is None:
        return AppriseUrl(settings.name, url)
    return Webhook(settings.name, url, settings.secret.get_secret_value().encode(), now)


@dataclass(frozen=True, slots=True)
class Operators:
    """How operators are told: their channels, and the address that is called while all is well."""

    channels: tuple[ChannelSettings, ...] = ()
    heartbeat: Key | None = None

    def courier(self, store: Store, tell: Tell) -> Courier:
        """Who delivers this store's notices."""
        kinds = {c.name: c.kinds for c in self.channels}
        return Courier(store, [channel_of(c) for c in self.channels], now, kinds, tell)

    def duty(self, canary: Canary, report: Report, tell: Tell) -> Duty:
        """A canary's duty, with what follows its rounds."""
        url = self.heartbeat
        beat = no_beat if url is None else Heartbeat(url.get_secret_value()).beat
        return Duty(canary, self.courier(canary.store, tell), report, beat, tell)


def operators_of(settings: Settings, environ: Mapping[str, str]) -> Operators:
    """The configured channels and heartbeat.

    Raises:
        ConfigError: a URL or secret is not where the configuration says; every one is told.
    """
    found, unsent = channels(settings, environ)
    heartbeat, unheard = heartbeat_url(settings, environ)
    if unsent or unheard:
        raise ConfigError([*unsent, *unheard])
    return Operators(found, heartbeat)


@dataclass(frozen=True, slots=True)
class OnDuty:
    """Rounds on time, and beside them what follows each."""

    engine: LocalEngine
    duty: Duty

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
    operators: Operators = Operators()
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
            async with opened as canary:
                duty = self.operators.duty(canary, report, tell)
                engine = LocalEngine(self.schedule, now, duty.round, lambda model: _taken(store, model))
                yield OnDuty(engine, duty)
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
