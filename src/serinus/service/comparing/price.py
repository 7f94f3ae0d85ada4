"""What a comparison costs, before it is paid for, and whether it may be (R34)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from serinus.service.comparing.prompts import price_of
from serinus.service.comparing.request import ComparisonRequest
from serinus.service.planning import Ask


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the requests will take by the listing's prices: tokens and US dollars of all of them together.

    `usd` is what is expected, `most` what it is if every answer runs to its cap. Routes without a price
    are in `unpriced` and in neither sum.
    """

    requests: int = 0
    tokens: int = 0
    usd: float = 0.0
    most: float = 0.0
    unpriced: tuple[str, ...] = ()


def estimate(asks: Sequence[Ask]) -> Estimate:
    """What these requests will take."""
    tokens, usd, most = 0, 0.0, 0.0
    unpriced: dict[str, None] = {}
    for ask in asks:
        cost = price_of(ask.probe)
        tokens += cost.total
        expected = ask.offer.usd(cost.prompt, cost.answer)
        if expected is None:
            unpriced[ask.offer.route.tag] = None
            continue
        usd += expected
        most += ask.offer.usd(cost.prompt, cost.cap) or 0.0
    return Estimate(len(asks), tokens, usd, most, tuple(unpriced))


def refusal(request: ComparisonRequest, expected: float, spent: float, budget: float) -> str | None:
    """Why a comparison may not be held: it costs more than its leave, or than the day's budget has left.

    All in US dollars; `spent` is what the day has cost so far.
    """
    if request.yes:
        return None
    if request.leave is not None:
        if expected <= request.leave:
            return None
        return (
            f"It would cost about {expected:.4f} USD, and {request.leave:.4f} USD may be spent. Ask less, or "
            "give it a larger budget."
        )
    left = max(0.0, budget - spent)
    if expected <= left:
        return None
    return (
        f"It would cost about {expected:.4f} USD, and the day's budget of {budget:.2f} USD has "
        f"{left:.4f} USD left. Ask less, or give it a budget of its own (with the command: --budget)."
    )


def cap(request: ComparisonRequest, spent: float, budget: float) -> float:
    """At how many US dollars of its own a comparison stops, whatever was expected."""
    if request.yes:
        return float("inf")
    return request.leave if request.leave is not None else max(0.0, budget - spent)
