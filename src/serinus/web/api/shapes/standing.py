"""The shape of where everything stands."""

from __future__ import annotations

from typing import Any

from serinus.web.api.shapes import Instant, Shape


class ContractShape(Shape):
    """One contract on one route: its latest verdict, and what is held against the route."""

    enforced: bool
    verdict: str | None
    reason: str | None
    at: Instant | None
    streak: int
    """Rounds in a row that failed."""
    due_after: int | None
    """How many further failing rounds make the route due; null where nothing is held against it."""
    streak_until: Instant | None
    """When the streak is too old to go on."""


class SuspensionShape(Shape):
    """A suspension in the lane of enforce mode, or of observe mode."""

    layer: str
    enforced: bool
    running: bool
    since: Instant
    until: Instant
    level: int
    contracts: list[str]
    clean_rounds: int


class RouteExclusionShape(Shape):
    """An entry of a layer that covers the route."""

    model: str | None
    name: str
    layer: str
    since: Instant
    until: Instant | None
    level: int | None
    contracts: list[str] | None
    by: str | None
    why: str | None


class RouteShape(Shape):
    """One route: what it gave, what keeps it from user traffic, what it owes."""

    route: str
    model: str
    provider: str
    live: bool
    capacity: bool
    """Whether it counts as capacity for the floor."""
    control: bool
    production: bool
    """Live, and excluded by no layer."""
    answered: Instant | None
    grace: Instant | None
    held_at_floor: list[str]
    exclusions: list[RouteExclusionShape]
    suspensions: list[SuspensionShape]
    contracts: dict[str, ContractShape]
    owed: list[list[str | None]]
    """Contract and language that are asked again in the next round."""


class ModelShape(Shape):
    """One model: its routes, its capacity in providers against the floor, its rounds."""

    model: str
    capacity: int
    floor: int
    last_round: Instant | None
    next_round: Instant
    stale: bool
    fail_open: bool
    ignore: list[str]
    unmatched: list[str]
    routes: list[RouteShape]


class StatusShape(Shape):
    """Everything at one instant; money in US dollars of this UTC day."""

    at: Instant
    budget: float
    spent: float
    holder: str | None
    """The process that holds rounds."""
    models: list[ModelShape]
    troubles: list[str]
    """What needs a person's look, a sentence each."""


class ModelSummaryShape(Shape):
    """One model in a line."""

    model: str
    configured: bool
    capacity: int
    floor: int
    routes: int
    live: int
    production: int
    suspended: int
    last_round: Instant | None
    next_round: Instant
    stale: bool


class ModelsShape(Shape):
    """Every model that is configured or remembered."""

    at: Instant
    models: list[ModelSummaryShape]


class FindingShape(Shape):
    """A settled verdict with its evidence."""

    round: str
    contract: str
    verdict: str
    reason: str
    detail: str
    evidence: dict[str, Any]
    language: str | None


class TranscriptShape(Shape):
    """A kept answer, shortened."""

    round: str
    probe: str
    attempt: int
    anomaly: bool
    excerpt: str


class PastShape(Shape):
    """A decision on the route, or a lift of it."""

    seq: int
    mark: bool | None
    at: Instant
    decision: str
    why: str
    model: str | None = None
    route: str | None = None
    contracts: list[str] | None = None
    level: int | None = None
    until: Instant | None = None
    enforced: bool | None = None


class ExplanationShape(RouteShape):
    """A route, why it stands where it does, what would change that, and the evidence."""

    why: list[str]
    outlook: list[str]
    findings: list[FindingShape]
    transcripts: list[TranscriptShape]
    decisions: list[PastShape]
