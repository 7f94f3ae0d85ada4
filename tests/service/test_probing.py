"""Probing one route now: asked with all votes, paid for, and no part of any round."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from compared import AT, HEALTHY, OneByOne, sick, world
from serinus.contracts import by_name
from serinus.core.model import Word
from serinus.service.probing import NoSuchRouteError, probe_now
from world import MODEL

CONTRACTS = (by_name("opening"), by_name("language"), by_name("structured_output"), by_name("tool_call"))


def probed(tag="iris", script=sick, **more):
    gateway, hands = world(script)
    able = frozenset({"structured_outputs", "tools"})
    gateway.offers = tuple(replace(o, claims=able) for o in gateway.offers)
    hands = replace(hands, pace=OneByOne())
    return gateway, hands, asyncio.run(probe_now(MODEL, tag, CONTRACTS, hands, **more))


def test_a_failure_asks_two_more_votes():
    gateway, _, found = probed()
    words = {f.contract: f.verdict.word for f in found.findings}
    assert words["opening"] is Word.FAIL
    assert [len(f.votes) for f in found.findings if f.contract == "opening"] == [3]
    assert {tag for tag, _, _ in gateway.asked} == {"iris"}


def test_every_contract_is_asked_whosever_turn_it_is():
    gateway, _, _ = probed("amber")
    assert {probe.kind for _, probe, _ in gateway.asked} == {"roleplay", "structured", "tool_call"}


def test_it_is_paid_for_and_written_to_no_round():
    _, hands, found = probed("amber", lambda _t, _p: HEALTHY)
    assert hands.store.spent(AT.date()) == pytest.approx(0.001 * len(found.answered))
    assert hands.store.rounds(MODEL, since=AT - timedelta(days=1)) == []
    assert list(hands.store.log()) == []


def test_a_route_that_is_not_live_is_told_with_those_that_are():
    with pytest.raises(
        NoSuchRouteError, match="nobody of acme/story-70b cannot be probed: live are iris, amber"
    ):
        probed("nobody")
