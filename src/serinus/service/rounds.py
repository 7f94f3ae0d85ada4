"""One pass over all live routes of a model: discover, ask, judge, settle (R1-R14)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import isfinite
from typing import Final

from serinus.core.model import Control, Finding, Listing, Offer, Round, Turn, Verdict, Word
from serinus.core.transcript import Transcript, Usage
from serinus.judging.contract import Contract
from serinus.judging.votes import MORE_VOTES
from serinus.service.answers import Answered, finding, judged, wants_more
from serinus.service.fingerprint import Shift, shifts
from serinus.service.owing import Owed
from serinus.service.planning import Ask, ModelPlan, asks, language_of, round_name
from serinus.service.ports import Gateway, Pace

Watch = Callable[[Answered], None]

FANTASTIC: Final = 10**9  # tokens of one answer that no host can have counted
Judges = Callable[[Ask, Transcript, Sequence[Contract]], Awaitable[Answered]]


def unwatched(answered: Answered) -> None:
    """Watch nothing."""
    del answered


async def judged_here(ask: Ask, transcript: Transcript, contracts: Sequence[Contract]) -> Answered:
    """Judge in a thread of this process: for tests and for answers whose times do not matter."""
    return await asyncio.to_thread(judged, ask, transcript, contracts)


@dataclass(frozen=True, slots=True)
class RouteReport:
    """What one route was asked in a round, what came back, and each contract's finding."""

    offer: Offer
    turn: Turn
    answered: tuple[Answered, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class RoundReport:
    """One round as it went; `record` is what the policy sees of it."""

    name: str
    at: datetime
    model: str
    listing: Listing
    routes: tuple[RouteReport, ...] = ()
    controls: Mapping[str, Control] = field(default_factory=dict)
    unscored: frozenset[str] = frozenset()

    @property
    def record(self) -> Round:
        """The round as a value for the policy: settled words of the contracts that are scored."""
        return Round(
            at=self.at,
            model=self.model,
            live=frozenset(r.offer.route.tag for r in self.routes),
            results={r.offer.route.tag: self._words(r) for r in self.routes},
            controls=self.controls,
            providers={r.offer.route.tag: r.offer.provider for r in self.routes},
        )

    def _words(self, report: RouteReport) -> dict[str, Word]:
        control = report.offer.route.tag in self.controls
        return {
            f.contract: f.verdict.word
            for f in report.findings
            if f.contract not in self.unscored and not (control and f.contract == "filtering")
        }

    @property
    def cost(self) -> float:
        """US dollars that the gateway reported for this round's answers."""
        costs = (u.cost for u in self._usages if u.cost is not None)
        return sum(c for c in costs if isfinite(c) and c >= 0)  # a gateway may report anything

    @property
    def tokens(self) -> int:
        """Tokens that the gateway reported for this round's answers."""
        return sum(t for u in self._usages if 0 <= (t := u.total_tokens or 0) < FANTASTIC)

    @property
    def _usages(self) -> list[Usage]:
        usages = (a.transcript.answer.usage for r in self.routes for a in r.answered)
        return [u for u in usages if u is not None]

    @property
    def shifts(self) -> tuple[Shift, ...]:
        """Routes whose count of the same prompt stands apart."""
        return shifts([a for r in self.routes for a in r.answered])

    @property
    def voids(self) -> tuple[tuple[str, Verdict], ...]:
        """Answers that were not the route's own, as (tag, verdict): an operator is told (R3)."""
        return tuple(
            (r.offer.route.tag, next(v for v in a.verdicts.values() if v.word is Word.VOID))
            for r in self.routes
            for a in r.answered
            if any(v.word is Word.VOID for v in a.verdicts.values())
        )


@dataclass(frozen=True, slots=True)
class Rounds:
    """Runs rounds of one model through a gateway, at a pace; `retired` prompts are not asked."""

    gateway: Gateway
    pace: Pace
    plan: ModelPlan
    retired: frozenset[str] = frozenset()
    judges: Judges = judged_here
    watch: Watch = unwatched

    async def run(self, at: datetime, index: int, owed: Mapping[str, Owed], listing: Listing) -> RoundReport:
        """Ask every listed route and settle each contract; `index` counts this model's rounds.

        `owed` are the debts by tag.
        """
        name = round_name(self.plan.model, at)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._route(name, index, offer, owed)) for offer in listing.offers]
        routes = tuple(task.result() for task in tasks)
        unscored = frozenset(c.name for c in self.plan.contracts if not c.scored)
        return RoundReport(name, at, self.plan.model, listing, routes, self._controls(routes), unscored)

    async def _route(self, name: str, index: int, offer: Offer, owed: Mapping[str, Owed]) -> RouteReport:
        debt = owed.get(offer.route.tag, Owed())
        index, contracts = self.plan.asked(index, debt.contracts)
        turn = Turn(
            round=name,
            index=index,
            tag=offer.route.tag,
            language=language_of(index, self.plan.languages, debt.languages),
            claims=offer.claims,
            owed=debt.contracts,
            retired=self.retired,
        )
        answered = await self._answers(asks(offer, turn, contracts))
        anxious = [c for c in self.plan.contracts if c.scored and wants_more(c, answered)]
        answered += await self._answers(_again(offer, turn, anxious))
        found = (finding(offer, c, answered) for c in self.plan.contracts)
        return RouteReport(offer, turn, tuple(answered), tuple(f for f in found if f))

    async def _answers(self, wanted: Sequence[Ask]) -> list[Answered]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._answer(ask)) for ask in wanted]
        return [task.result() for task in tasks]

    async def _answer(self, ask: Ask) -> Answered:
        async with self.pace.slot(ask.offer.provider):
            transcript = await self.gateway.ask(
                ask.offer, ask.probe, session=ask.session, limits=self.plan.limits
            )
        if ask.offer.route.tag in self.plan.controls:
            transcript = replace(transcript, control=True)
        answered = await self.judges(ask, transcript, self.plan.contracts)
        self.watch(answered)
        return answered

    def _controls(self, routes: Sequence[RouteReport]) -> dict[str, Control]:
        words = {
            r.offer.route.tag: f.verdict.word for r in routes for f in r.findings if f.contract == "filtering"
        }
        return {tag: _control(words.get(tag)) for tag in sorted(self.plan.controls)}


def _again(offer: Offer, turn: Turn, contracts: Sequence[Contract]) -> tuple[Ask, ...]:
    """Two more attempts of the contracts that saw an anomaly: another prompt, a fresh nonce (R13)."""
    owed = turn.owed | {c.name for c in contracts}
    turns = (replace(turn, attempt=1 + n, owed=owed) for n in range(MORE_VOTES))
    return tuple(ask for again in turns for ask in asks(offer, again, contracts))


def _control(word: Word | None) -> Control:
    """What a control's filtering verdict says of the probe (R8): `pass` means that it refused."""
    if word is Word.PASS:
        return Control.CAUGHT
    return Control.PASSED if word is Word.WEAK else Control.UNREACHABLE
