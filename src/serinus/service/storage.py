"""What the use cases keep, and the port they keep it through.

Truth is the log of entries: documents that `core` wrote and can read again. Findings, transcripts,
spending and notices stand beside it and are written in the same transaction as the entries they
belong to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol

from serinus.service.parts import Parts

Document = Mapping[str, Any]


class RoundState(StrEnum):
    """Where a planned round stands."""

    OPEN = "open"
    CLOSED = "closed"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Logged:
    """One entry of the log. `seq` rises from 1 without gaps; `document` is the entry as `core` wrote it.

    `model` is the document's own `model`, else that of the round it was written with; None concerns
    all models. `version` is that of the document's format.
    """

    seq: int
    at: datetime
    model: str | None
    kind: str
    document: Document
    version: int = 1


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One settled verdict, with the votes behind it, as kept for status, explain and reports.

    `at` is the planned instant of its round. A round has one finding a route and contract.
    """

    round: str
    at: datetime
    model: str
    tag: str
    contract: str
    word: str
    reason: str
    detail: str
    evidence: Document
    language: str | None = None
    first_text: float | None = None  # seconds, where the answer was timed


@dataclass(frozen=True, slots=True)
class TranscriptRow:
    """One kept transcript: of an anomaly, or of the small sample of healthy ones (retention)."""

    round: str
    at: datetime
    model: str
    tag: str
    probe: str
    attempt: int
    anomaly: bool
    document: Document


@dataclass(frozen=True, slots=True)
class Notice:
    """Something an operator is told once.

    `key` names the trouble. While it is open (told, and not resolved since), a notice of the same
    key is a repeat and is not kept; a notice that `resolves` the key ends it. `severity` is `info`,
    `warning` or `critical`; `facts` are what a program reads out of it (contracts, until, level).
    """

    key: str
    at: datetime
    kind: str
    model: str | None
    tag: str | None
    text: str
    resolves: str | None = None
    severity: str = "info"
    facts: Document = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One planned round; unique by `name`. `probes` counts the requests that it made."""

    name: str
    model: str
    at: datetime
    index: int
    state: RoundState
    closed_at: datetime | None = None
    routes: int = 0
    cost: float = 0.0
    tokens: int = 0
    trouble: str | None = None
    probes: int = 0


@dataclass(frozen=True, slots=True)
class DayRow:
    """One contract on one route over a UTC day, kept for ever: how often each word was its finding.

    `first_text` is a histogram of the timed answers: (upper bound in seconds, how many), rising;
    the last bound is infinite.
    """

    day: date
    model: str
    tag: str
    contract: str
    words: Mapping[str, int]
    first_text: Sequence[tuple[float, int]] = ()


@dataclass(frozen=True, slots=True)
class Retention:
    """How long is kept what is not kept for ever (the log, marks, rounds and days are)."""

    findings: timedelta = timedelta(days=90)
    transcripts: timedelta = timedelta(days=30)
    notices: timedelta = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class ClosedRound:
    """All that a round's end writes, in one transaction.

    `seen` is the last `seq` the decision was based on. `listing` is the last good listing of the
    model, `prompts` the record of its prompts, `fold` that of the log (None: keep the one that stands);
    `owed` the debts by tag.
    """

    row: RoundRow
    seen: int
    entries: Sequence[tuple[datetime, str, Document]] = ()
    findings: Sequence[FindingRow] = ()
    transcripts: Sequence[TranscriptRow] = ()
    notices: Sequence[Notice] = ()
    owed: Mapping[str, Document] = field(default_factory=dict)
    listing: Document | None = None
    prompts: Document | None = None
    fold: Document | None = None


class Store(Parts, Protocol):
    """Durable memory. Every method is synchronous and runs in a thread; none changes what it read.

    Raises (all methods): StoreError and its kinds when the file or server cannot be used; ValueError
    for a value that cannot be kept (a time without zone, a cost that is no number).
    """

    def claim(self) -> None:
        """Take the canary's place, until `close`: only one process at a time takes rounds.

        `open_round` takes it by itself. Reading and operators' acts need no claim. A claim ends with its
        process, however that ends.

        Raises:
            StoreBusyError: another process has it; the message names it.
        """
        ...

    def holder(self) -> str | None:
        """Who has the canary's place ("process 4711 on atlas"); None if nobody."""
        ...

    def log(
        self, *, after: int = 0, model: str | None = None, kinds: Collection[str] = ()
    ) -> Iterator[Logged]:
        """Entries in order, those after a `seq`; with a model, those of it and those of all models.

        With `kinds` only entries of these.
        """
        ...

    def latest(
        self, *, before: int | None = None, model: str | None = None, kinds: Collection[str], limit: int
    ) -> Sequence[Logged]:
        """The last entries of these kinds, newest first; with `before` those below that number."""
        ...

    def open_round(self, name: str, model: str, at: datetime) -> RoundRow | None:
        """Take a planned round; None if it was ever taken before. Its index is the model's next."""
        ...

    def left_open(self) -> Sequence[RoundRow]:
        """Rounds taken and not ended, oldest first: after `claim`, those of a process that died.

        One that is still worth asking is asked anew under its own name and closed; the others are
        abandoned.
        """
        ...

    def close_round(self, closed: ClosedRound) -> int:
        """Write a round's end; returns the last `seq`.

        Raises:
            LogMovedError: the log grew since `closed.seen`; nothing was written.
            RoundNotOpenError: it ended before (a commit whose answer got lost, perhaps).
        """
        ...

    def append(
        self, seen: int, entries: Sequence[tuple[datetime, str, Document]], notices: Sequence[Notice] = ()
    ) -> int:
        """Write an operator's act; returns the last `seq`. Raises LogMovedError as `close_round`."""
        ...

    def fold(self) -> Document | None:
        """What was kept of the log's fold, if it can be read; the log alone is the truth."""
        ...

    def keep_fold(self, fold: Document) -> None:
        """Keep a fold outside a round's end: in the place of the one that stood."""
        ...

    def last_round(self, model: str) -> RoundRow | None:
        """The latest closed round of a model by its planned instant."""
        ...

    def rounds(self, model: str, *, since: datetime) -> Sequence[RoundRow]:
        """Rounds of a model, oldest first."""
        ...

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
        """Findings of a model, oldest first; of one route, round or contract, without `quiet` words."""
        ...

    def transcripts(
        self,
        model: str,
        tag: str,
        *,
        since: datetime,
        round_name: str | None = None,
        limit: int | None = None,
    ) -> Sequence[TranscriptRow]:
        """Kept transcripts of a route, newest first: all, those of one round, the first so many."""
        ...

    def owed(self, model: str) -> Mapping[str, Document]:
        """Debts by tag, as the last closed round left them."""
        ...

    def listing(self, model: str) -> Document | None:
        """The last good listing of a model."""
        ...

    def prompts(self, model: str) -> Document | None:
        """The record of a model's prompts, as the last closed round left it."""
        ...

    def daily(self, model: str, *, since: date, tag: str | None = None) -> Sequence[DayRow]:
        """Days of a model, oldest first, by tag and contract; today's is not over yet."""
        ...

    def spend(self, what: str, at: datetime, cost: float, tokens: int = 0) -> None:
        """Note US dollars spent outside rounds: probes by hand, a comparison, an abandoned round."""
        ...

    def spent(self, day: date) -> float:
        """US dollars spent on probes on a UTC day; a round counts on the day it was planned for."""
        ...

    def mark(self, seq: int, right: bool | None, by: str, why: str, at: datetime) -> None:  # noqa: FBT001
        """An operator's opinion of a decision; the newest counts; None takes it back.

        Raises:
            LookupError: the log has no such entry.
        """
        ...

    def marks(self) -> Mapping[int, bool]:
        """The opinions in force, by `seq` of the decision."""
        ...

    def outbox(self, channel: str, *, limit: int = 100) -> Sequence[tuple[int, Notice]]:
        """Notices this channel has not taken yet, oldest first, each with its id."""
        ...

    def delivered(self, channel: str, notice_ids: Sequence[int], at: datetime) -> None:
        """Note that a channel took notices; noting it twice changes nothing."""
        ...

    def open_notice(self, key: str) -> bool:
        """Whether the trouble of that key was told and nothing ended it since."""
        ...

    def deliveries(self, channel: str) -> int:
        """How many of the notices that are kept a channel took; 0 for one that was never sent any."""
        ...

    def disable_channel(self, channel: str, why: str, at: datetime, notices: Sequence[Notice] = ()) -> None:
        """Stop sending to a channel that fails for good, until it is enabled again; tell the others."""
        ...

    def enable_channel(self, channel: str, notices: Sequence[Notice] = ()) -> None:
        """Send to a channel again; what it missed meanwhile is sent too."""
        ...

    def disabled_channels(self) -> Mapping[str, str]:
        """Channels that failed for good, each with why."""
        ...

    def prune(self, at: datetime) -> int:
        """Roll up and delete what is past its retention, in small slices; rows deleted."""
        ...

    def check(self) -> Sequence[str]:
        """Look the whole store over, which may take seconds; a sentence for each thing that is wrong."""
        ...

    def close(self) -> None:
        """Let the store go, and the canary's place with it."""
        ...
