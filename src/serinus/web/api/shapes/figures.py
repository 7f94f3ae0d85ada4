"""The shapes of the observe report and the plan."""

from __future__ import annotations

from serinus.web.api.shapes import Instant, Shape


class ObservedContractShape(Shape):
    """One contract: what observe mode led to, and how often it would have been wrong."""

    enforced: bool
    days: int
    fails: int
    of: int
    interval: list[float]
    would: int
    right: int
    wrong: int
    wrong_interval: list[float]
    unmarked: int
    doubtful: int
    advice: str
    why: str


class WouldShape(Shape):
    """A would-be suspension."""

    seq: int
    route: str
    contracts: list[str]
    since: Instant
    ended: Instant | None
    end: str | None
    level: int
    hours: float
    mark: bool | None
    signs: list[str]


class ObservedModelShape(Shape):
    """What observe mode would have done to a model."""

    model: str
    since: Instant
    at: Instant
    rounds: int
    days: int
    routes: int
    hours: float
    floor_rounds: int
    contracts: dict[str, ObservedContractShape]
    would: list[WouldShape]


class ObservedShape(Shape):
    """The observe report."""

    models: list[ObservedModelShape]


class ProbeCostShape(Shape):
    """One kind of probe, a round."""

    requests: float
    prompt_tokens: float
    answer_tokens: float
    capped_tokens: float
    usd: float | None
    contracts: list[str]


class ModelCostShape(Shape):
    """What one model's rounds cost."""

    model: str
    routes: int
    unpriced: list[str]
    interval: float
    tokens_per_route: float
    usd_per_round: float
    usd_per_day: float
    usd_per_month: float
    probes: dict[str, ProbeCostShape]


class PlanShape(Shape):
    """What rounds cost by the last good listing of each model, against the budget."""

    budget_usd_per_day: float
    usd_per_day: float
    models: list[ModelCostShape]
    unlisted: list[str]
    """Models of which there is no listing yet."""
