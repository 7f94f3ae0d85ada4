"""Answers as they come in, counted: what is known of a comparison at any moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from serinus.core.comparison.counts import Count, RouteCounts, authors_own, total
from serinus.core.model import Offer, Verdict, Word
from serinus.judging.visible import first_output_at
from serinus.judging.votes import COUNTING
from serinus.service.answers import Answered
from serinus.service.comparing.plan import Plan
from serinus.service.comparing.prompts import price_of
from serinus.service.comparing.result import Asked, Comparison, Sample
from serinus.service.comparisons import ComparisonState
from serinus.service.paid import billed, paid
from serinus.service.ports import Repeat
from serinus.service.troubles import OWN_FAULT

FAILING_KEPT: Final = 3  # answers of each route
HEALTHY_KEPT: Final = 1
TEXT_KEPT: Final = 4000  # characters of an answer
OWN_FAULTS: Final = 5  # so many refusals of our own key or account from the start, and nothing else


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a running comparison stands after one more answer: `last` is its tag, word and reason."""

    name: str
    done: int
    wanted: int
    cost: float
    last: tuple[str, Word, str] | None
    counts: Mapping[str, Count]
    apart: Mapping[str, int]


class Tally:
    """Counts the answers of one plan. `by_hand` tells how a request is made again."""

    def __init__(self, plan: Plan, by_hand: Repeat) -> None:
        self._plan = plan
        self._by_hand = by_hand
        self._cells: dict[str, dict[str, Count]] = {o.route.tag: {} for o in plan.offers}
        self._apart: dict[str, Counter[Word]] = {o.route.tag: Counter() for o in plan.offers}
        self._samples: list[Sample] = []
        self._sampled: Counter[tuple[str, bool]] = Counter()
        self._reasons: Counter[str] = Counter()
        self.done = 0
        self.cost = 0.0
        self.tokens = 0

    @property
    def only_own_faults(self) -> bool:
        """Whether every answer so far refuses our own key or account, and that is enough to see."""
        return self.done >= OWN_FAULTS and self._reasons[OWN_FAULT] == self.done

    def take(self, answered: Answered, at: datetime) -> Progress:
        """Count one more answer."""
        tag, key = answered.ask.offer.route.tag, answered.ask.probe.key
        verdict = answered.verdicts[self._plan.contract.name]
        if verdict.word in COUNTING:
            one = Count(int(verdict.word is Word.FAIL), 1)
            self._cells[tag][key] = self._cells[tag].get(key, Count()) + one
            self._keep(answered, verdict, at)
        else:
            self._apart[tag][verdict.word] += 1
        self.done += 1
        self._reasons[verdict.reason] += 1
        self._pay(answered)
        return self.progress((tag, verdict.word, verdict.reason))

    def progress(self, last: tuple[str, Word, str] | None = None) -> Progress:
        """Where it stands."""
        return Progress(
            name=self._plan.name,
            done=self.done,
            wanted=len(self._plan.asks),
            cost=self.cost,
            last=last,
            counts={tag: total(cells.values()) for tag, cells in self._cells.items()},
            apart={tag: sum(words.values()) for tag, words in self._apart.items()},
        )

    def comparison(
        self, state: ComparisonState, ended: datetime | None = None, why: str | None = None
    ) -> Comparison:
        """The comparison as it stands."""
        return Comparison(
            asked=asked_of(self._plan),
            state=state,
            routes=tuple(self._route(offer) for offer in self._plan.offers),
            done=self.done,
            cost=self.cost,
            tokens=self.tokens,
            ended=ended,
            why=why,
            samples=tuple(self._samples),
        )

    def _route(self, offer: Offer) -> RouteCounts:
        tag = offer.route.tag
        return RouteCounts(
            tag=tag,
            provider=offer.provider,
            precision=offer.precision,
            own=authors_own(offer.route.model, offer.provider),
            suspect=tag in self._plan.suspects,
            by_prompt=dict(self._cells[tag]),
            apart=dict(self._apart[tag]),
        )

    def _keep(self, answered: Answered, verdict: Verdict, at: datetime) -> None:
        """Keep a few answers to show: of each route the first that failed, and one that did not."""
        bad = verdict.word is Word.FAIL
        kind = (answered.ask.offer.route.tag, bad)
        if self._sampled[kind] < (FAILING_KEPT if bad else HEALTHY_KEPT):
            self._sampled[kind] += 1
            self._samples.append(_sample(answered, verdict, at, self._by_hand, foreign=self._plan.foreign))

    def _pay(self, answered: Answered) -> None:
        """Add what the answer cost; where nothing was counted and text came, what was expected."""
        usage, ask = answered.transcript.answer.usage, answered.ask
        cost = paid(ask.offer, usage)
        if cost is None and answered.transcript.answer.text:
            expected = price_of(ask.probe)
            cost = ask.offer.usd(expected.prompt, expected.answer)
        self.cost += cost or 0.0
        self.tokens += billed(usage)


def asked_of(plan: Plan) -> Asked:
    """What a plan asks, as it is kept."""
    request = plan.request
    return Asked(
        name=plan.name,
        seed=plan.seed,
        model=request.model,
        contract=plan.contract.name,
        promise=plan.contract.promise,
        by=request.by,
        at=plan.at,
        answers=request.answers,
        peer_answers=(request.peer_answers or request.answers) if plan.suspects else request.answers,
        suspects=tuple(sorted(plan.suspects)),
        languages=plan.languages,
        wanted=len(plan.asks),
        left_out=plan.left_out,
        prompts=None if request.prompts is None else len(request.prompts),
        digest=None if request.prompts is None else request.prompts.digest,
    )


def _sample(answered: Answered, verdict: Verdict, at: datetime, by_hand: Repeat, *, foreign: bool) -> Sample:
    ask, answer = answered.ask, answered.transcript.answer
    return Sample(
        tag=ask.offer.route.tag,
        prompt=ask.probe.key,
        word=verdict.word.value,
        reason=verdict.reason,
        at=at,
        detail="" if foreign else verdict.detail,
        language=ask.probe.language,
        generation=answer.ids[0] if answer.ids else None,
        provider=answer.provider,
        first_text=first_output_at(answer),
        by_hand=None if foreign else asdict(by_hand(ask.offer, answered.transcript.probe)),
        text=None if foreign else answered.transcript.text[:TEXT_KEPT],
    )
