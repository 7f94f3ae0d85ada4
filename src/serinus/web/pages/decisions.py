"""What was decided and what operators did: to be filtered, understood, and marked right or wrong (R17)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal, get_args

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from serinus.core.durations import parse_duration
from serinus.service.logbook import READ, Line, known_kinds, line_of
from serinus.service.storage import Store
from serinus.web import acts
from serinus.web.access import Actor, Reader
from serinus.web.pages.fields import Name
from serinus.web.pages.paper import Paper
from serinus.web.pages.past import told
from serinus.web.sessions import local

SIZE: Final = 50  # lines of a page
SLICE: Final = 200  # entries read at once
Period = Literal["24h", "7d", "30d", "all"]
Opinion = Literal["right", "wrong", "clear"]


def decisions(paper: Paper) -> APIRouter:
    """The page of decisions, and the act of marking one."""
    router = APIRouter(include_in_schema=False)
    desk = paper.office.desk

    @router.get("/decisions")
    def show(  # noqa: PLR0913, PLR0917  each is a filter of the page
        request: Request,
        _caller: Reader,
        model: Name = "",
        route: Name = "",
        kind: Annotated[str, Query(max_length=40)] = "",
        period: Period = "7d",
        before: Annotated[int | None, Query(ge=1, le=10**15)] = None,
    ) -> Response:
        wanted = {"model": model, "route": route, "kind": kind}
        since = None if period == "all" else desk.at - parse_duration(period)
        models = desk.models()
        newest = desk.memory.seen  # read before the lines are: what comes meanwhile is news
        found, older = _lines(desk.store, wanted, since, before)
        values: dict[str, Any] = {
            "place": "/decisions",
            **({"watched": newest} if before is None else {}),
            **wanted,
            "period": period,
            "periods": get_args(Period),
            "kinds": sorted(known_kinds()),
            "models": models,
            "lines": [told(line) for line in found],
            "older": older,
        }
        return paper.page(request, "decisions.html", values)

    @router.post("/mark")
    def opinion(
        caller: Actor,
        seq: Annotated[int, Form(ge=1, le=10**15)],
        opinion: Annotated[Opinion, Form()],
        why: Annotated[str, Form(min_length=1, max_length=500)],
        back: Annotated[str, Form(max_length=2000)] = "/decisions",
    ) -> Response:
        acts.give_mark(desk, caller.name, seq, opinion, why)
        return paper.to(f"{local(back)}#d{seq}")

    return router


def _lines(
    store: Store, wanted: dict[str, str], since: datetime | None, before: int | None
) -> tuple[list[Line], int | None]:
    """A page of lines, newest first, and the number before which the next page begins."""
    marks = store.marks()
    found: list[Line] = []
    while True:
        entries = store.latest(before=before, model=wanted["model"] or None, kinds=READ, limit=SLICE)
        for logged in entries:
            if since is not None and logged.at < since:
                return found, None
            line = line_of(logged, marks)
            before = logged.seq
            if wanted["route"] not in ("", line.route) or wanted["kind"] not in ("", line.kind):
                continue
            found.append(line)
            if len(found) == SIZE:
                return found, before
        if len(entries) < SLICE:
            return found, None
