"""The one place where adapters are chosen: settings in, a working canary out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from time import time

from serinus.config import Model, Settings
from serinus.contracts import contracts
from serinus.core.policy import Mode, Policy
from serinus.core.two_rounds import TwoRounds
from serinus.engine.judges import judge_pool
from serinus.gateways.openrouter import OpenRouter
from serinus.judging.contract import Contract
from serinus.prober.pace import Pace
from serinus.prober.prober import Prober
from serinus.prober.secret import Key, Secret
from serinus.service.canary import Canary
from serinus.service.planning import ModelPlan
from serinus.service.rounds import Watch
from serinus.service.storage import Store
from serinus.simulator.apart import simulator_apart
from serinus.simulator.scenario import Scenario


def now() -> datetime:
    """The time of day, in UTC: the product's one reading of the wall clock."""
    return datetime.fromtimestamp(time(), tz=UTC)


def policy_of(settings: Settings) -> Policy:
    """The policy that the settings describe (`formats.md` §2)."""
    numbers = settings.policy
    return Policy(
        mode=Mode(numbers.mode),
        suspensions=numbers.suspensions,
        forget_after=numbers.forget_after,
        floor=numbers.floor,
        min_gap=numbers.min_gap,
        capacity_max_age=numbers.capacity_max_age,
        void_majority=numbers.void_majority,
        rule=TwoRounds(
            consecutive_failures=numbers.consecutive_failures,
            consecutive_clean=numbers.consecutive_clean,
            streak_max_age=numbers.streak_max_age,
        ),
    )


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
    return {name: _plan(models[name]) for name in (wanted or models)}


def _plan(model: Model) -> ModelPlan:
    return ModelPlan(
        model=model.id,
        languages=model.languages,
        contracts=_chosen(model.contracts),
        controls=frozenset(model.controls),
        limits=model.limits.value(),
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
    async with Prober() as prober:
        yield OpenRouter(prober, key, base_url=str(gateway.base_url), user=gateway.user)


@asynccontextmanager
async def open_simulation(scenario: Scenario) -> AsyncIterator[tuple[Settings, Secret]]:
    """A simulated gateway on this machine, with settings and a key that ask it."""
    async with simulator_apart(scenario) as base_url:
        controls = [host.tag for host in scenario.hosts if host.control]
        models = [{"id": model.id, "controls": controls} for model in scenario.models]
        gateway = {"base_url": base_url}
        yield Settings.model_validate({"model": models, "gateway": gateway}), Secret("simulated")


@asynccontextmanager
async def open_canary(
    settings: Settings, key: Key | None, store: Store, plans: Mapping[str, ModelPlan], watch: Watch
) -> AsyncIterator[Canary]:
    """A canary over the configured gateway and this store."""
    known = tuple({c.name: c for plan in plans.values() for c in plan.contracts}.values())
    async with judge_pool(known) as judges, open_gateway(settings, key) as gateway:
        yield Canary(
            store=store,
            gateway=gateway,
            pace=pace_of(settings),
            policy=policy_of(settings),
            plans=plans,
            clock=now,
            budget=settings.budget.usd_per_day,
            judges=judges.judge,
            watch=watch,
        )
