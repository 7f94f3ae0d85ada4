"""The observe report and the plan."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Query
from fastapi.responses import Response

from serinus.service.desk import Desk
from serinus.service.documents import offers_of
from serinus.service.forecast import forecast
from serinus.service.planning import ModelPlan
from serinus.service.records import forecasts, observing
from serinus.web.access import Reader
from serinus.web.api.shapes.figures import ObservedShape, PlanShape
from serinus.web.api.standing import Models
from serinus.web.documents import answer
from serinus.web.problems import documented

_PROBLEMS: Final = documented(401, 403, 404, 422, 503)
Days = Annotated[int, Query(ge=1, le=90, description="How far back.")]


def figures(desk: Desk, plans: Mapping[str, ModelPlan]) -> APIRouter:
    """The routes that show figures."""
    router = APIRouter(tags=["figures"], responses=_PROBLEMS)

    @router.get("/observe-report", response_model=ObservedShape)
    def observe_report(_: Reader, models: Models = [], days: Days = 14) -> Response:  # noqa: B006  as above
        """What observe mode would have done, and how often it would have been wrong."""
        found = [desk.observed(name, timedelta(days=days)) for name in desk.models(models)]
        return answer({"models": [observing.document(report) for report in found]})

    @router.get("/plan", response_model=PlanShape)
    def plan(_: Reader) -> Response:
        """What rounds cost by the last good listings. Nothing is asked."""
        listed = {name: offers_of(desk.store.listing(name)) for name in plans}
        found = [forecast(plans[name], offers, desk.interval) for name, offers in listed.items() if offers]
        unlisted = sorted(name for name, offers in listed.items() if not offers)
        return answer({**forecasts.document(found, desk.budget), "unlisted": unlisted})

    return router
