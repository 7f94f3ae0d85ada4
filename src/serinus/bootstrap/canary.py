"""A canary over the configured gateway: what is asked, how fast, of whom."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

from serinus.bootstrap.gateways import open_gateway
from serinus.config import Model, Settings
from serinus.contracts import contracts
from serinus.core.policy import Policy
from serinus.engine.clock import now
from serinus.engine.judges import judge_pool
from serinus.judging.contract import Contract
from serinus.prober.pace import Pace
from serinus.prober.secret import Key
from serinus.service.canary import Canary
from serinus.service.forecast import Forecast, forecast
from serinus.service.planning import ModelPlan
from serinus.service.rounds import Watch
from serinus.service.storage import Store


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
