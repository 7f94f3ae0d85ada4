"""Probe now: one route asked at once by an operator. It is shown, paid for, and feeds no streak."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from serinus.core.model import Listing
from serinus.judging.contract import Contract
from serinus.service.comparing.request import Hands
from serinus.service.owing import Debt, Owed
from serinus.service.planning import ModelPlan
from serinus.service.prompts import records_of, retired
from serinus.service.round_report import RouteReport
from serinus.service.rounds import Rounds, Watch, unwatched


class NoSuchRouteError(LookupError):
    """The route is not live, or the listing could not be had; the message says what is."""


async def probe_now(  # noqa: PLR0913  each is a choice of whoever asks
    model: str,
    tag: str,
    contracts: Sequence[Contract],
    hands: Hands,
    *,
    language: str | None = None,
    watch: Watch = unwatched,
) -> RouteReport:
    """Ask one route what these contracts ask, once, with two more votes where one fails (R13).

    All of them are asked, also those whose turn it would not be. What it cost is noted in the store; no
    finding is written there, so that nothing counts in any round. `language` is the first of the model's
    where it is None.

    Raises:
        NoSuchRouteError: the model has no such live route now.
        StoreError: what it cost cannot be noted.
    """
    at = hands.clock()
    listing = await hands.gateway.discover(model)
    offer = next((o for o in listing.offers if o.route.tag == tag), None)
    if listing.trouble is not None or offer is None:
        live = ", ".join(o.route.tag for o in listing.offers) or "none"
        message = f"{tag} of {model} cannot be probed: {listing.trouble or f'live are {live}'}"
        raise NoSuchRouteError(message)
    spoken = language or hands.languages[0]
    plan = ModelPlan(model, (spoken,), tuple(contracts), hands.controls, hands.limits)
    gone = retired(records_of(await asyncio.to_thread(hands.store.prompts, model)))
    await hands.ready()
    rounds = Rounds(hands.gateway, hands.pace, plan, gone, hands.judges, watch)
    owed = Owed(tuple(Debt(c.name) for c in contracts))
    report = await rounds.run(at, 0, {tag: owed}, Listing(model, (offer,)))
    await asyncio.to_thread(hands.store.spend, f"probe of {tag}", at, report.cost, report.tokens)
    return report.routes[0]
