"""What was served of real traffic, by the route ledger: shown beside verdicts, never scored."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response

from serinus.core.instants import format_instant
from serinus.service.desk import Desk
from serinus.service.ledger import Traffic
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
        until = desk.at
        since = until - timedelta(hours=hours)
        found = desk.store.ledger.traffic(name, since, until)
        return answer(
            {
                "model": name,
                "since": format_instant(since),
                "until": format_instant(until),
                "traffic": [_row(row) for row in found],
            }
        )

    return router


def _row(row: Traffic) -> dict[str, Any]:
    return {
        "provider": row.provider,
        "route": row.tag,
        "requests": row.requests,
        "errors": row.errors,
        "cut": row.cut,
        "first_token_p50": _quantile(row, 0.5),
        "first_token_p95": _quantile(row, 0.95),
    }


def _quantile(row: Traffic, share: float) -> float | None:
    """The time that so many of those that were timed did not exceed, in seconds."""
    times = row.first_token
    return round(times[min(len(times) - 1, int(share * len(times)))], 3) if times else None
