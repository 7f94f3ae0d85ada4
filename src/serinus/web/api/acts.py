"""What operators change: exclusions, lifts, modes, marks. Who did it is always who is asking."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from fastapi.responses import Response

from serinus.core.policy import Lift, Mode, SetMode
from serinus.service.desk import Desk
from serinus.service.operators import OPINIONS
from serinus.service.records import decision
from serinus.service.records.doings import document, room_document
from serinus.web import acts
from serinus.web.access import Actor
from serinus.web.acts import Acted, Excluding
from serinus.web.api.shapes.acts import (
    DoneShape,
    ExcludeBody,
    LiftBody,
    MarkBody,
    MarkedShape,
    ModeBody,
    ModelName,
    Tag,
    Why,
)
from serinus.web.documents import answer
from serinus.web.problems import documented

_PROBLEMS: Final = documented(400, 401, 403, 404, 409, 413, 422, 503)


def acting(desk: Desk) -> APIRouter:
    """The routes that change something."""
    router = APIRouter(tags=["acts"], responses=_PROBLEMS)

    @router.post("/exclusions", response_model=DoneShape)
    def exclude(caller: Actor, body: ExcludeBody) -> Response:
        """Keep a route, or all routes of a provider, from user traffic.

        An act that leaves a model below its floor is answered with 409 and the capacity, unless it says
        `"confirm": true`. With `"dry_run": true` nothing is changed.
        """
        wanted = Excluding(**body.model_dump())
        return _told(acts.exclude(desk, caller.name, wanted))

    @router.delete("/exclusions", response_model=DoneShape)
    def include(
        caller: Actor,
        route: Tag,
        why: Annotated[Why, Query()],
        model: Annotated[ModelName | None, Query()] = None,
    ) -> Response:
        """Take back an operational exclusion: the one of this name and model, and no other."""
        return _told(acts.include(desk, caller.name, route, model, why))

    @router.post("/lift", response_model=DoneShape)
    def lift(caller: Actor, body: LiftBody) -> Response:
        """End a route's suspension in both lanes, and clear what is held against it."""
        wanted = Lift(desk.at, body.model, body.route, None, body.why, body.grace, body.forget)
        return _told(acts.lift(desk, caller.name, wanted))

    @router.post("/mode", response_model=DoneShape)
    def mode(caller: Actor, body: ModeBody) -> Response:
        """Set whether suspensions reach routing, for a model and a contract or for all."""
        wanted = SetMode(desk.at, Mode(body.mode), body.model, body.contract, None, body.why)
        return _told(acts.set_mode(desk, caller.name, wanted, confirm=body.confirm))

    @router.post("/marks", response_model=MarkedShape)
    def mark(caller: Actor, body: MarkBody) -> Response:
        """Say whether a decision was right, or take that back. It changes nothing that was decided."""
        found = acts.give_mark(desk, caller.name, body.seq, body.opinion, body.why)
        return answer({"seq": body.seq, "mark": OPINIONS[body.opinion], **decision(found)})

    return router


def _told(acted: Acted) -> Response:
    nothing: dict[str, Any] = {"acts": [], "decisions": [], "warnings": [], "lists": []}
    followed = nothing if acted.done is None else document(acted.done, acted.models, acted.at)
    rooms = [room_document(room) for room in acted.rooms]
    return answer({"dry_run": acted.done is None, "capacity": rooms, **followed})
