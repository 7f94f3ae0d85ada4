"""Acts by form: each is looked at before it is done, and says what it does to capacity (R18, R22, R24)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import Response

from serinus.core.durations import parse_duration
from serinus.core.exclusions import Layer
from serinus.core.policy import Include, Lift
from serinus.service.operators import Room, foreseen
from serinus.service.records.doings import room_lines
from serinus.web import acts
from serinus.web.access import Actor
from serinus.web.acts import Acted, Excluding
from serinus.web.pages.done import done_range
from serinus.web.pages.fields import Given, Name
from serinus.web.pages.paper import Paper
from serinus.web.pages.route import known
from serinus.web.problems import Problem, problem_of

LENGTHS: Final = (
    ("6h", "6 hours"),
    ("1d", "1 day"),
    ("3d", "3 days"),
    ("7d", "7 days"),
    ("30d", "30 days"),
    ("", "until it is taken back"),
)
GRACES: Final = (("0s", "none"), ("6h", "6 hours"), ("1d", "1 day"), ("3d", "3 days"), ("7d", "7 days"))


@dataclass(frozen=True, slots=True)
class Look:
    """What an act would do: the capacity of each model that it changes."""

    rooms: tuple[Room, ...] = ()
    trouble: str | None = None

    @property
    def said(self) -> list[str]:
        """What it does to capacity, a sentence a model."""
        return room_lines(self.rooms)

    @property
    def falls(self) -> bool:
        """Whether a model would be left below its floor."""
        return any(r.falls for r in self.rooms)


def acting(paper: Paper) -> APIRouter:
    """The forms of exclude, include and lift, and what they send."""
    router = APIRouter(include_in_schema=False)
    _excluding(paper, router)
    _including(paper, router)
    _lifting(paper, router)
    return router


def _excluding(paper: Paper, router: APIRouter) -> None:
    desk = paper.office.desk

    def form(request: Request, wanted: dict[str, Any], look: Look | None, status: int = 200) -> Response:
        models = desk.models()
        known = desk.names(models)
        concerned = [n for n in known if wanted["model"] in ("", n.model)]
        values = {
            "place": "/exclusions",
            "w": wanted,
            "look": look,
            "covers": [tag for n in concerned for tag in n.covered(wanted["name"])],
            "names": sorted({name for n in known for name in n.all}),
            "models": models,
            "lengths": LENGTHS,
        }
        return paper.page(request, "exclude.html", values, status)

    @router.get("/exclude")
    def ask(  # noqa: PLR0913, PLR0917  each is a field of the form
        request: Request,
        caller: Actor,
        name: Name = "",
        model: Name = "",
        lasts: Name = "1d",
        why: Name = "",
        look: Name = "",
    ) -> Response:
        wanted = {"name": name.strip(), "model": model, "lasts": lasts, "why": why}
        if not look:
            return form(request, wanted, None)
        seen = _tried(lambda: acts.exclude(desk, caller.name, _exclusion(wanted, dry_run=True)))
        return form(request, wanted, seen, 422 if seen.trouble else 200)

    @router.post("/exclude")
    def do(  # noqa: PLR0913, PLR0917  as above
        request: Request,
        caller: Actor,
        name: Given,
        why: Given,
        model: Given = "",
        lasts: Given = "",
        confirm: Given = "",
    ) -> Response:
        wanted = {"name": name, "model": model, "lasts": lasts, "why": why}
        try:
            done = acts.exclude(desk, caller.name, _exclusion(wanted, confirm=bool(confirm)))
        except (Problem, LookupError) as error:
            return form(request, wanted, Look(trouble=problem_of(error).detail), 422)
        return _went(paper, "/exclusions", done)


def _exclusion(wanted: dict[str, Any], *, dry_run: bool = False, confirm: bool = False) -> Excluding:
    if not wanted["why"].strip():
        raise Problem(422, "Say why: whoever looks at it next must know. Nothing was changed.")
    try:
        lasts = parse_duration(wanted["lasts"]) if wanted["lasts"] else None
    except ValueError as error:
        raise Problem(422, f"How long: {error}. Nothing was changed.") from None
    return Excluding(
        wanted["name"], wanted["model"] or None, wanted["why"], lasts=lasts, dry_run=dry_run, confirm=confirm
    )


def _including(paper: Paper, router: APIRouter) -> None:
    desk = paper.office.desk

    @router.get("/include")
    def ask(request: Request, caller: Actor, name: Name, model: Name = "") -> Response:
        entry = desk.state.exclusions.get((Layer.OPERATIONAL, name, model or None))
        if entry is None:
            raise Problem(404, "There is no such operational exclusion; somebody may have taken it back.")
        event = Include(desk.at, Layer.OPERATIONAL, name, model or None, caller.name, "")
        rooms = foreseen(desk.policy, desk.state, event, desk.models([model] if model else ()))
        values = {"place": "/exclusions", "entry": entry, "look": Look(rooms=rooms)}
        return paper.page(request, "include.html", values)

    @router.post("/include")
    def do(caller: Actor, name: Given, why: Given, model: Given = "") -> Response:
        return _went(paper, "/exclusions", acts.include(desk, caller.name, name, model or None, why))


def _lifting(paper: Paper, router: APIRouter) -> None:
    desk = paper.office.desk

    @router.get("/lift")
    def ask(request: Request, caller: Actor, model: Name, tag: Name) -> Response:
        sight = desk.sight()
        standing = sight.model(*desk.models([model]), findings=False)
        route = known(standing.routes, tag, model)
        event = Lift(desk.at, model, route.tag, caller.name, "", timedelta(0), forget=False)
        rooms = foreseen(desk.policy, desk.state, event, [model])
        values = {"place": "/exclusions", "r": route, "look": Look(rooms=rooms), "graces": GRACES}
        return paper.page(request, "lift.html", values)

    @router.post("/lift")
    def do(  # noqa: PLR0913, PLR0917  each is a field of the form
        caller: Actor, model: Given, tag: Given, why: Given, grace: Given = "0s", forget: Given = ""
    ) -> Response:
        try:
            length = parse_duration(grace)
        except ValueError as error:
            raise Problem(422, f"Grace: {error}. Nothing was changed.") from None
        wanted = Lift(desk.at, model, tag, None, why, length, forget=bool(forget))
        return _went(paper, "/exclusions", acts.lift(desk, caller.name, wanted))


def _tried(work: Callable[[], Acted]) -> Look:
    try:
        return Look(rooms=work().rooms)
    except (Problem, LookupError) as error:
        return Look(trouble=problem_of(error).detail)


def _went(paper: Paper, path: str, acted: Acted) -> Response:
    return paper.to(path, done=done_range(acted.done) if acted.done else None)
