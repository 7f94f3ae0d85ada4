"""What user traffic met, by the route ledger, beside the canary's verdicts: shown and never scored."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from serinus.service.desk import Desk
from serinus.service.standing import ModelStanding
from serinus.service.traffic import Figures, failing, of_route
from serinus.service.traffic import traffic as met
from serinus.web.access import Reader
from serinus.web.pages.paper import Paper

PERIODS: Final = {"1h": 1, "24h": 24, "7d": 7 * 24, "14d": 14 * 24}
DAY: Final = 24
Period = Literal["1h", "24h", "7d", "14d"]


def traffic(paper: Paper) -> APIRouter:
    """The page of a model's traffic."""
    router = APIRouter(include_in_schema=False)
    desk = paper.office.desk
    paper.environment.globals.update(failing=failing)

    @router.get("/traffic")
    def show(
        request: Request,
        _caller: Reader,
        model: Annotated[str, Query(max_length=500)] = "",
        period: Period = "24h",
    ) -> Response:
        models = desk.models()
        chosen = desk.models([model])[0] if model else (models[0] if models else "")
        hours = PERIODS[period]
        values = {
            "place": "/",
            "model": chosen,
            "models": models,
            "period": period,
            "periods": list(PERIODS),
            "hours": hours,
            "figures": met(desk, chosen, timedelta(hours=hours)) if chosen else [],
        }
        return paper.page(request, "traffic.html", values)

    return router


def served_by(desk: Desk, known: ModelStanding, tag: str) -> list[Figures]:
    """A route's figures of the last day, by where its model stands."""
    return of_route(met(desk, known.model, timedelta(hours=DAY), known), tag)
