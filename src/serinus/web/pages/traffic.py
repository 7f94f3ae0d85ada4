"""What user traffic met, by the route ledger, beside the canary's verdicts: shown and never scored."""

from __future__ import annotations

from datetime import timedelta
from typing import Final, Literal, get_args

from fastapi import APIRouter, Request
from fastapi.responses import Response

from serinus.core.durations import parse_duration
from serinus.service.desk import Desk
from serinus.service.standing import ModelStanding
from serinus.service.traffic import Figures, failing, of_route
from serinus.service.traffic import traffic as met
from serinus.web.access import Reader
from serinus.web.pages.fields import Name, chosen
from serinus.web.pages.paper import Paper

DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
Period = Literal["1h", "24h", "7d", "14d"]


def traffic(paper: Paper) -> APIRouter:
    """The page of a model's traffic."""
    router = APIRouter(include_in_schema=False)
    desk = paper.office.desk
    paper.environment.globals.update(failing=failing)

    @router.get("/traffic")
    def show(request: Request, _caller: Reader, model: Name = "", period: Period = "24h") -> Response:
        of, models = chosen(desk, model)
        length = parse_duration(period)
        values = {
            "place": "/",
            "model": of,
            "models": models,
            "period": period,
            "periods": get_args(Period),
            "hours": length // HOUR,
            "figures": met(desk, of, length) if of else [],
        }
        return paper.page(request, "traffic.html", values)

    return router


def served_by(desk: Desk, known: ModelStanding, tag: str) -> list[Figures]:
    """A route's figures of the last day, by where its model stands."""
    return of_route(met(desk, known.model, DAY, known), tag)
