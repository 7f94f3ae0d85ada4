"""What is forecast is what a gateway then charges, within a tenth (R34)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from serinus.contracts import contracts
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.secret import Secret
from serinus.probes.languages import LANGUAGES
from serinus.service.answers import Answered
from serinus.service.forecast import Forecast, forecast
from serinus.service.planning import ModelPlan
from serinus.service.rounds import Rounds
from serinus.simulator.in_process import BASE_URL, InProcessProber
from serinus.simulator.ledger import Ledger
from serinus.simulator.scenario import Price
from simulated import BEGAN, MODEL, desk, host
from world import Unpaced

HALF_HOUR = timedelta(minutes=30)
CYCLE = 68  # rounds in which each of 17 languages meets each of 4 kinds of probe
DEAR = Price(prompt=0.5, completion=8.0)  # a host whose answers cost far more than its prompts
CHEAP = Price(prompt=2.0, completion=0.2)


async def unread(ask, transcript, contracts):
    """Judge nothing: what answers cost does not depend on it."""
    del contracts
    return Answered(ask, transcript, {})


async def charged(plan: ModelPlan, rounds: int) -> tuple[Forecast, Ledger]:
    """What is forecast for healthy hosts, and what they charge for so many rounds."""
    prober = InProcessProber(desk(host("amber"), host("birch", price=DEAR), host("c", price=CHEAP)), BEGAN)
    gateway = OpenRouter(prober, Secret("sk-simulated"), base_url=BASE_URL)
    listing = await gateway.discover(plan.model)
    running = Rounds(gateway, Unpaced(), plan, judges=unread)
    for index in range(rounds):
        await running.run(prober.now, index, {}, listing)
        prober.advance(HALF_HOUR)
    return forecast(plan, listing.offers, HALF_HOUR), prober.desk.ledger


@pytest.mark.parametrize("lean", [False, True], ids=["standard", "lean"])
def test_a_cycle_of_rounds_costs_what_was_forecast(lean):
    plan = ModelPlan(MODEL.id, tuple(LANGUAGES), contracts(), lean=lean)
    rounds = CYCLE * (2 if lean else 1)
    expected, ledger = asyncio.run(charged(plan, rounds))
    assert ledger.requests == pytest.approx(expected.requests * rounds)
    assert ledger.spent == pytest.approx(expected.usd * rounds, rel=0.1)
    assert expected.tokens_per_route <= (300 if lean else 600)


@pytest.mark.parametrize("language", ["tr", "zh-Hans"])
def test_a_day_in_one_language_costs_what_was_forecast_within_a_fifth(language):
    plan = ModelPlan(MODEL.id, (language,), contracts())
    expected, ledger = asyncio.run(charged(plan, 48))
    assert ledger.spent == pytest.approx(expected.usd * 48, rel=0.2)
