"""What operators do by hand: exclude, include, lift, set a mode, mark a decision (R17, R22, R24).

Each act is decided on the newest state and written only if the log did not move meanwhile, so that a
running canary sees it at its next decision and a lift wins over a round in flight.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from serinus.core.policy import (
    Decision,
    Entry,
    Exclude,
    Include,
    Lane,
    Lift,
    Policy,
    SetMode,
    State,
    Tick,
    Warned,
    decide,
    fold,
)
from serinus.core.policy.floor import View, capacity
from serinus.core.policy.journal import from_json
from serinus.service.memory import Decide, Memory, Proposal
from serinus.service.notices import Grounds, notices_of
from serinus.service.storage import Store

Act = Exclude | Include | Lift | SetMode

# How a mark is spelled; to clear one takes it back.
OPINIONS: Final[Mapping[str, bool | None]] = MappingProxyType({"right": True, "wrong": False, "clear": None})


@dataclass(frozen=True, slots=True)
class Done:
    """An act that was written: the state it met, its entries with their numbers, the state after it."""

    before: State
    entries: tuple[tuple[int, Entry], ...]
    after: State

    @property
    def decisions(self) -> tuple[tuple[int, Decision], ...]:
        """What followed from it, each with its number in the log."""
        return tuple((seq, e) for seq, e in self.entries if isinstance(e, Decision))

    @property
    def warnings(self) -> tuple[Warned, ...]:
        """What it changed less than it seemed to."""
        return tuple(e for _, e in self.entries if isinstance(e, Warned))


@dataclass(frozen=True, slots=True)
class Room:
    """The capacity of a model in providers, before an act and after it, against the floor (R18)."""

    model: str
    before: int
    after: int
    floor: int

    @property
    def falls(self) -> bool:
        """Whether the act takes capacity and leaves the model below its floor."""
        return self.after < self.before and self.after < self.floor


def act(memory: Memory, policy: Policy, event: Act) -> Done:
    """Write an act and what follows from it, notices included.

    Raises:
        LogMovedError: the log moved again and again under the decision.
        StoreError: the store cannot be written; nothing was changed.
    """
    return record(memory, lambda state: decide(policy, state, event), policy)


def record(memory: Memory, decided: Decide, policy: Policy) -> Done:
    """Write what was decided on the newest state, outside any round; raises as `act`.

    By the policy others are told of an exclusion that takes a model below its floor.
    """

    def write(proposal: Proposal) -> int:
        told = notices_of(proposal.before, proposal.entries, Grounds(proposal.seen, policy=policy))
        return memory.store.append(proposal.seen, proposal.records, told)

    proposal = memory.record(decided, write)
    numbered = tuple(enumerate(proposal.entries, proposal.seen + 1))
    return Done(proposal.before, numbered, fold(proposal.entries, proposal.before))


def foreseen(policy: Policy, state: State, event: Act, models: Iterable[str]) -> tuple[Room, ...]:
    """What an act would do to the capacity of these models; nothing is written.

    Compared is the same instant with and without the act, so that what runs out by itself is not
    held against it.
    """
    before, after = (fold(decide(policy, state, what), state) for what in (Tick(event.at), event))
    return tuple(_room(policy, (before, after), name, event.at) for name in sorted(models))


def _room(policy: Policy, states: tuple[State, State], name: str, at: datetime) -> Room:
    before, after = (capacity(policy, state, View(name, Lane.REAL, at)).providers for state in states)
    return Room(name, before, after, policy.floor)


@dataclass(frozen=True, slots=True)
class Mark:
    """An operator's opinion of the decision with that number: right, wrong, or taken back (None)."""

    seq: int
    right: bool | None
    by: str
    why: str
    at: datetime


def mark(store: Store, opinion: Mark) -> Decision:
    """Note whether a decision was right (R17); returns the decision.

    Raises:
        LookupError: the log has no such entry, or it is no decision.
    """
    found = decision_of(store, opinion.seq)
    store.mark(opinion.seq, opinion.right, opinion.by, opinion.why, opinion.at)
    return found


def decision_of(store: Store, seq: int) -> Decision:
    """The decision of that number.

    Raises:
        LookupError: the log has no such entry, or it is no decision.
    """
    logged = next(store.log(after=seq - 1, kinds=("decision",)), None)
    entry = from_json(logged.document) if logged is not None and logged.seq == seq else None
    if isinstance(entry, Decision):
        return entry
    message = (
        f"the log has no decision {seq}; `serinus log` shows each decision with its number, "
        "and only decisions are marked"
    )
    raise LookupError(message)
