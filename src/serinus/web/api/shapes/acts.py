"""The shapes of acts: what is asked for, and what followed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from serinus.config.kinds import ModelId, Tag
from serinus.contracts import contract_names
from serinus.core import durations, instants
from serinus.web.api.shapes import Instant, Shape
from serinus.web.api.shapes.lists import MergedShape


def _said(text: str) -> str:
    if not text.strip():
        message = "say why, for whoever looks at it next"
        raise ValueError(message)
    return text


def _instant(value: object) -> object:
    return instants.parse_instant(value) if isinstance(value, str) else value


def _duration(value: object) -> object:
    return durations.parse_duration(value) if isinstance(value, str) else value


def _contract(name: str) -> str:
    if name not in contract_names():
        message = f"there is no such contract; known: {', '.join(contract_names())}"
        raise ValueError(message)
    return name


Why = Annotated[
    str,
    Field(min_length=1, max_length=2000, pattern=r"\S", description="The reason, for whoever looks next."),
    AfterValidator(_said),
]
When = Annotated[
    datetime,
    BeforeValidator(
        _instant, json_schema_input_type=Annotated[str, Field(json_schema_extra={"format": "date-time"})]
    ),
]
Lasting = Annotated[
    timedelta,
    BeforeValidator(
        _duration,
        json_schema_input_type=Annotated[str, Field(pattern=r"^[0-9]{1,6}[smhd]$", examples=["6h"])],
    ),
]
Contract = Annotated[
    str, AfterValidator(_contract), Field(json_schema_extra={"enum": list(contract_names())})
]


class ExcludeBody(Shape):
    """Keep a route, or all routes of a provider, from user traffic."""

    route: Tag
    """The gateway's tag of the route, or a provider's name for all its routes."""
    model: ModelId | None = None
    """For this model only; null for all."""
    why: Why
    until: When | None = None
    """When it ends by itself."""
    lasts: Lasting | None = None
    """How long it lasts (`6h`, `14d`), in place of `until`."""
    anyway: bool = False
    """Exclude a name that covers no known route."""
    dry_run: bool = False
    """Change nothing, and say what it would do to capacity."""
    confirm: bool = False
    """Go below the floor."""


class LiftBody(Shape):
    """End a route's suspension by hand, and clear what is held against it."""

    model: ModelId
    route: Tag
    why: Why
    grace: Lasting = timedelta(0)
    """How long the route is not suspended again, whatever fails."""
    forget: bool = False
    """Let the suspension leave no step on the ladder: it was a false alarm."""


class ModeBody(Shape):
    """Whether suspensions reach routing."""

    mode: Literal["observe", "enforce"]
    model: ModelId | None = None
    """For this model only; null for all."""
    contract: Contract | None = None
    """For this contract only; null for all."""
    why: Why
    confirm: bool = False
    """Enforce what was observed for less than seven days."""


class MarkBody(Shape):
    """Whether a decision was right."""

    seq: Annotated[int, Field(ge=1, le=2**53)]
    """Its number in the log."""
    opinion: Literal["right", "wrong", "clear"]
    """`clear` takes a mark back."""
    why: Why


class RoomShape(Shape):
    """What an act does to the capacity of a model, in providers."""

    model: str
    before: int
    after: int
    floor: int
    falls: bool
    """It takes capacity and leaves the model below its floor."""
    what: str


class ActShape(Shape):
    """An act as it stands in the log."""

    seq: int
    act: str


class DecisionShape(Shape):
    """A decision (`formats.md` §2 rule 11)."""

    seq: int
    at: Instant
    model: str | None
    route: str | None
    decision: str
    contracts: list[str] | None
    level: int | None
    until: Instant | None
    enforced: bool | None
    why: str


class DoneShape(Shape):
    """What was written, and what followed; with `dry_run` only what would become of capacity."""

    dry_run: bool
    capacity: list[RoomShape]
    acts: list[ActShape]
    decisions: list[DecisionShape]
    warnings: list[str]
    lists: list[MergedShape]


class MarkedShape(DecisionShape):
    """A decision with its mark."""

    mark: bool | None
