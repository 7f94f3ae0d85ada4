"""The shape of published ignore lists (`formats.md` §2 rule 12)."""

from __future__ import annotations

from typing import Literal

from serinus.web.api.shapes import Instant, Shape


class EntryShape(Shape):
    """One entry of a layer: a name that gets no traffic, and why."""

    name: str
    """A route's tag, or a provider's name, which covers every route of it."""
    layer: Literal["builtin", "operational", "account", "suspension"]
    since: Instant
    until: Instant | None
    level: int | None
    """Of a suspension: its step on the ladder."""
    contracts: list[str] | None
    """Of a suspension: the contracts it rests on."""
    by: str | None
    why: str | None


class MergedShape(Shape):
    """What requests for a model must leave out."""

    model: str | None
    """Null for the list that holds for every model that is not named."""
    at: Instant
    ignore: list[str]
    """The names for the gateway's own field: OpenRouter's `provider.ignore`."""
    fail_open: bool
    """The layers together would have left no live route, so suspensions are left out."""
    entries: list[EntryShape]


class ListShape(MergedShape):
    """What requests for a model must leave out, and what the gateway would not understand."""

    unmatched: list[str]
    """Names that cover no known route: the gateway drops them silently."""


class ListsShape(Shape):
    """The lists of every model."""

    version: Literal[1]
    at: Instant
    models: dict[str, ListShape]
    others: ListShape
