"""What any gateway must do, whatever its wire format; each is tried against a server that speaks it.

A new gateway joins by a `Venue`: how to open it on hosts that behave in the given ways.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import pytest

from serinus.core.model import Limits, Listing, Message, Offer, Probe, Route, Tool
from serinus.core.transcript import End, Phase, Transcript
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from serinus.service.ports import Gateway
from serinus.simulator.scenario import FaultUse, Host, Latency, Model, Scenario
from serinus.simulator.simulator import Simulator

MODEL = "acme/story-70b"
QUICK = Limits(hard=1.0)
SCENE = (
    Message("system", "Stay in character. Your sign is K7-QX."),
    Message("user", "Tell me of the harbour."),
)
PROBE = Probe("roleplay.en.0", "roleplay", SCENE, language="en", max_tokens=120)
SCHEMA = {
    "name": "card",
    "strict": True,
    "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
}
T = TypeVar("T")
Open = Callable[[Mapping[str, str | None], str | None], AbstractAsyncContextManager[Gateway]]


@dataclass(frozen=True)
class Venue:
    """A gateway and its faults: `open(behaviour by tag, fault of the listing)` yields it, opened."""

    name: str
    open: Open
    faults: Mapping[str, str]  # what the claims below call a fault → what the venue calls it


@asynccontextmanager
async def open_openrouter(hosts: Mapping[str, str | None], listing: str | None) -> AsyncIterator[Gateway]:
    """OpenRouter before the simulator."""
    scenario = Scenario(
        models=(Model(MODEL, "Story 70B"),),
        hosts=tuple(
            Host(
                tag,
                display=tag.partition("/")[0].title(),
                provider=tag.partition("/")[0],
                latency=Latency(0.01, 0.0, 0.0),
                faults=(FaultUse(fault),) if fault else (),
            )
            for tag, fault in hosts.items()
        ),
        faults=(FaultUse(listing),) if listing else (),
    )
    async with Simulator(scenario) as simulator, Prober() as prober:
        yield OpenRouter(prober, Secret("sk-simulated"), base_url=simulator.base_url)


OPENROUTER = Venue(
    "openrouter",
    open_openrouter,
    {
        "refuses": "http_429",
        "breaks": "error_in_stream",
        "resets": "reset_mid_answer",
        "mute": "comments_only",
        "silent": "silence",
        "foreign": "wrong_provider",
        "listing fails": "listing_500",
        "listing is a page": "listing_html",
        "listing is empty": "listing_empty",
    },
)


@pytest.fixture(params=[OPENROUTER], ids=lambda venue: venue.name)
def venue(request) -> Venue:
    return request.param


def at(
    venue: Venue, hosts: Mapping[str, str | None], use: Callable[[Gateway], Awaitable[T]], listing=None
) -> T:
    async def run() -> T:
        named = {tag: venue.faults[fault] if fault else None for tag, fault in hosts.items()}
        async with venue.open(named, venue.faults[listing] if listing else None) as gateway:
            return await use(gateway)

    return asyncio.run(run())


def listing_at(venue: Venue, hosts: Mapping[str, str | None], fault: str | None = None) -> Listing:
    async def use(gateway: Gateway) -> Listing:
        return await gateway.discover(MODEL)

    return at(venue, hosts, use, fault)


def asked_at(venue: Venue, fault: str | None, probe: Probe = PROBE, limits: Limits = Limits()) -> Transcript:
    """One route with this fault beside a healthy sibling of the same provider, asked once."""

    async def use(gateway: Gateway) -> Transcript:
        listing = await gateway.discover(MODEL)
        offer = next(o for o in listing.offers if o.route.tag == "alder/fp8")
        return await gateway.ask(offer, probe, session="s/1", limits=limits)

    return at(venue, {"alder/fp8": fault, "alder/turbo": None, "birch": None}, use)


def test_each_endpoint_is_a_route_of_its_own_under_its_providers_name(venue):
    listing = listing_at(venue, {"alder/fp8": None, "alder/turbo": None, "birch": None})
    assert listing.trouble is None
    assert [(o.route, o.provider) for o in listing.offers] == [
        (Route(MODEL, "alder/fp8"), "alder"),
        (Route(MODEL, "alder/turbo"), "alder"),
        (Route(MODEL, "birch"), "birch"),
    ]


@pytest.mark.parametrize("fault", ["listing fails", "listing is a page", "listing is empty"])
def test_a_listing_that_is_no_listing_is_trouble_and_offers_nothing(venue, fault):
    listing = listing_at(venue, {"alder/fp8": None}, fault)
    assert listing.offers == ()
    assert listing.trouble


def test_a_model_that_nobody_knows_is_trouble(venue):
    async def use(gateway: Gateway) -> Listing:
        return await gateway.discover("nobody/knows-this")

    assert at(venue, {"alder/fp8": None}, use).trouble


def test_a_healthy_route_answers_and_proves_who_it_was(venue):
    found = asked_at(venue, None)
    assert (found.status, found.end, found.error) == (200, End.CLOSED, None)
    assert (found.pin, found.route) == ("alder/fp8", Route(MODEL, "alder/fp8"))
    assert found.text
    assert found.answer.finish_reason in {"stop", "length"}
    assert found.answer.provider == found.display == "Alder"
    assert found.answer.models
    assert found.answer.usage is not None


def test_times_run_forward_from_the_request(venue):
    found = asked_at(venue, None)
    times = [found.timing.headers, *(event.at for event in found.events), found.ended]
    assert all(a is not None and b is not None and 0 <= a <= b for a, b in pairwise(times))
    assert found.timing.connect is not None
    assert found.timing.lag is not None


def test_the_transcript_says_what_was_really_asked_and_claimed(venue):
    found = asked_at(venue, None, Probe("k", "roleplay", SCENE))
    assert found.probe.max_tokens is not None
    assert found.claims
    assert found.limits == Limits()


def test_a_whole_body_is_an_answer_too(venue):
    found = asked_at(venue, None, Probe("k", "roleplay", SCENE, max_tokens=120, stream=False))
    assert (found.text != "", found.events, found.answer.done) == (True, (), True)


def test_structure_and_tools_reach_the_host(venue):
    assert asked_at(venue, None, Probe("k", "structured", SCENE, max_tokens=120, schema=SCHEMA)).text
    tool = Tool("look_up", {"type": "object", "properties": {"q": {"type": "string"}}})
    called = asked_at(
        venue, None, Probe("k", "tool_call", SCENE, max_tokens=120, tools=(tool,), tool_choice="required")
    )
    assert [call.name for call in called.answer.tool_calls] == ["look_up"]


def test_an_error_status_is_kept_with_its_error(venue):
    found = asked_at(venue, "refuses")
    assert found.status == 429
    assert found.answer.failure is not None
    assert found.answer.failure.where == "http"


def test_an_error_inside_the_stream_is_told_from_one_before_it(venue):
    found = asked_at(venue, "breaks")
    assert found.status == 200
    assert found.answer.failure is not None
    assert found.answer.failure.where == "stream"


def test_a_reset_is_no_orderly_end(venue):
    found = asked_at(venue, "resets")
    assert (found.status, found.end) == (200, End.RESET)
    assert found.error


def test_a_stream_of_comments_is_held_open_to_the_limit(venue):
    found = asked_at(venue, "mute", limits=QUICK)
    assert (found.status, found.end, found.text) == (200, End.HELD, "")
    assert found.ended is not None
    assert found.ended >= QUICK.hard


def test_silence_has_no_status(venue):
    found = asked_at(venue, "silent", limits=QUICK)
    assert (found.status, found.phase, found.end) == (None, Phase.WAIT, End.HELD)


def test_a_foreign_answer_shows_in_the_evidence(venue):
    found = asked_at(venue, "foreign")
    assert found.answer.provider not in {None, found.display}


def test_only_the_pinned_sibling_is_asked(venue):
    healthy_sibling = asked_at(venue, "refuses")
    assert healthy_sibling.text == ""


def test_many_questions_at_once_do_not_mix(venue):
    async def use(gateway: Gateway) -> list[Transcript]:
        offers = (await gateway.discover(MODEL)).offers
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(gateway.ask(offer, PROBE, session=f"s/{n}", limits=Limits()))
                for n in range(10)
                for offer in offers
            ]
        return [task.result() for task in tasks]

    found = at(venue, {"alder/fp8": None, "birch": None, "cedar/bf16": None}, use)
    assert len(found) == 30
    assert all(t.answer.provider == t.display for t in found)
    assert len({identity for t in found for identity in t.answer.ids}) == 30


def test_a_route_that_is_gone_is_an_error_and_no_exception(venue):
    async def use(gateway: Gateway) -> Transcript:
        gone = Offer(Route(MODEL, "yew/int4"), "yew", "Yew")
        return await gateway.ask(gone, PROBE, session="s/1", limits=QUICK)

    found = at(venue, {"alder/fp8": None}, use)
    assert found.status == 404
    assert found.answer.failure is not None
