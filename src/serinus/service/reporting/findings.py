"""What a report found: the routes that may have served, each with its past around that time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from serinus.core.policy import Decision
from serinus.service.explaining import OPEN, QUIET, WORST
from serinus.service.storage import FindingRow


class Source(StrEnum):
    """What tells who served, from the surest to the vaguest."""

    LEDGER = "ledger"  # the very request stands in the route ledger
    RECORD = "generation_record"  # the gateway's own record of the generation
    CONVERSATION = "conversation"  # the requests of the conversation, in the route ledger
    WINDOW = "window"  # all that the route ledger holds of the model around that time
    PRODUCTION = "production"  # nothing: every route that was in production then


class Confidence(StrEnum):
    """How sure it is that a route served."""

    EXACT = "exact"  # it did
    SHARE = "share"  # it served that share of the requests that it may have been
    POSSIBLE = "possible"  # it may have; nothing tells how likely


class Stand(StrEnum):
    """Where a route stood or stands."""

    PRODUCTION = "production"
    SUSPENDED = "suspended"
    WOULD_BE_SUSPENDED = "would_be_suspended"
    HELD_AT_FLOOR = "held_at_floor"
    EXCLUDED = "excluded"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a route stood at an instant, with the sentence that says so."""

    stand: Stand
    said: str


@dataclass(frozen=True, slots=True)
class Served:
    """A route that may have served: how many of the requests were its own, or its provider's.

    `share` is None where nothing was counted. `among` are the routes of its provider that share the
    name by which the gateway told who served: any of them may have been it.
    """

    tag: str
    confidence: Confidence
    requests: int = 0
    share: float | None = None
    among: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """One round on one route: what each contract found. `failed` are those that did not keep it."""

    round: str
    at: datetime
    findings: tuple[FindingRow, ...]

    @property
    def failed(self) -> tuple[FindingRow, ...]:
        """The broken promises."""
        return tuple(f for f in self.findings if f.word in WORST)

    @property
    def odd(self) -> tuple[FindingRow, ...]:
        """What is worth a line: broken promises first; what could not be judged says nothing."""
        rest = [f for f in self.findings if f.word not in QUIET | OPEN | WORST]
        alike = {(f.word, f.reason, f.detail): f for f in reversed(rest)}
        return (*self.failed, *sorted(alike.values(), key=lambda f: f.contract))

    def word(self, contract: str) -> str | None:
        """What one contract found."""
        return next((f.word for f in self.findings if f.contract == contract), None)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A route that may have served, and what the canary knew of it around that time.

    `before` are the looks up to then, the nearest first; `after` those since, likewise. `decisions` are
    those on it within a day of then, with their numbers.
    """

    served: Served
    then: Standing
    now: Standing
    before: tuple[Look, ...] = ()
    after: tuple[Look, ...] = ()
    decisions: tuple[tuple[int, Decision], ...] = ()
    suspect: tuple[str, ...] = ()  # contracts that failed around that time, the suspected one first

    @property
    def tag(self) -> str:
        """Its route."""
        return self.served.tag


@dataclass(frozen=True, slots=True)
class Found:
    """All that was found, the most suspicious route first.

    `requests` were counted around that time, `unnamed` of them name no known route. `notes` are
    sentences on what tells who served and how far it can be trusted.
    """

    model: str
    since: datetime
    until: datetime
    source: Source
    candidates: tuple[Candidate, ...]
    notes: Sequence[str] = field(default_factory=tuple)
    requests: int = 0
    unnamed: int = 0

    @property
    def ambiguous(self) -> bool:
        """Whether more than one route may have served."""
        return len(self.candidates) != 1
