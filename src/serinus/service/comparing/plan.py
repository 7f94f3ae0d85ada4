"""What a comparison will ask, in which order, and what that costs, before anything is spent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from serinus.core.comparison.counts import Count
from serinus.core.comparison.power import detectable
from serinus.core.model import Offer, Probe
from serinus.judging.contract import Contract
from serinus.service.comparing import asked, prompts
from serinus.service.comparing.order import ordered
from serinus.service.comparing.price import Estimate, estimate
from serinus.service.comparing.request import ComparisonError, ComparisonRequest, Hands
from serinus.service.planning import Ask
from serinus.service.prompts import records_of, retired


@dataclass(frozen=True, slots=True)
class Plan:
    """A comparison that can be held.

    `asks` are in the order in which they are made, `offers` the routes that are asked, `suspects` the
    tags it is about (empty: all), `left_out` says of other routes why they are not asked. `detectable` is
    the smallest share of bad answers that would stand out four times in five against clean peers.
    """

    name: str
    seed: str
    at: datetime
    request: ComparisonRequest
    contract: Contract
    offers: tuple[Offer, ...]
    suspects: frozenset[str]
    left_out: Mapping[str, str]
    languages: tuple[str, ...]
    asks: tuple[Ask, ...] = field(repr=False)
    estimate: Estimate
    detectable: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def foreign(self) -> bool:
        """Whether an operator's prompts are asked, of which nothing is kept."""
        return self.request.prompts is not None


async def plan(request: ComparisonRequest, hands: Hands) -> Plan:
    """Look at the listing and say what will be asked.

    Raises:
        ComparisonError: it cannot be held so; the message says what is allowed.
    """
    contract = asked.contract_of(request)
    languages = asked.languages_of(request, hands.languages)
    listing = await hands.gateway.discover(request.model)
    if listing.trouble is not None:
        message = f"{request.model} cannot be compared: {listing.trouble}"
        raise ComparisonError(message)
    at = hands.clock()
    name = asked.name_of(request, at)
    seed = request.seed or name
    suspects = asked.suspects_of(request, listing.offers)
    left_out = asked.left_out(request, contract, listing.offers, suspects, hands.controls)
    offers = tuple(o for o in listing.offers if o.route.tag not in left_out)
    asked.check_routes(request, offers, suspects, left_out)
    probes = await _probes(request, hands, contract, languages, seed)
    fully = suspects or frozenset(o.route.tag for o in offers)
    asks = ordered(offers, probes, fully, request.peer_answers or request.answers, seed)
    return Plan(
        name=name,
        seed=seed,
        at=at,
        request=request,
        contract=contract,
        offers=offers,
        suspects=suspects,
        left_out=left_out,
        languages=languages,
        asks=asks,
        estimate=estimate(asks),
        detectable=_power(request, offers, suspects),
        notes=asked.notes_of(request),
    )


async def _probes(
    request: ComparisonRequest, hands: Hands, contract: Contract, languages: Sequence[str], seed: str
) -> tuple[Probe, ...]:
    if request.prompts is not None:
        spoken = request.languages[0] if request.languages else None
        return prompts.foreign_probes(request.prompts, request.answers, spoken)
    gone = retired(records_of(await asyncio.to_thread(hands.store.prompts, request.model)))
    return prompts.own_probes(contract, request.answers, languages, seed, gone)


def _power(request: ComparisonRequest, offers: Sequence[Offer], suspects: frozenset[str]) -> float | None:
    asked = len(suspects) or len(offers)
    each = request.peer_answers or request.answers if suspects else request.answers
    peers = (len(offers) - asked) * each + (asked - 1) * request.answers
    return detectable(request.answers, Count(0, peers), asked)
