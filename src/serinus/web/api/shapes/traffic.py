"""The shapes of reports, comparisons and the traffic that was served."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from serinus.service.comparing.asked import MOST_ANSWERS, known_contracts
from serinus.service.reporting.asked import WINDOW
from serinus.web.api.shapes import Instant, Shape
from serinus.web.api.shapes.acts import Contract, DecisionShape, Lasting, ModelName, Tag

Compared = Annotated[str, Field(json_schema_extra={"enum": list(known_contracts())})]
Language = Annotated[str, Field(min_length=2, max_length=16)]
Answers = Annotated[int, Field(ge=1, le=MOST_ANSWERS)]


class ReportBody(Shape):
    """What a user reports: of which model, when, and what the application knows. Never a user's words."""

    model: ModelName | None = None
    """The model; not needed if only one is configured, or an id tells it."""
    at: Annotated[str, Field(min_length=1, max_length=60, examples=["yesterday 21:40"])] | None = None
    """When it was, as a person says it or as RFC 3339."""
    window: Lasting = WINDOW
    """How much earlier or later it may have been; at most a day."""
    generation: Annotated[str, Field(min_length=1, max_length=128)] | None = None
    """The gateway's id of the answer."""
    conversation: Annotated[str, Field(min_length=1, max_length=512)] | None = None
    """The application's own id of the conversation; only a digest is kept."""
    contract: Contract | None = None
    """The contract that is suspected."""
    zone: Annotated[str, Field(min_length=1, max_length=64, examples=["Europe/Rome"])] | None = None
    """The time zone of a time without offset; the server's own when null."""


class StandShape(Shape):
    """Where a route stood."""

    stand: str
    why: str


class LookShape(Shape):
    """One round's verdicts on a route."""

    round: str
    at: Instant
    verdicts: dict[str, str]
    odd: list[str]


class CandidateShape(Shape):
    """A route that may have served."""

    route: str
    confidence: str
    requests: int | None
    share: float | None
    among: list[str]
    suspect: list[str]
    then: StandShape
    now: StandShape
    before: list[LookShape]
    after: list[LookShape]
    decisions: list[DecisionShape]


class ReportShape(Shape):
    """A report, and what was found."""

    report: int
    at: Instant
    by: str
    model: str
    since: Instant
    until: Instant
    generation: str | None
    contract: str | None
    comparison: str | None
    source: str
    ambiguous: bool
    requests: int
    unnamed: int
    told: str | None
    zone: str | None
    readings: list[Instant]
    conversation: str | None
    notes: list[str]
    candidates: list[CandidateShape]


class ReportsShape(Shape):
    """Reports, newest first."""

    reports: list[ReportShape]
    next: int | None
    """What `before` has to be for the next page; null at the end."""


class CompareBody(Shape):
    """Ask a route and its peers the same prompts."""

    model: ModelName
    contract: Compared
    routes: Annotated[tuple[Tag, ...], Field(max_length=100)] = ()
    """The suspects, tags or providers; every route where none is named."""
    answers: Answers = 20
    """How many answers are asked of each suspect."""
    peer_answers: Answers | None = None
    """How many are asked of each other route; null for as many."""
    languages: Annotated[tuple[Language, ...], Field(max_length=40)] = ()
    """The languages to ask in; the model's own where none is named."""
    budget: Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)] | None = None
    """US dollars that it may cost, in place of what the day's budget has left."""
    dry_run: bool = False
    """Ask nothing but the listing, and say what it would cost."""


class CompareShape(Shape):
    """What is asked, and what it costs."""

    name: str
    seed: str
    model: str
    contract: str
    routes: list[str]
    suspects: list[str]
    left_out: dict[str, str]
    languages: list[str]
    requests: int
    tokens: int
    usd: float
    usd_at_most: float
    unpriced: list[str]
    detectable: float | None
    notes: list[str]
    started: bool


class ComparisonLineShape(Shape):
    """A comparison in a line."""

    name: str
    at: Instant
    by: str
    model: str
    contract: str
    state: str
    done: int
    wanted: int
    cost: float
    verdict: str | None
    sentence: str | None


class ComparisonsShape(Shape):
    """Comparisons, newest first."""

    comparisons: list[ComparisonLineShape]


class ComparisonShape(Shape):
    """A comparison: what was asked, the verdict in words and numbers, routes, samples."""

    version: Literal[1]
    name: str
    seed: str
    model: str
    contract: str
    promise: str
    by: str
    at: Instant
    answers: int
    peer_answers: int
    suspects: list[str]
    languages: list[str]
    wanted: int
    left_out: dict[str, str]
    prompts: int | None
    digest: str | None
    ended: Instant | None
    state: str
    why: str | None
    done: int
    cost: float
    tokens: int
    verdict: dict[str, Any] | None
    routes: list[dict[str, Any]]
    samples: list[dict[str, Any]]


class MetShape(Shape):
    """A route that a name may stand for, and how it stands."""

    route: str
    excluded: bool
    failing: list[str]


class TrafficShape(Shape):
    """What a provider or route served; `errors` and `cut` are shares, times are in seconds."""

    provider: str | None
    route: str | None
    requests: int
    errors: float
    cut: float
    first_token_p50: float | None
    first_token_p95: float | None
    routes: list[MetShape]


class ServedShape(Shape):
    """What was served of a model; shown beside the canary's verdicts, never scored."""

    model: str
    since: Instant
    until: Instant
    traffic: list[TrafficShape]
