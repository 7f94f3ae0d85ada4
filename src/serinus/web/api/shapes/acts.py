"""The shapes of acts: what is asked for, and what followed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field
from pydantic.config import JsonDict

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
    """An instant as RFC 3339 writes it; one outside of what is kept is the first or the last there is."""
    if not isinstance(value, str):
        return value
    try:
        return instants.parse_instant(value)
    except ValueError:
        if (end := _beyond(value)) is None:
            raise
        return end


def _beyond(value: str) -> datetime | None:
    """The end of time that lies nearest to an instant beyond it; None for what is written otherwise."""
    try:
        written = datetime.fromisoformat(value.upper())
    except ValueError:
        return None
    if written.tzinfo is None or instants.FIRST.year < written.year < LAST_YEAR:
        return None
    return instants.LAST if written.year >= LAST_YEAR else instants.FIRST


def _duration(value: object) -> object:
    return durations.parse_duration(value) if isinstance(value, str) else value


def _contract(name: str) -> str:
    if name not in contract_names():
        message = f"there is no such contract; known: {', '.join(contract_names())}"
        raise ValueError(message)
    return name


_PRINTED: Final = r"[^\s\x00-\x1f\x7f-\x9f]"
Tag = Annotated[str, Field(max_length=256, pattern=rf"^{_PRINTED}+$", examples=["deepinfra/fp8"])]
ModelName = Annotated[
    str, Field(max_length=256, pattern=rf"^{_PRINTED}+$", examples=["deepseek/deepseek-v3.2"])
]
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
LAST_YEAR: Final = instants.LAST.year - 1
_TEXT: Final[JsonDict] = {"type": "string"}
_BOTH: Final[JsonDict] = {
    "required": ["until", "lasts"],
    "properties": {"until": _TEXT, "lasts": _TEXT},
}


class ExcludeBody(Shape):
    """Keep a route, or all routes of a provider, from user traffic."""

    model_config = ConfigDict(json_schema_extra={"not": _BOTH})

    route: Tag
    """The gateway's tag of the route, or a provider's name for all its routes."""
    model: ModelName | None = None
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

    model: ModelName
    route: Tag
    why: Why
    grace: Lasting = timedelta(0)
    """How long the route is not suspended again, whatever fails."""
    forget: bool = False
    """Let the suspension leave no step on the ladder: it was a false alarm."""


class ModeBody(Shape):
    """Whether suspensions reach routing."""

    mode: Literal["observe", "enforce"]
    model: ModelName | None = None
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
