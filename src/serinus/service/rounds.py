"""One pass over all live routes of a model: discover, ask, judge, settle (R1-R14)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from serinus.core.model import Control, Listing, Offer, Turn, Word
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract
from serinus.judging.votes import MORE_VOTES
from serinus.service.answers import Answered, finding, judged, wants_more
from serinus.service.owing import Owed
from serinus.service.planning import Ask, ModelPlan, asks, language_of, round_name
from serinus.service.ports import Gateway, Pace
from serinus.service.round_report import RoundReport, RouteReport

Watch = Callable[[Answered], None]

Judges = Callable[[Ask, Transcript, Sequence[Contract]], Awaitable[Answered]]


def unwatched(answered: Answered) -> None:
    """Watch nothing."""
    del answered


async def judged_here(ask: Ask, transcript: Transcript, contracts: Sequence[Contract]) -> Answered:
    """Judge in a thread of this process: for tests and for answers whose times do not matter."""
    return await asyncio.to_thread(judged, ask, transcript, contracts)


@dataclass(frozen=True, slots=True)
class _RouteTurn:
    """One route's turn, and the contracts that ask in it."""

    offer: Offer
    turn: Turn
    contracts: Sequence[Contract]


@dataclass(frozen=True, slots=True)
class Rounds:
    """Runs rounds of one model through a gateway, at a pace; `retired` prompts are not asked.

    `took` are the seconds that routes took in the round before, by tag. The slowest are asked first:
    starts are paced, and a route that takes six seconds would end the round late if it came last.
    `before` are the nonces of the round before: none of them may be in an answer either.
    """

    gateway: Gateway
    pace: Pace
    plan: ModelPlan
    retired: frozenset[str] = frozenset()
    judges: Judges = judged_here
    watch: Watch = unwatched
    took: Mapping[str, float] = field(default_factory=dict)
    before: frozenset[str] = frozenset()

    async def run(self, at: datetime, index: int, owed: Mapping[str, Owed], listing: Listing) -> RoundReport:
        """Ask every listed route and settle each contract; `index` counts this model's rounds.

        `owed` are the debts by tag.
        """
        name = round_name(self.plan.model, at)
        turns = [
            self._turn(name, index, offer, owed.get(offer.route.tag, Owed())) for offer in listing.offers
        ]
        first = [(t, asks(t.offer, t.turn, t.contracts)) for t in turns]
        nonces = frozenset(n for _, asked in first for ask in asked if (n := ask.probe.expect.nonce))
        slowest = sorted(range(len(turns)), key=lambda n: -self.took.get(turns[n].offer.route.tag, 0.0))
        async with asyncio.TaskGroup() as group:
            tasks = {n: group.create_task(self._route(*first[n], nonces)) for n in slowest}
        routes = tuple(tasks[n].result() for n in range(len(turns)))
        unscored = frozenset(c.name for c in self.plan.contracts if not c.scored)
        return RoundReport(name, at, self.plan.model, listing, routes, self._controls(routes), unscored)

    def _turn(self, name: str, index: int, offer: Offer, debt: Owed) -> _RouteTurn:
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
        return _RouteTurn(offer, turn, contracts)

    async def _route(self, of: _RouteTurn, first: Sequence[Ask], nonces: frozenset[str]) -> RouteReport:
        answered = await self._answers(first, nonces)
        anxious = [c for c in self.plan.contracts if c.scored and wants_more(c, answered)]
        answered += await self._answers(_again(of.offer, of.turn, anxious), nonces)
        found = (finding(of.offer, c, answered) for c in self.plan.contracts)
        return RouteReport(of.offer, of.turn, tuple(answered), tuple(f for f in found if f))

    async def _answers(self, wanted: Sequence[Ask], nonces: frozenset[str]) -> list[Answered]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._answer(_among(ask, nonces, self.before))) for ask in wanted]
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


def nonces_of(report: RoundReport) -> frozenset[str]:
    """The nonces of all that a round asked."""
    asked = (a.ask.probe.expect.nonce for route in report.routes for a in route.answered)
    return frozenset(nonce for nonce in asked if nonce)


def _among(ask: Ask, nonces: frozenset[str], before: frozenset[str]) -> Ask:
    """The request with the nonces of other requests of this round and the last; none may be in its answer."""
    expect = ask.probe.expect
    others = tuple(sorted(nonces - {expect.nonce}))
    earlier = tuple(sorted(before - nonces - {expect.nonce}))
    expect = replace(expect, other_nonces=others, previous_nonces=earlier)
    return replace(ask, probe=replace(ask.probe, expect=expect))


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
