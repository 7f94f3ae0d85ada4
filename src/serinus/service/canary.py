"""One round from its planned instant to the ignore list: ask, decide, write in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from serinus.core.exclusions import IgnoreList
from serinus.core.listing import ignore_list
from serinus.core.model import Listing
from serinus.core.policy import Entry, Lane, Policy, State, Tick, decide
from serinus.service.documents import (
    listing_document,
    offers_of,
    owed_document,
    owed_of,
)
from serinus.service.kept import findings, transcripts
from serinus.service.memory import Memory, Proposal
from serinus.service.notices import (
    Grounds,
    budget_reached,
    found_in,
    notices_of,
    notices_of_prompts,
    notices_of_round,
    state_corrected,
)
from serinus.service.owing import Owed, owed_after
from serinus.service.planning import ModelPlan, round_name
from serinus.service.ports import Clock, Gateway, Pace
from serinus.service.prompts import Records, records_after, records_document, records_of, retired
from serinus.service.round_report import RoundReport
from serinus.service.rounds import Judges, Rounds, Watch, judged_here, nonces_of, unwatched
from serinus.service.storage import (
    ClosedRound,
    RoundRow,
    RoundState,
    Store,
)
from serinus.service.troubles import BUDGET, refused

A_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A round that was written: what was seen, what was decided, what requests must leave out now."""

    report: RoundReport
    entries: tuple[Entry, ...]
    ignore: IgnoreList
    state: State
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class _Standing:
    """What stood before a round: debts by tag, and the record of each prompt."""

    owed: Mapping[str, Owed]
    records: Records


@dataclass(slots=True)
class Canary:
    """Runs whole rounds of the planned models over one store and one gateway."""

    store: Store
    gateway: Gateway
    pace: Pace
    policy: Policy
    plans: Mapping[str, ModelPlan]
    clock: Clock
    budget: float = float("inf")  # US dollars a UTC day
    judges: Judges = judged_here
    watch: Watch = unwatched
    left_open: dict[str, RoundRow] = field(default_factory=dict)
    _unwritten: dict[str, RoundRow] = field(default_factory=dict)  # by model: its end may not be in the store
    _took: dict[str, dict[str, float]] = field(default_factory=dict)  # by model and tag: seconds
    _nonces: dict[str, frozenset[str]] = field(default_factory=dict)  # by model: those of its latest round
    memory: Memory = field(init=False)

    def __post_init__(self) -> None:
        self.memory = Memory(self.store)

    def take_over(self, latest: Callable[[str], datetime]) -> None:
        """Begin where the process before ended: what the log says holds before the first round.

        A round that a process died in is asked anew if it is still the latest instant, else abandoned.
        One asked anew keeps its name, so that its nonces, votes and decisions are those that an
        undisturbed run would have had.
        """
        self._verify()
        for row in self.store.left_open():
            if row.model in self.plans and row.at >= latest(row.model):
                self.left_open[row.name] = row
            else:
                self._abandon(row)

    def _verify(self) -> None:
        """See that the kept fold is what the log says; where it was not, it is made anew and that is told."""
        wrong = self.memory.verify()
        if wrong is not None:
            self.memory.tell([state_corrected(wrong, self.clock())])

    def _abandon(self, row: RoundRow) -> None:
        """Record that a round never ended, with what it is known to have cost."""
        ended = replace(row, state=RoundState.ABANDONED, closed_at=self.clock())

        def write(proposal: Proposal) -> int:
            return self.store.close_round(ClosedRound(ended, proposal.seen, owed=self.store.owed(row.model)))

        self.memory.record(lambda _state: (), write)

    def _take(self, name: str, model: str, planned: datetime) -> RoundRow | None:
        """Take a round; those of its model whose end could not be written are abandoned first."""
        known = self._unwritten.get(model)
        for row in self.store.left_open():
            if row.model == model:
                self._abandon(known if known and known.name == row.name else row)
        self._unwritten.pop(model, None)
        return self.store.open_round(name, model, planned)

    async def round(self, model: str, planned: datetime) -> Outcome | None:
        """Run the round of that planned instant; None if it was ever taken before."""
        name = round_name(model, planned)
        row = self.left_open.pop(name, None) or await asyncio.to_thread(self._take, name, model, planned)
        if row is None:
            return None
        if over := await asyncio.to_thread(self._over_budget, row):
            return await asyncio.to_thread(self._skip, row, over)
        listing, trouble = await self._listing(model)
        debts = await asyncio.to_thread(self.store.owed, model)
        owed = {tag: owed_of(document) for tag, document in debts.items()}
        records = records_of(await asyncio.to_thread(self.store.prompts, model))
        rounds = Rounds(
            gateway=self.gateway,
            pace=self.pace,
            plan=self.plans[model],
            retired=retired(records),
            judges=self.judges,
            watch=self.watch,
            took=self._took.get(model, {}),
            before=self._nonces.get(model, frozenset()),
        )
        report = await rounds.run(planned, row.index, owed, listing)
        self._nonces[model] = nonces_of(report)
        self._took[model] = {route.offer.route.tag: route.seconds for route in report.routes}
        return await asyncio.to_thread(self._close, row, report, _Standing(owed, records), trouble)

    def _over_budget(self, row: RoundRow) -> str | None:
        """Why this round may not be asked: what it would cost is more than the day has left (R34).

        The last round of the past day that asked anybody tells what one costs.
        """
        spent = self.store.spent(row.at.astimezone(UTC).date())
        asked = [r for r in self.store.rounds(row.model, since=row.at - A_DAY) if r.routes]
        expected = asked[-1].cost if asked else 0.0
        if spent + expected <= self.budget and spent < self.budget:
            return None
        return (
            f"{BUDGET}{self.budget:.2f} USD is used up: {spent:.4f} USD were spent, a round "
            f"costs about {expected:.4f}. Nothing is asked until the next day (UTC) and nothing is "
            "suspended; raise budget.usd_per_day to go on."
        )

    def _skip(self, row: RoundRow, trouble: str) -> Outcome:
        """End a round that asked nobody; operators are told once a day."""
        report = RoundReport(row.name, row.at, row.model, Listing(row.model))
        notice = budget_reached(trouble, row.at.astimezone(UTC))

        def write(proposal: Proposal) -> int:
            told = notices_of(proposal.before, proposal.entries, Grounds(proposal.seen))
            closed = ClosedRound(
                row=self._row(row, report, trouble),
                seen=proposal.seen,
                entries=proposal.records,
                notices=[notice, *told],
                owed=self.store.owed(row.model),
                fold=self.memory.fold_to_keep(proposal),
            )
            return self.store.close_round(closed)

        proposal = self.memory.record(lambda state: decide(self.policy, state, Tick(self.clock())), write)
        return Outcome(report, proposal.entries, self.ignore(row.model), self.memory.state, trouble)

    async def _listing(self, model: str) -> tuple[Listing, str | None]:
        """The listing to go by, and what was wrong with today's; then the last known one stands (R1)."""
        fresh = await self.gateway.discover(model)
        if fresh.trouble is None:
            return fresh, None
        known = await asyncio.to_thread(self.store.listing, model)
        return replace(fresh, offers=offers_of(known)), fresh.trouble

    def _close(self, row: RoundRow, report: RoundReport, before: _Standing, trouble: str | None) -> Outcome:
        """Decide and write the round's end; deciding again if the log moved meanwhile."""

        def write(proposal: Proposal) -> int:
            grounds = Grounds(proposal.seen, found_in(report))
            told = notices_of(proposal.before, proposal.entries, grounds)
            return self.store.close_round(
                ClosedRound(
                    row=self._row(row, report, trouble or ours),
                    seen=proposal.seen,
                    entries=proposal.records,
                    findings=findings(report),
                    transcripts=transcripts(report),
                    notices=[*notices_of_round(report, trouble, ours, before_that), *left, *told],
                    owed=self._owed(proposal.before, report, before.owed),
                    prompts=records_document(records),
                    listing=None if trouble else listing_document(report.listing.offers),
                    fold=self.memory.fold_to_keep(proposal),
                )
            )

        self._unwritten[row.model] = replace(row, cost=report.cost, tokens=report.tokens)
        last = self.store.last_round(report.model)
        before_that = last.trouble if last else None
        ours = refused(report)
        records = records_after(before.records, report, self.plans[report.model].contracts)
        left = notices_of_prompts(report, retired(records) - retired(before.records))
        proposal = self.memory.record(lambda state: self._decided(state, report), write)
        del self._unwritten[row.model]
        now_known = self.ignore(report.model)
        return Outcome(report, proposal.entries, now_known, self.memory.state, trouble or ours)

    def _decided(self, state: State, report: RoundReport) -> tuple[Entry, ...]:
        """What follows from the round; a round that could ask nobody only lets time pass."""
        if not report.routes:
            return decide(self.policy, state, Tick(self.clock()))
        return decide(self.policy, state, report.record)

    def ignore(self, model: str) -> IgnoreList:
        """The merged list of a model as it stands now, from the log as last read."""
        return ignore_list(self.memory.state, model, self.clock())

    def _row(self, row: RoundRow, report: RoundReport, trouble: str | None) -> RoundRow:
        return replace(
            row,
            state=RoundState.CLOSED,
            closed_at=self.clock(),
            routes=len(report.routes),
            cost=report.cost,
            tokens=report.tokens,
            trouble=trouble,
            probes=sum(len(route.answered) for route in report.routes),
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
