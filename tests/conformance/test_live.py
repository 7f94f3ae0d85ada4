"""The same claims at OpenRouter itself, with a key: `make conformance`. Its price is printed first.

`SERINUS_CONFORMANCE_URL` names another address that speaks the same format, such as that of
`serinus simulate`; `…_MODEL` the model, `…_USD` the most that it may cost.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from conformance.claims import AT_ONCE, CALLED, CLAIMS, PROBE, STRUCTURED, ask, verdict
from serinus.core.model import Offer, Word
from serinus.gateways.openrouter import BASE_URL, OpenRouter
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from serinus.probes.tokens import cost
from serinus.service.doctor.served import chosen

WANTED = os.environ.get("SERINUS_CONFORMANCE") == "1"
URL = os.environ.get("SERINUS_CONFORMANCE_URL") or BASE_URL
KEY = os.environ.get("OPENROUTER_API_KEY") or "sk-simulated"
MODEL = os.environ.get("SERINUS_CONFORMANCE_MODEL") or "deepseek/deepseek-v3.2"
MOST = float(os.environ.get("SERINUS_CONFORMANCE_USD") or "0.02")
PLAIN = 6  # claims and records that ask one route one question

pytestmark = pytest.mark.skipif(not WANTED, reason="make conformance asks a real gateway, which costs money")


@asynccontextmanager
async def opened() -> AsyncIterator[OpenRouter]:
    async with Prober() as prober:
        yield OpenRouter(prober, Secret(KEY), base_url=URL)


def usd(offer: Offer, probe) -> float:
    """The most that an answer can cost: every token up to its cap."""
    price = cost(probe)
    return price.prompt * (offer.prompt_price or 0.0) + price.cap * (offer.completion_price or 0.0)


def budget(offers: list[Offer]) -> tuple[int, float]:
    """How many questions all claims ask, and what they can cost at most."""
    asked = [(offers[0], PROBE)] * PLAIN + [(offer, PROBE) for offer in offers] * AT_ONCE
    asked += [(offer, probe) for offer in offers for probe in (STRUCTURED, CALLED)]
    return len(asked), sum(usd(offer, probe) for offer, probe in asked)


@pytest.fixture(scope="module")
def offers() -> list[Offer]:
    """The cheapest routes of the model, after the price of asking them was printed and found bearable."""

    async def discovered():
        async with opened() as gateway:
            return await gateway.discover(MODEL)

    listing = asyncio.run(discovered())
    if listing.trouble is not None:
        pytest.exit(f"{MODEL} at {URL}: {listing.trouble}", returncode=2)
    found = chosen(listing.offers, frozenset())
    questions, most = budget(found)
    tags = ", ".join(offer.route.tag for offer in found)
    print(f"\n{questions} questions to {tags} of {MODEL}: at most {most:.4f} USD (limit {MOST:g})")  # noqa: T201  whoever pays wants to read it
    if most > MOST:
        pytest.exit(f"that is more than {MOST:g} USD: set SERINUS_CONFORMANCE_USD to allow it", returncode=2)
    return found


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_what_holds_at_any_gateway(claim, offers):
    async def use() -> None:
        async with opened() as gateway:
            await claim(gateway, offers)

    asyncio.run(use())


def test_the_record_of_a_generation_names_one_endpoint(offers):
    async def use():
        async with opened() as gateway:
            found = await ask(gateway, offers[0])
            return found, await gateway.generation(found.answer.ids[0])

    found, record = asyncio.run(use())
    assert verdict("identity", found).word is Word.PASS
    assert record is not None
    assert len(record.attempts) == 1
    assert record.provider == found.answer.provider
