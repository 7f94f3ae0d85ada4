"""The store over a database: each method is one transaction, or several that may end in between."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Protocol

from sqlalchemy import Connection

from serinus.service.access import Access
from serinus.service.comparisons import Comparisons
from serinus.service.glances import Glances
from serinus.service.ledger import Ledger
from serinus.service.reports import Reports
from serinus.service.storage import (
    ClosedRound,
    DayRow,
    Document,
    FindingRow,
    Logged,
    Notice,
    Retention,
    RoundRow,
    TranscriptRow,
)
from serinus.service.store_errors import StoreDamagedError
from serinus.store import days, findings, glances, log, outbox, rounds
from serinus.store.access import SqlAccess
from serinus.store.claim import Place
from serinus.store.comparisons import SqlComparisons
from serinus.store.glances import SqlGlances
from serinus.store.ledger import SqlLedger
from serinus.store.reports import SqlReports
from serinus.store.retention import prune
from serinus.store.transactions import Transactions


class Upkeep(Protocol):
    """What each kind of database does in its own way; for SQLite, the module `sqlite`."""

    def give_back(self, c: Connection) -> None:
        """Give free space back."""
        ...

    def faults(self, c: Connection) -> Iterator[str]:
        """What is wrong with the database, a sentence each."""
        ...


class SqlStore:
    """Implements the port `serinus.service.storage.Store`; its methods are described there."""

    def __init__(
        self, transactions: Transactions, place: Place, upkeep: Upkeep, retention: Retention
    ) -> None:
        self._transactions = transactions
        self._place = place
        self._upkeep = upkeep
        self._retention = retention
        self.ledger: Ledger = SqlLedger(transactions)
        self.reports: Reports = SqlReports(transactions)
        self.comparisons: Comparisons = SqlComparisons(transactions)
        self.access: Access = SqlAccess(transactions)
        self.glances: Glances = SqlGlances(transactions)

    def claim(self) -> None:
        """Take the canary's place until `close`."""
        self._transactions.check_writable()
        self._place.take()

    def holder(self) -> str | None:
        """Who has the canary's place."""
        return self._place.holder()

    def log(
        self, *, after: int = 0, model: str | None = None, kinds: Collection[str] = ()
    ) -> Iterator[Logged]:
        """Entries in order, read slice by slice: what is written meanwhile comes at the end."""
        while True:
            with self._transactions.read() as c:
                entries = log.slice_after(c, after, model, kinds)
            yield from entries
            if len(entries) < log.SLICE:
                return
            after = entries[-1].seq

    def latest(
        self, *, before: int | None = None, model: str | None = None, kinds: Collection[str], limit: int
    ) -> Sequence[Logged]:
        """Entries of these kinds, newest first."""
        with self._transactions.read() as c:
            return log.slice_before(c, before, model, kinds, limit)

    def open_round(self, name: str, model: str, at: datetime) -> RoundRow | None:
        """Take a planned round, and the canary's place before it."""
        self.claim()
        with self._transactions.write() as c:
            return rounds.take(c, name, model, at)

    def left_open(self) -> Sequence[RoundRow]:
        """Rounds that are open, oldest first."""
        with self._transactions.read() as c:
            return rounds.left_open(c)

    def close_round(self, closed: ClosedRound) -> int:
        """Write all of a round's end, or nothing of it."""
        row = closed.row
        with self._transactions.write() as c:
            round_id = rounds.end(c, row)
            log.unmoved(c, closed.seen)
            last = log.add(c, closed.seen, closed.entries, row.model)
            findings.add_findings(c, round_id, row, closed.findings)
            glances.add(c, round_id, row, closed.findings)
            days.add(c, row, closed.findings)
            findings.add_transcripts(c, round_id, row, closed.transcripts)
            findings.replace_owed(c, row.model, closed.owed)
            if closed.listing is not None:
                findings.replace_standing(c, row.model, "listing", closed.listing)
            if closed.prompts is not None:
                findings.replace_standing(c, row.model, "prompts", closed.prompts)
            if closed.fold is not None:
                findings.replace_fold(c, closed.fold)
            outbox.tell(c, closed.notices)
        return last

    def append(
        self, seen: int, entries: Sequence[tuple[datetime, str, Document]], notices: Sequence[Notice] = ()
    ) -> int:
        """Write an operator's act."""
        with self._transactions.write() as c:
            log.unmoved(c, seen)
            last = log.add(c, seen, entries)
            outbox.tell(c, notices)
        return last

    def fold(self) -> Document | None:
        """What was kept of the log's fold."""
        with self._transactions.read() as c:
            return findings.fold(c)

    def keep_fold(self, fold: Document) -> None:
        """Keep a fold of the log."""
        with self._transactions.write() as c:
            findings.replace_fold(c, fold)

    def last_round(self, model: str) -> RoundRow | None:
        """The latest closed round of a model."""
        with self._transactions.read() as c:
            return rounds.last_closed(c, model)

    def rounds(self, model: str, *, since: datetime) -> Sequence[RoundRow]:
        """Rounds of a model, oldest first."""
        with self._transactions.read() as c:
            return rounds.since(c, model, since)

    def findings(  # noqa: PLR0913  each narrows what is read
        self,
        model: str,
        *,
        since: datetime,
        tag: str | None = None,
        round_name: str | None = None,
        contract: str | None = None,
        quiet: Collection[str] = (),
    ) -> Sequence[FindingRow]:
        """Findings of a model, oldest first."""
        with self._transactions.read() as c:
            return findings.findings(c, model, since, tag, round_name, contract, quiet)

    def transcripts(
        self,
        model: str,
        tag: str,
        *,
        since: datetime,
        round_name: str | None = None,
        limit: int | None = None,
    ) -> Sequence[TranscriptRow]:
        """Kept transcripts of a route, newest first."""
        with self._transactions.read() as c:
            return findings.transcripts(c, model, tag, since, round_name, limit)

    def owed(self, model: str) -> Mapping[str, Document]:
        """A model's debts by tag."""
        with self._transactions.read() as c:
            return findings.owed(c, model)

    def listing(self, model: str) -> Document | None:
        """The last good listing of a model."""
        with self._transactions.read() as c:
            return findings.standing(c, model, "listing")

    def prompts(self, model: str) -> Document | None:
        """The record of a model's prompts."""
        with self._transactions.read() as c:
            return findings.standing(c, model, "prompts")

    def daily(self, model: str, *, since: date, tag: str | None = None) -> Sequence[DayRow]:
        """Days of a model, oldest first."""
        with self._transactions.read() as c:
            return days.days(c, model, since, tag)

    def spend(self, what: str, at: datetime, cost: float, tokens: int = 0) -> None:
        """Note money spent outside rounds."""
        with self._transactions.write() as c:
            rounds.spend(c, what, at, cost, tokens)

    def spent(self, day: date) -> float:
        """US dollars of a UTC day."""
        with self._transactions.read() as c:
            return rounds.spent(c, day)

    def mark(self, seq: int, right: bool | None, by: str, why: str, at: datetime) -> None:  # noqa: FBT001  the port's
        """Note an operator's opinion of a decision."""
        with self._transactions.write() as c:
            log.mark(c, seq, right=right, by=by, why=why, at=at)

    def marks(self) -> Mapping[int, bool]:
        """The opinions in force."""
        with self._transactions.read() as c:
            return log.marks(c)

    def outbox(self, channel: str, *, limit: int = 100) -> Sequence[tuple[int, Notice]]:
        """Notices that a channel has not taken, oldest first."""
        with self._transactions.read() as c:
            return outbox.outbox(c, channel, limit)

    def delivered(self, channel: str, notice_ids: Sequence[int], at: datetime) -> None:
        """Note that a channel took notices."""
        with self._transactions.write() as c:
            outbox.deliver(c, channel, notice_ids, at)

    def open_notice(self, key: str) -> bool:
        """Whether a trouble was told and goes on."""
        with self._transactions.read() as c:
            return outbox.is_open(c, key)

    def deliveries(self, channel: str) -> int:
        """How many notices a channel took."""
        with self._transactions.read() as c:
            return outbox.deliveries(c, channel)

    def disable_channel(self, channel: str, why: str, at: datetime, notices: Sequence[Notice] = ()) -> None:
        """Note that a channel failed for good, and tell of it."""
        with self._transactions.write() as c:
            outbox.disable(c, channel, why, at)
            outbox.tell(c, notices)

    def enable_channel(self, channel: str, notices: Sequence[Notice] = ()) -> None:
        """Forget that a channel failed, and tell of it."""
        with self._transactions.write() as c:
            outbox.enable(c, channel)
            outbox.tell(c, notices)

    def disabled_channels(self) -> Mapping[str, str]:
        """Channels that failed for good, each with why."""
        with self._transactions.read() as c:
            return outbox.disabled(c)

    def prune(self, at: datetime) -> int:
        """Delete what is past its retention, then give free space back."""
        gone = prune(self._transactions, self._retention, at)
        with self._transactions.write() as c:
            self._upkeep.give_back(c)
        return gone

    def check(self) -> Sequence[str]:
        """Look the whole store over; the look itself may end at a damaged page."""
        said: list[str] = []
        try:
            with self._transactions.read() as c:
                said.extend(self._upkeep.faults(c))
                said.extend(log.gaps(c))
        except StoreDamagedError as error:
            said.append(str(error))
        return said

    def close(self) -> None:
        """Let the store and the canary's place go."""
        self._transactions.close()
        self._place.leave()
