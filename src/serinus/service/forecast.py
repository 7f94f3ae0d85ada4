"""What rounds will cost before they are held: requests, tokens and money, by kind of probe (R34)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import lcm
from typing import Final

from serinus.core.model import Offer, Turn
from serinus.probes.tokens import cost
from serinus.service.planning import Ask, ModelPlan, asks, language_of

KINDS_CYCLE: Final = 4  # structured output and tool call alternate, and each has two variants
MONTH: Final = timedelta(days=30)
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Share:
    """One kind of probe of a model, per round: means over a whole cycle of languages and kinds.

    Tokens and US dollars of all its routes together; `usd` is None if a route has no price.
    `contracts` are those that read its answers.
    """

    kind: str
    contracts: tuple[str, ...]
    requests: float
    prompt_tokens: float
    answer_tokens: float
    capped_tokens: float
    usd: float | None

    @property
    def tokens(self) -> float:
        """What is expected to be billed."""
        return self.prompt_tokens + self.answer_tokens


@dataclass(frozen=True, slots=True)
class Forecast:
    """What one model's rounds will cost."""

    model: str
    routes: int
    unpriced: tuple[str, ...]
    interval: timedelta
    shares: tuple[Share, ...]

    @property
    def requests(self) -> float:
        """Requests a round."""
        return sum(s.requests for s in self.shares)

    @property
    def tokens(self) -> float:
        """Tokens a round."""
        return sum(s.tokens for s in self.shares)

    @property
    def tokens_per_route(self) -> float:
        """Tokens a route and round."""
        return self.tokens / self.routes if self.routes else 0.0

    @property
    def usd(self) -> float:
        """US dollars a round, of the routes that have a price."""
        return sum(s.usd or 0.0 for s in self.shares)

    @property
    def free(self) -> bool:
        """Whether every route has a price and none costs anything: one's own servers, mostly."""
        return not self.unpriced and self.usd == 0

    def rounds_in(self, span: timedelta) -> float:
        """How many rounds are held in that time."""
        return span / self.interval


def forecast(plan: ModelPlan, offers: Sequence[Offer], interval: timedelta) -> Forecast:
    """The mean over a cycle in which every language meets every kind of probe.

    Further votes after an anomaly are not in it: at 1 % anomalies they add about 2 %.
    """
    rounds = lcm(len(plan.languages), KINDS_CYCLE) * (2 if plan.lean else 1)
    asked = [ask for offer in offers for ask in _cycle(plan, offer, rounds)]
    kinds = sorted({ask.probe.kind for ask in asked})
    shares = tuple(_share(plan, kind, [a for a in asked if a.probe.kind == kind], rounds) for kind in kinds)
    unpriced = tuple(o.route.tag for o in offers if not o.priced)
    return Forecast(plan.model, len(offers), unpriced, interval, shares)


def _cycle(plan: ModelPlan, offer: Offer, rounds: int) -> Iterator[Ask]:
    for round_index in range(rounds):
        index, contracts = plan.asked(round_index, frozenset())
        language = language_of(index, plan.languages)
        turn = Turn("forecast", index, offer.route.tag, language, claims=offer.claims or None)
        yield from asks(offer, turn, contracts)


def _share(plan: ModelPlan, kind: str, asked: Sequence[Ask], rounds: int) -> Share:
    costs = [(ask.offer, cost(ask.probe)) for ask in asked]
    usd = [offer.usd(c.prompt, c.answer) for offer, c in costs]
    priced = [u for u in usd if u is not None]
    return Share(
        kind=kind,
        contracts=tuple(c.name for c in plan.contracts if kind in c.kinds),
        requests=len(asked) / rounds,
        prompt_tokens=sum(c.prompt for _, c in costs) / rounds,
        answer_tokens=sum(c.answer for _, c in costs) / rounds,
        capped_tokens=sum(c.prompt + c.cap for _, c in costs) / rounds,
        usd=sum(priced) / rounds if priced else None,
    )
