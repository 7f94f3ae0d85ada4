"""What observe mode would have done, and how often it would have been wrong (R17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from serinus.core import explain
from serinus.core.exclusions import provider_of
from serinus.core.intervals import Interval, wilson
from serinus.core.model import Word
from serinus.core.policy import Kind, Lane, Policy, State
from serinus.core.policy.lanes import lane_of
from serinus.service.observed import Observed, Seen, Span, observed
from serinus.service.storage import Store

DAYS_WANTED: Final = 7  # of observation before enforcing is advised
BEFORE_ENFORCING: Final = timedelta(days=14)  # what is looked at before
SOON: Final = 2  # rounds after which a restored route's fault looks like none
PEERS: Final = 2  # other providers that must have failed too, and a quarter of them
MARGIN: Final = timedelta(days=1)  # before the period: streaks began there


@dataclass(frozen=True, slots=True)
class Would:
    """A would-be suspension, how long it would have lasted in the period, and what speaks against it.

    `seq` is the number to mark. `signs` are codes: `peers_failed` (the contract failed alone, and other
    providers failed it too), `restored_soon` (clean in the very next rounds), `round_void` (the probe
    was suspected around that time).
    """

    span: Span
    seq: int
    hours: float
    mark: bool | None
    signs: tuple[str, ...]

    @property
    def doubtful(self) -> bool:
        """Whether it looks false by itself and nobody has looked at it."""
        return self.mark is None and bool(self.signs)


@dataclass(frozen=True, slots=True)
class Share:
    """How often a contract failed on a route whose other contracts were all kept in that round.

    Rounds that led to a suspension for it, and those under one, are left out: these are judged by marks.
    """

    fails: int
    of: int

    @property
    def interval(self) -> Interval:
        """Where the true share lies, at 95 %."""
        return wilson(self.fails, self.of)


@dataclass(frozen=True, slots=True)
class ContractReport:
    """One contract of a model: `days` in which it was asked in observe mode, and what it led to there."""

    contract: str
    lane: Lane
    days: int
    would: tuple[Would, ...]
    share: Share

    @property
    def right(self) -> int:
        """Would-be suspensions that operators marked right."""
        return sum(w.mark is True for w in self.would)

    @property
    def wrong(self) -> int:
        """Would-be suspensions that operators marked wrong."""
        return sum(w.mark is False for w in self.would)

    @property
    def wrong_share(self) -> Interval:
        """The share of wrong ones among the marked, at 95 %."""
        return wilson(self.wrong, self.right + self.wrong)

    @property
    def unmarked(self) -> int:
        """Those that nobody marked."""
        return sum(w.mark is None for w in self.would)

    @property
    def doubtful(self) -> int:
        """Those that look false by signs of their own and are not marked."""
        return sum(w.doubtful for w in self.would)

    @property
    def advice(self) -> str:
        """What to do, as a code: `enforced`, `observe`, `wrong`, `mark` or `enforce`."""
        if self.lane is Lane.REAL:
            return "enforced"
        if self.days < DAYS_WANTED:
            return "observe"
        if self.wrong:
            return "wrong"
        return "mark" if self.unmarked else "enforce"


@dataclass(frozen=True, slots=True)
class ModelReport:
    """One model over a period. `floor_rounds` are those in which the floor alone held a route back."""

    model: str
    since: datetime
    at: datetime
    rounds: int
    days: int
    routes: int
    would: tuple[Would, ...]
    floor_rounds: int
    contracts: tuple[ContractReport, ...]

    @property
    def hours(self) -> float:
        """Route-hours that would have been excluded."""
        return sum(w.hours for w in self.would)

    @property
    def rounds_a_day(self) -> float:
        """How often it was asked on the days on which it was."""
        return self.rounds / self.days if self.days else 0.0


@dataclass(frozen=True, slots=True)
class Prospect:
    """What to enforce would change of a model: its report, and the contracts that are only observed."""

    report: ModelReport
    changed: tuple[ContractReport, ...]

    @classmethod
    def of(cls, report: ModelReport, contract: str | None) -> Prospect:
        """Of one contract, or of all."""
        changed = (c for c in report.contracts if contract in (None, c.contract) and c.lane is not Lane.REAL)
        return cls(report, tuple(changed))

    @property
    def shortage(self) -> str | None:
        """That it was observed for less than is wanted, as a sentence; None where it was not (R17)."""
        days = min((c.days for c in self.changed), default=0)
        if days >= DAYS_WANTED:
            return None
        return explain.of_short_observation(self.report.model, days, DAYS_WANTED)


@dataclass(frozen=True, slots=True)
class Period:
    """What is looked at: the policy and state that stand, from when until when."""

    policy: Policy
    state: State
    since: datetime
    at: datetime


def observe_report(store: Store, model: str, period: Period) -> ModelReport:
    """What observe mode would have done to a model in a period."""
    past = observed(store, model, period.policy.mode, period.since - MARGIN)
    within = [r for r in past.rounds if period.since <= r.at <= period.at]
    marks = store.marks()
    would = tuple(
        _would(past, span, marks, period)
        for span in past.spans
        if span.lane is Lane.SHADOW and span.overlaps(period.since, period.at)
    )
    shares = _shares(past, within)
    contracts = sorted(
        {c for seen in within for c in seen.lanes} | {c for w in would for c in w.span.contracts}
    )
    return ModelReport(
        model=model,
        since=period.since,
        at=period.at,
        rounds=len(within),
        days=len({r.at.date() for r in within}),
        routes=len({tag for r in within for tag in r.readings}),
        would=would,
        floor_rounds=sum(any(_held(hold, r.at) for hold in past.holds) for r in within),
        contracts=tuple(
            ContractReport(
                contract=c,
                lane=lane_of(period.policy.mode, period.state.modes, model, c),
                days=len(_shadow_days(within, c)),
                would=tuple(w for w in would if c in w.span.contracts),
                share=shares.get(c, Share(0, 0)),
            )
            for c in contracts
        ),
    )


def _held(hold: tuple[datetime, datetime | None], at: datetime) -> bool:
    begun, over = hold
    return begun <= at and (over is None or at < over)


def _shadow_days(rounds: Iterable[Seen], contract: str) -> set[date]:
    return {r.at.date() for r in rounds if r.lanes.get(contract) is Lane.SHADOW}


def _would(past: Observed, span: Span, marks: Mapping[int, bool], period: Period) -> Would:
    begin = max(span.since, period.since)
    over = min(span.ended or period.at, period.at)
    said = [marks[seq] for seq in span.seqs if seq in marks]
    hours = max(0.0, (over - begin) / timedelta(hours=1))
    return Would(span, span.seqs[0], hours, said[-1] if said else None, tuple(_signs(past, span)))


def _signs(past: Observed, span: Span) -> list[str]:
    """What makes a suspension look false, without asking anybody."""
    after = [r.at for r in past.rounds if r.at > span.since]
    streaks = {c: _streak(past, span, c) for c in span.contracts}
    signs = []
    if all(rounds and all(_alone(r, span.route, c) for r in rounds) for c, rounds in streaks.items()):
        signs.append("peers_failed")
    if span.end is Kind.RESTORED and span.ended and len([at for at in after if at <= span.ended]) <= SOON:
        signs.append("restored_soon")
    first = min((r.at for rounds in streaks.values() for r in rounds), default=span.since)
    last = after[SOON - 1] if len(after) >= SOON else span.since
    if any(first <= at <= max(last, span.since) and c in span.contracts for at, c in past.voids):
        signs.append("round_void")
    return signs


def _streak(past: Observed, span: Span, contract: str) -> list[Seen]:
    """The failing rounds of a contract on which a suspension rests."""
    failed = [
        r
        for r in past.rounds
        if r.at <= span.since and r.readings.get(span.route, {}).get(contract) is Word.FAIL
    ]
    return failed[-span.streak.get(contract, SOON) :]


def _alone(seen: Seen, tag: str, contract: str) -> bool:
    """Whether only this contract failed on the route, and enough other providers failed it too."""
    others = {c: w for c, w in seen.readings.get(tag, {}).items() if c != contract}
    if Word.FAIL in others.values():
        return False
    own = provider_of(tag, seen.providers)
    peers: dict[str, set[Word]] = {}
    for peer, words in seen.readings.items():
        provider = provider_of(peer, seen.providers)
        if provider != own and words.get(contract) in {Word.PASS, Word.FAIL}:
            peers.setdefault(provider, set()).add(words[contract])
    failing = sum(Word.FAIL in words for words in peers.values())
    return failing >= PEERS and failing * 4 >= len(peers)


def _shares(past: Observed, rounds: Sequence[Seen]) -> dict[str, Share]:
    """By contract, how often it failed alone where nothing came of it."""
    led = {
        (span.route, c, r.at) for span in past.spans for c in span.contracts for r in _streak(past, span, c)
    }
    spans: dict[str, list[Span]] = {}
    for span in past.spans:
        spans.setdefault(span.route, []).append(span)
    fails: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for seen in rounds:
        for tag, words in seen.readings.items():
            confined = {c for s in spans.get(tag, ()) if s.covers(seen.at) for c in s.contracts}
            for contract in _counting(words):
                if contract in confined or (tag, contract, seen.at) in led:
                    continue
                asked[contract] += 1
                fails[contract] += words[contract] is Word.FAIL
    return {c: Share(fails[c], asked[c]) for c in asked}


def _counting(words: Mapping[str, Word]) -> list[str]:
    """The contracts of a route that count and whose others were all kept in that round."""
    bad = [c for c, w in words.items() if w is not Word.PASS]
    if len(words) < 2 or len(bad) > 1:  # noqa: PLR2004  a contract and at least one other
        return []
    if not bad:
        return list(words)
    return bad if words[bad[0]] is Word.FAIL else []
