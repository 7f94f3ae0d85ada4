"""A simulated gateway without network, and probes to ask it: what tests of faults share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from serinus.core.model import Limits, Probe, Turn
from serinus.core.transcript import Transcript
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.secret import Secret
from serinus.probes import roleplay, structured, tool_call
from serinus.simulator.ask import Ask, read
from serinus.simulator.corpus import corpus
from serinus.simulator.desk import Desk
from serinus.simulator.gateway import SimulatedGateway
from serinus.simulator.in_process import BASE_URL, InProcessProber
from serinus.simulator.ledger import Ledger
from serinus.simulator.scenario import Account, FaultUse, Host, Model, Scenario
from serinus.wire.request import chat_body

MODEL = Model("acme/story-70b", "Acme: Story 70B")
BEGAN = datetime(2026, 11, 30, 2, 30, tzinfo=UTC)
KEY = "sk-or-v1-simulated-for-tests"
ASKS = {"roleplay": roleplay.ask, "structured": structured.ask, "tool_call": tool_call.ask}


def host(tag: str = "amber/fp8", *faults: FaultUse, **settings: Any) -> Host:
    provider = tag.partition("/")[0]
    return Host(tag, provider.title(), provider, faults=faults, **settings)


def scenario(*hosts: Host, faults: tuple[FaultUse, ...] = (), **account: Any) -> Scenario:
    known = hosts or (host(), host("amber/turbo"), host("birch"))
    return Scenario((MODEL,), known, seed=7, faults=faults, account=Account(**account))


def gateway(*hosts: Host, **settings: Any) -> SimulatedGateway:
    return SimulatedGateway(scenario(*hosts, **settings), corpus(), BEGAN)


def desk(*hosts: Host, **settings: Any) -> Desk:
    return Desk(gateway(*hosts, **settings), Ledger(delay=1.5))


def probe(kind: str, language: str = "en", index: int = 0) -> Probe:
    return ASKS[kind](Turn(f"{MODEL.id}@{index}", index, "amber/fp8", language))


def ask(
    kind: str = "roleplay",
    language: str = "en",
    *,
    only: str | None = "amber/fp8",
    index: int = 0,
    headers: Mapping[str, str] | None = None,
    **changes: Any,
) -> Ask:
    body = chat_body(MODEL.id, probe(kind, language, index))
    if only is not None:
        body["provider"] = {"only": [only], "order": [only], "allow_fallbacks": False}
    return read(json.loads(json.dumps({**body, **changes})), headers or {"X-OpenRouter-Metadata": "enabled"})


async def transcript(
    asked: Probe,
    *faults: FaultUse,
    tag: str = "amber/fp8",
    before: Probe | None = None,
    **settings: Any,
) -> Transcript:
    """What our own gateway adapter makes of a host with these faults, perhaps asked something before."""
    hosts = (host(tag, *faults, **settings), host("amber/turbo"), host("birch"))
    prober = InProcessProber(desk(*hosts), BEGAN)
    adapter = OpenRouter(prober, Secret(KEY), base_url=BASE_URL)
    listing = await adapter.discover(MODEL.id)
    if before is not None:
        await adapter.ask(listing.offers[0], before, session="before", limits=Limits())
    offer = next(o for o in listing.offers if o.route.tag == tag)
    return await adapter.ask(offer, asked, session=asked.key, limits=Limits())
