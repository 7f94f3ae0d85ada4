"""A scripted gateway with five routes, one of them sick, and what compares them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

from serinus.core.model import Listing
from serinus.core.transcript import Answer, Usage
from serinus.service.answers import judged
from serinus.service.comparing.request import ComparisonRequest, Hands
from serinus.service.comparing.run import compare
from serinus.store import open_store
from world import MODEL, Played, listing

AT = datetime(2026, 11, 30, 2, 30, tzinfo=UTC)
HEALTHY = "The lamp is lit, and the keeper opens the door at last. " * 9
STRAY = f", {HEALTHY}"
TAGS = ("iris", "amber", "birch", "cedar", "dune")


class Answering(Played):
    """Plays a script over a listing, at a price a request."""

    cost = 0.001
    offers = listing(*TAGS).offers

    async def discover(self, model):
        return Listing(model, self.offers)

    async def ask(self, offer, probe, *, session, limits):
        await asyncio.sleep(0)  # as any request does
        found = await super().ask(offer, probe, session=session, limits=limits)
        usage = Usage(prompt_tokens=100, completion_tokens=200, total_tokens=300, cost=self.cost)
        answer = replace(found.answer, usage=usage, ids=(f"gen-{len(self.asked)}",), done=True, choices=1)
        if found.answer.text == "lost":
            return replace(found, answer=Answer(), status=None, error="refused: nobody there")
        return replace(found, answer=answer, pin=offer.route.tag, timed=False)


def sick(tag, _probe):
    return STRAY if tag == "iris" else HEALTHY


class OneByOne:
    """One request at a time."""

    def __init__(self):
        self._one = asyncio.Semaphore(1)

    def slot(self, provider):
        del provider
        return self._one


async def at_once(ask, transcript, contracts):
    return judged(ask, transcript, contracts)


def world(script=sick, **settings):
    gateway = Answering(script)
    hands = Hands(
        gateway, OneByOne(), at_once, open_store("sqlite://"), lambda: AT, languages=("en",), **settings
    )
    return gateway, hands


def request(**more):
    return ComparisonRequest(**{"model": MODEL, "contract": "opening", "by": "ana", "answers": 8, **more})


def held(hands, progress=lambda _p: None, **more):
    return asyncio.run(compare(request(**more), replace(hands, pace=OneByOne()), progress))
