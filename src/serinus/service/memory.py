"""The policy's state as the fold of the store's log, caught up before each decision."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from serinus.core.policy import Entry, State, evolve
from serinus.core.policy.folded import Folded, folded_document, folded_of
from serinus.core.policy.journal import from_json, to_json
from serinus.service.storage import Document, Logged, Notice, Store
from serinus.service.store_errors import LogMovedError

Record = tuple[datetime, str, Document]
Decide = Callable[[State], Sequence[Entry]]

TRIES: Final = 8  # how often the log may move under a decision before something is wrong
KEEP_EACH: Final = 200  # entries: what a reader has to fold behind a kept fold, some 20 ms


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was decided on which state, ready to be written: `seen` is the log's end it rests on."""

    before: State
    entries: tuple[Entry, ...]
    seen: int
    records: tuple[Record, ...]


Write = Callable[[Proposal], int]


@dataclass(slots=True)
class Memory:
    """What the log says, and the one way to add to it: decide on the newest state or not at all.

    Rounds of several models end at once in this process; they decide one after the other.
    """

    store: Store
    state: State = field(default_factory=State)
    seen: int = 0
    kept: int = 0  # the entry up to which a fold was last kept, or handed out to be
    _deciding: threading.RLock = field(default_factory=threading.RLock)

    def catch_up(self) -> State:
        """Fold what was logged since; another process may have lifted a suspension."""
        with self._deciding:
            if not self.seen:
                self._begin()
            for logged in self.store.log(after=self.seen):
                self._take(logged)
            return self.state

    def _begin(self) -> None:
        """Begin where the kept fold ends, if it can be believed and the log goes so far."""
        kept = folded_of(self.store.fold())
        if kept is None:
            return
        tail = iter(self.store.log(after=kept.seq - 1))
        last = next(tail, None)
        if last is not None and last.seq == kept.seq:
            self.state, self.seen, self.kept = kept.state, kept.seq, kept.seq
            for logged in tail:
                self._take(logged)

    def _take(self, logged: Logged) -> None:
        self.state = evolve(self.state, from_json(logged.document))
        self.seen = logged.seq

    def verify(self) -> int | None:
        """Fold the log from its first entry and keep that; the log is the truth.

        Returns the entry up to which the kept fold was not what the log says; None if it was right, or
        nobody would have believed it.
        """
        with self._deciding:
            kept = folded_of(self.store.fold())
            wrong = None if kept is None else kept.seq  # until the log is seen to say the same
            self.state, self.seen, self.kept = State(), 0, 0
            for logged in self.store.log():
                self._take(logged)
                if kept is not None and self.seen == kept.seq and self.state == kept.state:
                    wrong, self.kept = None, kept.seq
            if wrong is not None or self.seen > self.kept:
                self.store.keep_fold(folded_document(Folded(self.state, self.seen)))
                self.kept = self.seen
            return wrong

    def fold_to_keep(self, proposal: Proposal) -> Document | None:
        """The fold that a round's end writes too, where the last one lies too far behind.

        It is that before the proposal's own entries. Should the write fail, the next one comes later.
        """
        if proposal.seen - self.kept < KEEP_EACH:
            return None
        self.kept = proposal.seen
        return folded_document(Folded(proposal.before, proposal.seen))

    def record(self, decide: Decide, write: Write) -> Proposal:
        """Decide on the newest state and write it; if the log moved meanwhile, decide again.

        `write` writes the proposal in one transaction and returns the last `seq`.

        Raises:
            LogMovedError: it moved `TRIES` times in a row.
        """
        with self._deciding:
            for left in reversed(range(TRIES)):
                before = self.catch_up()
                entries = tuple(decide(before))
                proposal = Proposal(before, entries, self.seen, tuple(map(_record, entries)))
                try:
                    write(proposal)
                except LogMovedError:
                    if not left:
                        raise
                    continue
                self.catch_up()
                return proposal
        raise AssertionError

    def tell(self, notices: Sequence[Notice]) -> None:
        """Write notices to the outbox that follow from no entry; raises as `record`."""
        self.record(lambda _state: (), lambda p: self.store.append(p.seen, p.records, notices))


def _record(entry: Entry) -> Record:
    document = to_json(entry)
    return entry.at, str(document["entry"]), document
