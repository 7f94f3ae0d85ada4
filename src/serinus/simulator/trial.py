"""One fault on trial: a host that has it, healthy peers, and rounds under logical time until it is caught.

What a drill of days shows of four faults, this shows of each: which contract names it, how soon, or
that nothing does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import Final

from serinus.core.model import Verdict, Word
from serinus.core.policy import Decision, Kind, Policy
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract
from serinus.service.answers import Answered
from serinus.service.canary import Canary, Outcome
from serinus.service.planning import Ask, ModelPlan
from serinus.service.ports import Pace
from serinus.service.round_report import RouteReport
from serinus.service.rounds import Judges
from serinus.service.storage import Store
from serinus.simulator.drill import BEGAN
from serinus.simulator.faults.registry import Fault
from serinus.simulator.in_process import InProcessProber, in_process
from serinus.simulator.scenario import FaultUse, Host, Model, Scenario

MODEL: Final = Model("acme/trial-70b", "Acme: Trial 70B")
ACCUSED: Final = "cobalt/fp8"
PEERS: Final = ("cobalt/turbo", "amber/fp8", "birch", "dune/bf16")  # with a sibling, so that names are shared
INTERVAL: Final = timedelta(minutes=30)
ROUNDS: Final = 24  # half a day; each language of the rotation at least once


class Fate(StrEnum):
    """What became of a fault.

    `SHOWN` is recorded or told and never scored: a warning, a void answer, a notice. `FROZEN` is a
    transport error, which moves no streak (R15). `UNSEEN`: all answers are
    those that the host gives in health.
    """

    CAUGHT = "caught"
    SHOWN = "shown"
    FROZEN = "frozen"
    INCONCLUSIVE = "inconclusive"
    MISSED = "missed"
    UNSEEN = "unseen"
    HARMLESS = "harmless"


@dataclass(frozen=True, slots=True)
class Found:
    """What one trial found: `by` is the contract (or notice) that named the fault, `rounds` the delay.

    `rounds` counts those from the fault's beginning to the suspension, or to the first sign. `wronged`
    are healthy hosts that were suspended.
    """

    fault: str
    kind: str
    fate: Fate
    by: str | None = None
    reason: str | None = None
    rounds: int | None = None
    wronged: tuple[str, ...] = ()
    harmless: bool = False


@dataclass(slots=True)
class Memory:
    """What hosts answer without any fault, and what is said of it: the peers of all trials say the same."""

    answers: dict[str, Answered] = field(default_factory=dict)
    usual: set[tuple[str, str]] = field(default_factory=set)

    def judging(self, judges: Judges) -> Judges:
        """The judges, asked only about answers that no healthy host gave."""

        async def judge(ask: Ask, transcript: Transcript, contracts: Sequence[Contract]) -> Answered:
            known = self.answers.get(ask.session)
            if known is not None and (known.transcript, known.ask) == (transcript, ask):
                return known
            return await judges(ask, transcript, contracts)

        return judge

    def keep(self, route: RouteReport) -> None:
        """Remember a healthy host's turn."""
        self.answers.update({a.ask.session: a for a in route.answered})
        self.usual.update((contract, verdict.reason) for contract, verdict in _said(route))

    def strange(self, route: RouteReport) -> bool:
        """Whether the host gave an answer that it would not give in health."""
        known = (self.answers.get(a.ask.session) for a in route.answered)
        return any(
            k is None or k.transcript != a.transcript for k, a in zip(known, route.answered, strict=True)
        )


@dataclass(slots=True)
class _Signs:
    """What was said of the accused: for each word the first (contract, reason, round)."""

    struck: bool = False
    words: dict[Word, tuple[str, str, int]] = field(default_factory=dict)
    shifted: int | None = None
    troubled: int | None = None

    def note(self, outcome: Outcome, route: RouteReport | None, memory: Memory, number: int) -> None:
        """Read one round."""
        if route is None or outcome.trouble is not None:
            self.troubled = self.troubled or number
        if route is None:
            return
        self.struck |= memory.strange(route)
        if route.offer.route.tag in {shift.tag for shift in outcome.report.shifts}:
            self.shifted = self.shifted or number
        for contract, verdict in _said(route):
            if (contract, verdict.reason) in memory.usual:
                continue
            scored = contract not in outcome.report.unscored
            word = verdict.word if scored or verdict.word is not Word.FAIL else Word.WARN
            self.words.setdefault(word, (contract, verdict.reason, number))

    def fate(self, told: Sequence[str]) -> tuple[Fate, str | None, str | None, int | None]:
        """What became of a fault that suspended nobody: the gravest thing that was said."""
        for word, fate in _FATES:
            if word in self.words:
                return (fate, *self.words[word])
        if told or self.troubled is not None:
            return Fate.SHOWN, "notice", told[0] if told else "listing_gone", self.troubled
        if self.shifted is not None:
            return Fate.SHOWN, "prompt tokens", "prompt_token_shift", self.shifted
        return (Fate.MISSED if self.struck else Fate.UNSEEN, None, None, None)


_FATES: Final = (
    (Word.FAIL, Fate.INCONCLUSIVE),  # failed, and never often enough to suspend
    (Word.WEAK, Fate.SHOWN),
    (Word.ALARM, Fate.SHOWN),
    (Word.VOID, Fate.SHOWN),
    (Word.WARN, Fate.SHOWN),
    (Word.TRANSPORT, Fate.FROZEN),
    (Word.INCONCLUSIVE, Fate.INCONCLUSIVE),
)


@dataclass(frozen=True, slots=True)
class Trial:
    """Holds rounds in which one host is accused; `store` must be empty."""

    plan: ModelPlan
    policy: Policy
    store: Store
    pace: Pace
    judges: Judges
    memory: Memory
    rounds: int = ROUNDS

    async def healthy(self) -> None:
        """Hold the rounds without any fault, and remember what hosts answer then."""
        canary, prober = self._canary(None)
        for _ in range(self.rounds):
            outcome = await canary.round(MODEL.id, prober.now)
            prober.advance(INTERVAL)
            for route in outcome.report.routes if outcome else ():
                self.memory.keep(route)

    async def run(self, fault: Fault) -> Found:
        """Hold rounds until the fault is caught, or to the end."""
        canary, prober = self._canary(fault)
        signs, wronged, kind = _Signs(), set[str](), kind_of(fault)
        for number in range(1, self.rounds + 1):
            outcome = await canary.round(MODEL.id, prober.now)
            prober.advance(INTERVAL)
            if outcome is None:
                continue
            accused = next((r for r in outcome.report.routes if r.offer.route.tag not in PEERS), None)
            signs.note(outcome, accused, self.memory, number)
            suspended = [d for d in outcome.entries if isinstance(d, Decision) and d.kind is Kind.SUSPENDED]
            wronged |= {d.route or "" for d in suspended if d.route in PEERS}
            caught = next((d for d in suspended if d.route not in PEERS), None)
            if caught is not None and accused is not None:
                named = _named(accused, caught)
                return Found(fault.name, kind, Fate.CAUGHT, *named, number, _sorted(wronged), fault.harmless)
        told = sorted({notice.kind for _, notice in self.store.outbox("trial", limit=10_000)})
        fate, by, reason, first = signs.fate(told)
        harmless = fault.harmless and fate in {Fate.MISSED, Fate.UNSEEN, Fate.SHOWN}
        fate = Fate.HARMLESS if harmless else fate
        return Found(fault.name, kind, fate, by, reason, first, _sorted(wronged), fault.harmless)

    def _canary(self, fault: Fault | None) -> tuple[Canary, InProcessProber]:
        control = fault is not None and fault.name == "control_answers"
        uses = () if fault is None else (FaultUse(fault.name),)
        accused = replace(_host(ACCUSED), faults=uses, control=control)
        hosts = (accused, *map(_host, PEERS))
        gateway, prober = in_process(Scenario((MODEL,), hosts, seed=5, generation_delay=0.0), BEGAN)
        plan = replace(self.plan, controls=frozenset({ACCUSED}) if control else frozenset())
        canary = Canary(
            store=self.store,
            gateway=gateway,
            pace=self.pace,
            policy=self.policy,
            plans={MODEL.id: plan},
            clock=lambda: prober.now,
            judges=self.memory.judging(self.judges),
        )
        return canary, prober


def kind_of(fault: Fault) -> str:
    """The kind a fault belongs to: the module that it stands in."""
    return fault.run.__module__.rpartition(".")[2]


def _sorted(tags: set[str]) -> tuple[str, ...]:
    return tuple(sorted(tags))


def _host(tag: str) -> Host:
    provider = tag.partition("/")[0]
    return Host(tag, provider.title(), provider)


def _said(route: RouteReport) -> Iterator[tuple[str, Verdict]]:
    """All that contracts said of a route in a round, settled and of each answer."""
    for finding in route.findings:
        for verdict in (finding.verdict, *finding.votes):
            if verdict.word is not Word.PASS:
                yield finding.contract, verdict


def _named(accused: RouteReport, decision: Decision) -> tuple[str, str]:
    """The contract that a suspension rests on, and the reason it gave in the last round."""
    contracts = decision.contracts or ()
    failed = [f for f in accused.findings if f.contract in contracts and f.verdict.word is Word.FAIL]
    return (failed[0].contract, failed[0].verdict.reason) if failed else (", ".join(contracts), "")
