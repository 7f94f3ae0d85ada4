"""The layers of exclusion, one by one, and the list they merge into, as the gateway gets it (R22, R23)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from serinus.core import explain
from serinus.core.exclusions import Exclusion, IgnoreList, Layer
from serinus.core.listing import ignore_list, suspended
from serinus.core.policy import Lane
from serinus.core.policy.state import Suspension
from serinus.service.names import Names, names_of
from serinus.service.standing import Sight
from serinus.web.access import Reader
from serinus.web.pages.done import done_lines
from serinus.web.pages.fields import Name
from serinus.web.pages.paper import Paper

LAYERS: Final = (
    (Layer.OPERATIONAL, "Operational", "added by operators, taken back by them"),
    (Layer.SUSPENSION, "Suspensions", "by the canary, for a time"),
    (Layer.BUILTIN, "Built-in", "reviewed and in version control; ends only by a reviewed change"),
    (Layer.ACCOUNT, "Account", "ignored by the account’s own settings at the gateway"),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry of a layer, and the routes that it covers."""

    entry: Exclusion
    covers: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Merged:
    """A model's list, as JSON and with what must be known of it."""

    found: IgnoreList
    text: str
    said: Sequence[str]


@dataclass(frozen=True, slots=True)
class Would:
    """A suspension of the shadow lane: observed, and out of nothing."""

    model: str
    tag: str
    suspension: Suspension


def exclusions(paper: Paper) -> APIRouter:
    """The page."""
    router = APIRouter(include_in_schema=False)
    desk = paper.office.desk

    @router.get("/exclusions")
    def show(
        request: Request,
        _caller: Reader,
        model: Name = "",
        done: Annotated[str, Query(max_length=40)] = "",
    ) -> Response:
        every = desk.models()
        models = desk.models([model]) if model else every
        watched = desk.memory.seen
        sight = desk.sight()
        entries = _entries(sight, models)
        values = {
            "place": "/exclusions",
            "watched": watched,
            "done": done_lines(desk.store, done),
            "model": model,
            "models": every,
            "layers": [
                (layer, *said, [e for e in entries if e.entry.layer is layer]) for layer, *said in LAYERS
            ],
            "would": _would(sight, models),
            "merged": [_merged(sight, name) for name in models],
        }
        return paper.page(request, "exclusions.html", values)

    return router


def _entries(sight: Sight, models: Sequence[str]) -> list[Shown]:
    """Every entry that is not over, those with the nearest end first."""
    state, at = sight.state, sight.at
    found = [*state.exclusions.values(), *(e for m in models for e in suspended(state, m))]
    standing = [
        e for e in found if (e.until is None or e.until > at) and any(e.concerns(name) for name in models)
    ]
    standing.sort(key=lambda e: (e.until is None, e.until or at, e.name, e.model or ""))
    concerned = [name for name in models if any(e.concerns(name) for e in standing)]
    names = [names_of(sight.store, state, name) for name in concerned]
    return [Shown(e, _covered(e, names)) for e in standing]


def _covered(entry: Exclusion, names: Sequence[Names]) -> list[tuple[str, str]]:
    return [(n.model, tag) for n in names if entry.concerns(n.model) for tag in n.covered(entry.name)]


def _would(sight: Sight, models: Sequence[str]) -> list[Would]:
    return [
        Would(name, tag, suspension)
        for name in models
        for tag, lane, suspension in sight.state.model(name).suspensions()
        if lane is Lane.SHADOW and suspension.until > sight.at
    ]


def _merged(sight: Sight, model: str) -> Merged:
    found = ignore_list(sight.state, model, sight.at)
    text = json.dumps({"provider": {"ignore": list(found.ignore)}}, indent=2)
    return Merged(found, text, [explain.of_exclusion(e) for e in found.entries] + explain.of_list(found))
