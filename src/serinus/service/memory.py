"""The policy's state as the fold of the store's log, caught up before each decision."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from serinus.core.policy import Entry, State, evolve
from serinus.core.policy.journal import from_json, to_json
from serinus.service.storage import Document, LogMovedError, Store

Record = tuple[datetime, str, Document]
Decide = Callable[[State], Sequence[Entry]]

TRIES: Final = 8  # how often the log may move under a decision before something is wrong


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
    _deciding: threading.RLock = field(default_factory=threading.RLock)

    def catch_up(self) -> State:
        """Fold what was logged since; another process may have lifted a suspension."""
        with self._deciding:
            for logged in self.store.log(after=self.seen):
                self.state = evolve(self.state, from_json(logged.document))
                self.seen = logged.seq
            return self.state

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


def _record(entry: Entry) -> Record:
    document = to_json(entry)
    return entry.at, str(document["entry"]), document
