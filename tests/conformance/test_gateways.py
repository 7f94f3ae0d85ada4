"""What any gateway must do, whatever its wire format; each is tried against a server that speaks it.

A new gateway joins by a `Venue`: how to open it on hosts that behave in the given ways.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

import pytest

from conformance.claims import CLAIMS, PROBE, ask, verdict
from conformance.venues import MODEL, VENUES, Venue
from serinus.core.model import Limits, Listing, Route, Word
from serinus.core.transcript import End, Phase, Transcript
from serinus.service.ports import Gateway

QUICK = Limits(first_text=0.5, hard=1.0)
HEALTHY = {"alder/fp8": None, "alder/turbo": None, "birch": None}
T = TypeVar("T")


@pytest.fixture(params=VENUES, ids=lambda venue: venue.name)
def venue(request) -> Venue:
    return request.param


def at(
    venue: Venue, hosts: Mapping[str, str | None], use: Callable[[Gateway], Awaitable[T]], listing=None
) -> T:
    async def run() -> T:
        async with venue.open(hosts, listing) as gateway:
            return await use(gateway)

    return asyncio.run(run())


def asked_at(venue: Venue, fault: str | None, limits: Limits = Limits()) -> Transcript:
    """One route with this fault beside a healthy sibling of the same provider, asked once."""

    async def use(gateway: Gateway) -> Transcript:
        listing = await gateway.discover(MODEL)
        offer = next(o for o in listing.offers if o.route.tag == "alder/fp8")
        return await ask(gateway, offer, limits=limits)

    return at(venue, HEALTHY | {"alder/fp8": fault}, use)


def named(venue: Venue, fault: str) -> str:
    """The venue's own name of a fault."""
    if fault not in venue.faults:
        pytest.skip(f"nothing of the kind can be seen through {venue.name}")
    return venue.faults[fault]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_what_holds_at_any_gateway_with_healthy_routes(venue, claim):
    async def use(gateway: Gateway) -> None:
        await claim(gateway, (await gateway.discover(MODEL)).offers)

    at(venue, HEALTHY, use)


def discovered(venue: Venue, fault: str | None = None) -> Listing:
    return at(venue, HEALTHY, lambda gateway: gateway.discover(MODEL), fault)


def test_each_endpoint_is_a_route_of_its_own_under_its_providers_name(venue):
    assert [(o.route, o.provider) for o in discovered(venue).offers] == [
        (Route(MODEL, "alder/fp8"), "alder"),
        (Route(MODEL, "alder/turbo"), "alder"),
        (Route(MODEL, "birch"), "birch"),
    ]


@pytest.mark.parametrize("fault", ["listing fails", "listing is a page", "listing is empty"])
def test_a_listing_that_is_no_listing_is_trouble_and_offers_nothing(venue, fault):
    listing = discovered(venue, named(venue, fault))
    assert listing.offers == ()
    assert listing.trouble


def test_an_error_status_is_kept_with_its_error_and_freezes_the_score(venue):
    found = asked_at(venue, named(venue, "refuses"))
    assert found.status == 429
    assert found.answer.failure is not None
    assert found.answer.failure.where == "http"
    assert verdict("filtering", found).word is Word.TRANSPORT


def test_an_error_inside_the_stream_is_told_from_one_before_it(venue):
    found = asked_at(venue, named(venue, "breaks"))
    assert found.status == 200
    assert found.answer.failure is not None
    assert found.answer.failure.where == "stream"
    assert verdict("filtering", found).word is Word.TRANSPORT


def test_a_reset_inside_an_answer_freezes_the_score(venue):
    found = asked_at(venue, named(venue, "resets"))
    assert found.status == 200
    assert found.end is End.RESET or found.answer.failure is not None
    assert verdict("filtering", found).word is Word.TRANSPORT


def test_a_stream_of_comments_is_held_open_to_the_limit(venue):
    found = asked_at(venue, named(venue, "mute"), QUICK)
    assert (found.status, found.end, found.text) == (200, End.HELD, "")
    assert found.ended is not None
    assert found.ended >= QUICK.hard
    assert verdict("first_token", found).word is Word.FAIL


def test_silence_has_no_status_and_freezes_the_score(venue):
    found = asked_at(venue, named(venue, "silent"), QUICK)
    assert (found.status, found.phase, found.end) == (None, Phase.WAIT, End.HELD)
    assert verdict("first_token", found).word is Word.TRANSPORT


@pytest.mark.parametrize(
    ("venue", "fault"),
    [(venue, fault) for venue in VENUES for fault in venue.foreign],
    ids=lambda value: value if isinstance(value, str) else value.name,
    indirect=["venue"],
)
def test_an_answer_that_is_not_the_routes_own_is_void(venue, fault):
    found = asked_at(venue, fault)
    assert found.status == 200
    assert verdict("filtering", found).word is Word.VOID


def test_only_the_pinned_sibling_is_asked(venue):
    assert asked_at(venue, named(venue, "refuses")).text == ""


def test_what_a_probe_asks_is_what_is_judged(venue):
    assert asked_at(venue, None).probe == PROBE
