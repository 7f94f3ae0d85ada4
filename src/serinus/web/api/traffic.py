"""What user traffic met, by the route ledger: shown beside verdicts, never scored."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from serinus.core.instants import format_instant
from serinus.service.desk import Desk
from serinus.service.traffic import document
from serinus.service.traffic import traffic as met
from serinus.web.access import Reader
from serinus.web.api.shapes.traffic import ServedShape
from serinus.web.documents import answer
from serinus.web.problems import documented

Hours = Annotated[int, Query(ge=1, le=14 * 24, description="How far back; the ledger keeps 14 days.")]


def traffic(desk: Desk) -> APIRouter:
    """The route of the ledger."""
    router = APIRouter(tags=["traffic"], responses=documented(401, 403, 404, 422, 503))

    @router.get("/traffic", response_model=ServedShape)
    def served(
        _: Reader, model: Annotated[str, Query(min_length=1, max_length=512)], hours: Hours = 24
    ) -> Response:
        """What each provider and route served of a model, as `serinus proxy` recorded it."""
        (name,) = desk.models([model])
        until, length = desk.at, timedelta(hours=hours)
        return answer(
            {
                "model": name,
                "since": format_instant(until - length),
                "until": format_instant(until),
                "traffic": [document(figures) for figures in met(desk, name, length)],
            }
        )

    return router
