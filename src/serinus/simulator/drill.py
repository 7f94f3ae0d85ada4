"""Days on a simulated gateway in minutes, under logical time: what a canary would have done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from serinus.core.model import Word
from serinus.core.policy import Decision, Kind, Lane, Policy
from serinus.core.policy.floor import View, capacity
from serinus.service.canary import Canary, Outcome
from serinus.service.documents import offers_of
from serinus.service.forecast import forecast
from serinus.service.planning import ModelPlan
from serinus.service.ports import Pace
from serinus.service.rounds import Judges, judged_here
from serinus.service.storage import Store
from serinus.simulator.faults import catalogue
from serinus.simulator.faults.registry import Stage
from serinus.simulator.in_process import in_process
from serinus.simulator.scenario import FaultUse, Host, Scenario

BEGAN: Final = datetime(2026, 1, 5, tzinfo=UTC)  # a Monday; any instant serves
PERSISTENT: Final = 0.95  # the share of bad answers from which a fault must be caught
HEALTHY: Final = 0.05  # up to which hosts err as any does, and are wronged by a suspension
# Transport, the listing and a new name are no fault of an answer.
BLAMELESS: Final = frozenset({Stage.STATUS, Stage.LISTING, Stage.HOST})


@dataclass(frozen=True, slots=True)
class Onset:
    """A fault that a host has for good, and from when."""

    tag: str
    fault: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Caught:
    """The first suspension of a faulty host.

    `rounds` are those since the fault began, `failing` those of them in which a contract that the
    suspension rests on settled as failed: a fault in 95 % of answers lets a round pass now and then.
    """

    onset: Onset
    at: datetime
    contracts: tuple[str, ...]
    rounds: int
    failing: int


@dataclass(slots=True)
class DrillReport:
    """What happened, against what the scenario did.

    In US dollars: `usd` is what answers reported, `charged` what the gateway took, `forecast` what was
    to be expected without further votes, of which faulty hosts cause many.
    """

    model: str
    onsets: tuple[Onset, ...]
    rounds: int = 0
    probes: int = 0
    usd: float = 0.0
    charged: float = 0.0
    forecast: float = 0.0
    caught: list[Caught] = field(default_factory=list)
    wrong: list[tuple[datetime, str, tuple[str, ...]]] = field(default_factory=list)
    held: list[tuple[datetime, str]] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)
    least_capacity: int | None = None
    healthy_host_days: float = 0.0

    @property
    def missed(self) -> tuple[Onset, ...]:
        """Faults that should have been caught and were not."""
        tags = {c.onset.tag for c in self.caught}
        return tuple(o for o in self.onsets if o.tag not in tags)


Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Drill:
    """One drill: a scenario of one model, for so long, with a round each interval."""

    scenario: Scenario
    plan: ModelPlan
    policy: Policy
    store: Store
    pace: Pace
    length: timedelta = timedelta(hours=48)
    interval: timedelta = timedelta(minutes=30)
    judges: Judges = judged_here

    async def run(self, progress: Progress) -> DrillReport:
        """Hold every round of the drill and compare what was decided with what was wrong."""
        gateway, prober = in_process(self.scenario, BEGAN)
        canary = Canary(
            store=self.store,
            gateway=gateway,
            pace=self.pace,
            policy=self.policy,
            plans={self.plan.model: self.plan},
            clock=lambda: prober.now,
            judges=self.judges,
        )
        in_time = BEGAN + self.length - 2 * self.interval  # later, two rounds cannot fail any more
        begun = (o for o in onsets(self.scenario.hosts) if o.since <= in_time)
        report = DrillReport(self.plan.model, tuple(begun))
        rounds = int(self.length / self.interval)
        for n in range(rounds):
            outcome = await canary.round(self.plan.model, prober.now)
            if outcome is not None:
                self._compare(report, outcome)
            progress(n + 1, rounds)
            prober.advance(self.interval)
        report.charged = prober.desk.ledger.spent
        offers = offers_of(self.store.listing(self.plan.model))
        report.forecast = forecast(self.plan, offers, self.interval).usd * report.rounds
        report.healthy_host_days = healthy(self.scenario.hosts, self.length) / timedelta(days=1)
        for _, notice in self.store.outbox("drill", limit=100_000):
            report.told[notice.kind] += 1
        return report

    def _compare(self, report: DrillReport, outcome: Outcome) -> None:
        report.rounds += 1
        report.probes += sum(len(r.answered) for r in outcome.report.routes)
        report.usd += outcome.report.cost
        for decision in outcome.entries:
            if isinstance(decision, Decision) and decision.route is not None:
                self._weigh(report, decision, outcome)

    def _weigh(self, report: DrillReport, decision: Decision, outcome: Outcome) -> None:
        tag, contracts = decision.route or "", decision.contracts or ()
        if decision.kind is Kind.HELD_AT_FLOOR:
            report.held.append((decision.at, tag))
        if decision.kind is not Kind.SUSPENDED:
            return
        view = View(report.model, decision.lane or Lane.REAL, decision.at)
        left = capacity(self.policy, outcome.state, view)
        least = report.least_capacity
        report.least_capacity = left.providers if least is None else min(left.providers, least)
        onset = next((o for o in report.onsets if o.tag == tag and o.since <= decision.at), None)
        if onset is None and decision.at < ailing_since(self._host(tag)):
            report.wrong.append((decision.at, tag, contracts))
        elif onset is not None and all(c.onset is not onset for c in report.caught):
            rounds = int((decision.at - onset.since) / self.interval) + 1
            failing = self._failing(onset, contracts, outcome.report.at)
            report.caught.append(Caught(onset, decision.at, contracts, rounds, failing))

    def _host(self, tag: str) -> Host | None:
        return next((h for h in self.scenario.hosts if h.tag == tag), None)

    def _failing(self, onset: Onset, contracts: tuple[str, ...], until: datetime) -> int:
        """In how many rounds of the fault the contract failed that was proven first."""
        found = self.store.findings(self.plan.model, since=onset.since, tag=onset.tag)
        failed = Counter(f.contract for f in found if f.word == Word.FAIL and f.at <= until)
        return min((failed[contract] for contract in contracts), default=0)


def onsets(hosts: Sequence[Host]) -> Iterator[Onset]:
    """The faults that hosts have for good: in nearly every answer, of a kind that is theirs."""
    for host in hosts:
        for use in _own(host):
            if use.rate >= PERSISTENT and use.window.end is None:
                yield Onset(host.tag, use.name, _since(use))


def ailing_since(host: Host | None) -> datetime:
    """From when on a host has erred more often than healthy ones do; one that nobody knows never did."""
    ailing = [_since(use) for use in (_own(host) if host else ()) if use.rate > HEALTHY]
    return min(ailing, default=datetime.max.replace(tzinfo=UTC))


def healthy(hosts: Sequence[Host], length: timedelta) -> timedelta:
    """For how long hosts were healthy, all together; a control is never suspended for what it is."""
    return sum((min(ailing_since(h) - BEGAN, length) for h in hosts if not h.control), timedelta())


def _own(host: Host) -> Iterator[FaultUse]:
    """The host's faults that are of its answers."""
    return (use for use in host.faults if catalogue()[use.name].stage not in BLAMELESS)


def _since(use: FaultUse) -> datetime:
    start = use.window.start
    if start is None:
        return BEGAN
    return BEGAN + start if isinstance(start, timedelta) else start
