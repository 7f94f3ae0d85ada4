"""What can happen to a policy, beside a round: operators' acts and the passing of time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from serinus.core.exclusions import Layer
from serinus.core.model import Round


class Mode(StrEnum):
    """Whether decisions on a contract reach routing (R17)."""

    OBSERVE = "observe"
    ENFORCE = "enforce"


@dataclass(frozen=True, slots=True)
class Exclude:
    """A name is put into a layer that people keep; a second one of the same key replaces the first."""

    at: datetime
    layer: Layer
    route: str
    model: str | None = None
    by: str | None = None
    why: str | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Include:
    """An entry of a layer is taken back; only the one of the same layer, route and model."""

    at: datetime
    layer: Layer
    route: str
    model: str | None = None
    by: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Lift:
    """A route is let back by hand (rule 10).

    For `grace` after `at` it is not due again; with `forget` the suspensions it ends leave no step
    on the ladder.
    """

    at: datetime
    model: str
    route: str
    by: str | None = None
    why: str | None = None
    grace: timedelta = timedelta(0)
    forget: bool = False


@dataclass(frozen=True, slots=True)
class SetMode:
    """Observe or enforce, for a model and contract, or for all where None (rule 5)."""

    at: datetime
    mode: Mode
    model: str | None = None
    contract: str | None = None
    by: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed."""

    at: datetime


Event = Round | Exclude | Include | Lift | SetMode | Tick
