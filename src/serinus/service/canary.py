"""One round from its planned instant to the ignore list: ask, decide, write in one transaction."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from serinus.core.exclusions import IgnoreList
from serinus.core.listing import ignore_list
from serinus.core.model import Listing, Word
from serinus.core.policy import Entry, Lane, Policy, State, Tick, decide
from serinus.judging.visible import first_output_at
from serinus.service.answers import Answered
from serinus.service.documents import (
    listing_document,
    offers_of,
    owed_document,
    owed_of,
    transcript_document,
)
from serinus.service.memory import Memory, Proposal
from serinus.service.notices import notices_of, notices_of_round
from serinus.service.owing import Owed, owed_after
from serinus.service.planning import ModelPlan, round_name
from serinus.service.ports import Clock, Gateway, Pace
from serinus.service.rounds import (
    Judges,
    RoundReport,
    Rounds,
    RouteReport,
    Watch,
    judged_here,
    unwatched,
)
from serinus.service.storage import ClosedRound, FindingRow, RoundRow, RoundState, Store, TranscriptRow

SAMPLE: Final = 50  # one healthy transcript of so many is kept, to show what healthy looks like


@dataclass(frozen=True, slots=True)
class Outcome:
    """A round that was written: what was seen, what was decided, what requests must leave out now."""

    report: RoundReport
    entries: tuple[Entry, ...]
    ignore: IgnoreList
    state: State
    trouble: str | None = None


@dataclass(slots=True)
class Canary:
    """Runs whole rounds of the planned models over one store and one gateway."""

    store: Store
    gateway: Gateway
    pace: Pace
    policy: Policy
    plans: Mapping[str, ModelPlan]
    clock: Clock
    judges: Judges = judged_here
    watch: Watch = unwatched
    memory: Memory = field(init=False)

    def __post_init__(self) -> None:
        self.memory = Memory(self.store)

    async def round(self, model: str, planned: datetime) -> Outcome | None:
        """Run the round of that planned instant; None if it was ever taken before."""
        name = round_name(model, planned)
        row = await asyncio.to_thread(self.store.open_round, name, model, planned)
        if row is None:
            return None
        listing, trouble = await self._listing(model)
        debts = await asyncio.to_thread(self.store.owed, model)
        owed = {tag: owed_of(document) for tag, document in debts.items()}
        rounds = Rounds(self.gateway, self.pace, self.plans[model], self.judges, self.watch)
        report = await rounds.run(planned, row.index, owed, listing)
        return await asyncio.to_thread(self._close, row, report, owed, trouble)

    async def _listing(self, model: str) -> tuple[Listing, str | None]:
        """The listing to go by, and what was wrong with today's; then the last known one stands (R1)."""
        fresh = await self.gateway.discover(model)
        if fresh.trouble is None:
            return fresh, None
        known = await asyncio.to_thread(self.store.listing, model)
        return replace(fresh, offers=offers_of(known)), fresh.trouble

    def _close(
        self, row: RoundRow, report: RoundReport, owed: Mapping[str, Owed], trouble: str | None
    ) -> Outcome:
        """Decide and write the round's end; deciding again if the log moved meanwhile."""

        def write(proposal: Proposal) -> int:
            told = notices_of(proposal.before, proposal.entries)
            return self.store.close_round(
                ClosedRound(
                    row=self._row(row, report, trouble),
                    seen=proposal.seen,
                    entries=proposal.records,
                    findings=[f for route in report.routes for f in _findings(report, route)],
                    transcripts=[t for route in report.routes for t in _transcripts(report, route)],
                    notices=[*notices_of_round(report, trouble, troubled_before), *told],
                    owed=self._owed(proposal.before, report, owed),
                    listing=None if trouble else listing_document(report.listing.offers),
                )
            )

        last = self.store.last_round(report.model)
        troubled_before = last is not None and last.trouble is not None
        proposal = self.memory.record(lambda state: self._decided(state, report), write)
        return Outcome(report, proposal.entries, self.ignore(report.model), self.memory.state, trouble)

    def _decided(self, state: State, report: RoundReport) -> tuple[Entry, ...]:
        """What follows from the round; a round that could ask nobody only lets time pass."""
        if not report.routes:
            return decide(self.policy, state, Tick(self.clock()))
        return decide(self.policy, state, report.record)

    def ignore(self, model: str) -> IgnoreList:
        """The merged list of a model as it stands now, from the log as last read."""
        return ignore_list(self.memory.state, model, self.clock())

    def _row(self, row: RoundRow, report: RoundReport, trouble: str | None) -> RoundRow:
        usages = [a.transcript.answer.usage for r in report.routes for a in r.answered]
        tokens = sum((u.total_tokens or 0) for u in usages if u)
        return replace(
            row,
            state=RoundState.CLOSED,
            closed_at=self.clock(),
            routes=len(report.routes),
            cost=report.cost,
            tokens=tokens,
            trouble=trouble,
        )

    def _owed(
        self, state: State, report: RoundReport, owed: Mapping[str, Owed]
    ) -> dict[str, dict[str, object]]:
        """Debts of every route after the round; those that were not asked keep theirs."""
        after = dict(owed)
        model = state.model(report.model)
        for route in report.routes:
            tag = route.offer.route.tag
            lanes = (model.route(tag).lane(lane).suspension for lane in Lane)
            rests_on = frozenset(c for suspension in lanes if suspension for c in suspension.contracts)
            contracts = self.plans[report.model].contracts
            after[tag] = owed_after(owed.get(tag, Owed()), route.answered, contracts, rests_on)
        return {tag: dict(owed_document(debts)) for tag, debts in after.items() if debts.debts}


def _findings(report: RoundReport, route: RouteReport) -> list[FindingRow]:
    first_text = min(
        (at for a in route.answered if (at := first_output_at(a.transcript.answer)) is not None), default=None
    )
    return [
        FindingRow(
            round=report.name,
            at=report.at,
            model=report.model,
            tag=route.offer.route.tag,
            contract=f.contract,
            word=f.verdict.word.value,
            reason=f.verdict.reason,
            detail=f.verdict.detail,
            evidence=f.verdict.evidence,
            language=route.turn.language,
            first_text=first_text if f.contract == "first_token" else None,
        )
        for f in route.findings
    ]


def _transcripts(report: RoundReport, route: RouteReport) -> list[TranscriptRow]:
    """The transcripts to keep: every anomaly, and one healthy answer of `SAMPLE`."""
    return [
        TranscriptRow(
            round=report.name,
            at=report.at,
            model=report.model,
            tag=route.offer.route.tag,
            probe=answered.ask.probe.key,
            attempt=answered.ask.attempt,
            anomaly=anomaly,
            document=transcript_document(answered.transcript),
        )
        for answered in route.answered
        if (anomaly := _anomalous(answered)) or _sampled(answered.ask.session)
    ]


def _anomalous(answered: Answered) -> bool:
    healthy = {Word.PASS, Word.NOT_APPLICABLE}
    return any(v.word not in healthy for v in answered.verdicts.values())


def _sampled(session: str) -> bool:
    return int(hashlib.sha256(session.encode()).hexdigest(), 16) % SAMPLE == 0
