"""The gateway itself in trouble: restarts, flapping listings, storms, a lost name; and clocks that jump."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from raw_server import Peer
from serinus.core.model import Word
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.secret import Secret
from troubled import HALF_HOUR, TROUBLES, Wire, World, live

TAGS = ("amber", "birch", "cobalt", "dune")


def words(world: World) -> set[Word]:
    return {word for said in world.words("first_token").values() for word in said}


def test_a_gateway_that_restarts_in_mid_round_freezes_what_it_broke_and_no_more():
    async def story(world: World) -> None:
        await world.round()
        begun = world.wire.seen
        world.wire.deaf = lambda seen: seen > begun + 3  # the listing and some answers get through
        await world.round()
        world.wire.deaf = lambda _seen: False
        await world.round()

    world = live(Wire(TAGS), story)
    assert [len(o.report.routes) for o in world.outcomes] == [4, 4, 4]
    second = {f.verdict.word for r in world.outcomes[1].report.routes for f in r.findings}
    assert Word.TRANSPORT in second
    assert Word.FAIL not in second
    third = {f.verdict.word for r in world.outcomes[2].report.routes for f in r.findings}
    assert third <= {Word.PASS, Word.WARN, Word.NOT_APPLICABLE}
    assert world.suspended() == set()


def test_a_gateway_that_is_down_for_rounds_suspends_nobody_and_its_hosts_stay_known():
    async def story(world: World) -> None:
        await world.round()
        world.wire.deaf = lambda _seen: True
        for _ in range(3):
            await world.round()

    world = live(Wire(TAGS), story)
    assert [len(o.report.routes) for o in world.outcomes] == [4] * 4  # the last known listing stands
    assert all(o.trouble for o in world.outcomes[1:])
    assert words(world) == {Word.PASS, Word.TRANSPORT}
    assert world.suspended() == set()


async def refused(peer: Peer, head: bytes, _body: bytes) -> None:
    """A filter, told at once."""
    said = {"id": "g", "provider": "Amber", "model": "acme/story-70b", "object": "chat.completion.chunk"}
    choice = {"index": 0, "delta": {"content": ""}, "finish_reason": "content_filter"}
    await peer.send(head + f"data: {json.dumps({**said, 'choices': [choice]})}\n\ndata: [DONE]\n\n".encode())


async def empty(peer: Peer, head: bytes, _body: bytes) -> None:
    await peer.send(head + b'{"data": {"id": "acme/story-70b", "name": "x", "endpoints": []}}')


async def page(peer: Peer, _head: bytes, _body: bytes) -> None:
    await peer.send(b"HTTP/1.1 503 Gone\r\nContent-Type: text/html\r\n\r\n<html>busy</html>")


async def half(peer: Peer, head: bytes, body: bytes) -> None:
    await peer.send(head + body[: len(body) // 2])


async def broken(peer: Peer, _head: bytes, _body: bytes) -> None:
    peer.reset()


@pytest.mark.parametrize("spoil", [empty, page, half, broken], ids=lambda s: s.__name__)
def test_a_listing_that_flaps_takes_no_host_away(spoil):
    async def story(world: World) -> None:
        for number in range(4):
            world.wire.listing = spoil if number % 2 else None
            await world.round()

    world = live(Wire(TAGS), story)
    assert [len(o.report.routes) for o in world.outcomes] == [4] * 4
    assert [bool(o.trouble) for o in world.outcomes] == [False, True, False, True]
    assert words(world) == {Word.PASS}
    assert world.suspended() == set()


def test_a_storm_of_429_freezes_everybody_and_its_retry_after_holds_nothing_up():
    async def story(world: World) -> None:
        for storming in (False, True, True, True, False):
            world.wire.spoils = dict.fromkeys(TAGS, TROUBLES["storm"].spoil) if storming else {}
            await world.round()

    world = live(Wire(TAGS), story)
    assert [sum(len(r.answered) for r in o.report.routes) for o in world.outcomes] == [
        8,
        4,
        8,
        4,
        8,
    ]  # no second try
    assert words(world) == {Word.PASS, Word.TRANSPORT}
    assert world.suspended() == set()


def test_a_name_that_is_gone_is_a_transport_error():
    async def story(world: World) -> None:
        await world.round()
        gone = OpenRouter(world.prober, Secret("sk-simulated"), base_url="http://no-such-host.invalid/api/v1")
        world.canary.gateway = gone
        for _ in range(2):
            await world.round()

    world = live(Wire(TAGS), story)
    assert words(world) == {Word.PASS, Word.TRANSPORT}
    assert all("dns" in (o.trouble or "") for o in world.outcomes[1:])
    assert world.suspended() == set()


@pytest.mark.parametrize(
    "jumps",
    [
        (HALF_HOUR, -2 * HALF_HOUR, HALF_HOUR, HALF_HOUR),
        (HALF_HOUR, timedelta(days=1), HALF_HOUR, HALF_HOUR),
        (HALF_HOUR, timedelta(days=-400), HALF_HOUR, timedelta(days=400)),
        (timedelta(0), timedelta(seconds=1), HALF_HOUR, HALF_HOUR),
    ],
    ids=["back", "forward", "years", "stands_still"],
)
def test_a_clock_that_jumps_between_rounds_suspends_nobody_in_health(jumps):
    async def story(world: World) -> None:
        for jump in jumps:
            await world.round(jump)

    world = live(Wire(TAGS), story)
    assert world.suspended() == set()
    assert words(world) <= {Word.PASS}


@pytest.mark.parametrize("jump", [timedelta(hours=-3), timedelta(hours=3)], ids=["back", "forward"])
def test_a_clock_that_jumps_inside_a_round_changes_no_time_of_an_answer(jump):
    async def story(world: World) -> None:
        async def late(peer: Peer, head: bytes, body: bytes) -> None:
            world.now += jump
            await peer.send(head + body)

        world.wire.spoils = {"amber": late}
        for _ in range(2):
            await world.round()

    world = live(Wire(TAGS), story)
    assert words(world) == {Word.PASS}
    assert world.suspended() == set()


def test_a_bad_host_is_caught_once_whatever_the_clock_does_meanwhile():
    async def story(world: World) -> None:
        world.wire.spoils = {"amber": refused}
        await world.round(timedelta(minutes=-90))  # the clock is set back behind the round
        await world.round(timedelta(minutes=90))
        await world.round(HALF_HOUR)
        await world.round(HALF_HOUR)

    world = live(Wire(TAGS), story)
    assert world.suspended() == {"amber"}
