"""Where every route stands: the fold of the recorded entries. Frozen; its mappings are never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from serinus.core.evidence import Tally
from serinus.core.exclusions import Exclusion, Layer
from serinus.core.policy.events import SetMode
from serinus.core.policy.lanes import LANES, Lane


@dataclass(frozen=True, slots=True)
class Rung:
    """A step on the ladder: when a suspension began, and its level."""

    since: datetime
    level: int


@dataclass(frozen=True, slots=True)
class Suspension:
    """A canary's time-limited exclusion of a route, in force while `since <= now < until`.

    `before` is the step that stood on the ladder when it began: what stands again if it is
    forgotten. `clean` is the recovery so far.
    """

    since: datetime
    until: datetime
    level: int
    contracts: tuple[str, ...]
    before: Rung | None = None
    clean: Tally | None = None


@dataclass(frozen=True, slots=True)
class LaneState:
    """One route in one lane. `held` means that the floor's refusal was said and still stands."""

    suspension: Suspension | None = None
    latest: Rung | None = None
    held: bool = False


@dataclass(frozen=True, slots=True)
class RouteState:
    """One route of one model. `tallies` holds a contract only while something is held against it.

    `lifted` is the latest lift, `grace` the instant before which the route is not due.
    """

    tallies: Mapping[str, Tally] = field(default_factory=dict)
    real: LaneState = LaneState()
    shadow: LaneState = LaneState()
    lifted: datetime | None = None
    grace: datetime | None = None

    def lane(self, lane: Lane) -> LaneState:
        """Its state in a lane."""
        return self.real if lane is Lane.REAL else self.shadow


@dataclass(frozen=True, slots=True)
class ModelState:
    """One model: its latest counted round, and every route about which something is remembered.

    `answered` is the latest counted round in which a route gave a verdict that proves it alive
    (rule 7). `ending` is the earliest `until` of a suspension. `low` means that being below the
    floor was said and still stands.
    """

    latest: datetime | None = None
    live: frozenset[str] = frozenset()
    providers: Mapping[str, str] = field(default_factory=dict)
    answered: Mapping[str, datetime] = field(default_factory=dict)
    routes: Mapping[str, RouteState] = field(default_factory=dict)
    ending: datetime | None = None
    low: bool = False

    def route(self, tag: str) -> RouteState:
        """What is remembered of a route; nothing, where it is new."""
        return self.routes.get(tag, NEW_ROUTE)

    def suspensions(self) -> list[tuple[str, Lane, Suspension]]:
        """Every suspension that has not ended: by route, the real lane before the shadow."""
        return [
            (tag, lane, suspension)
            for tag, route in sorted(self.routes.items())
            for lane in LANES
            if (suspension := route.lane(lane).suspension) is not None
        ]


@dataclass(frozen=True, slots=True)
class State:
    """Everything the policy remembers. `now` is the greatest instant so far: time never runs back."""

    now: datetime | None = None
    models: Mapping[str, ModelState] = field(default_factory=dict)
    exclusions: Mapping[tuple[Layer, str, str | None], Exclusion] = field(default_factory=dict)
    modes: tuple[SetMode, ...] = ()

    def model(self, name: str) -> ModelState:
        """What is remembered of a model; nothing, where it is new."""
        return self.models.get(name, NEW_MODEL)


NEW_ROUTE = RouteState()
NEW_MODEL = ModelState()
