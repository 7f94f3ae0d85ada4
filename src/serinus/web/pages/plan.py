"""What rounds ask and cost: a day, a month, by kind of probe, by the last listing's prices (R34)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from serinus.service.documents import offers_of
from serinus.service.forecast import DAY, MONTH, Forecast, forecast
from serinus.web.access import Reader
from serinus.web.office import Office
from serinus.web.pages.fields import Name, chosen
from serinus.web.pages.paper import Paper


@dataclass(slots=True)
class Forecasts:
    """Forecasts as they were made, until a model's listing changes."""

    office: Office
    _made: dict[str, tuple[object, Forecast | None]] = field(default_factory=dict)

    def of(self, model: str) -> Forecast | None:
        """What a model's rounds cost by its last listing; None where there is none, or no plan."""
        plan = self.office.plans.get(model)
        offers = offers_of(self.office.desk.store.listing(model))
        if plan is None or not offers:
            return None
        kept = self._made.get(model)
        if kept is None or kept[0] != offers:
            kept = (offers, forecast(plan, offers, self.office.desk.interval))
            self._made[model] = kept
        return kept[1]


def plan(paper: Paper) -> APIRouter:
    """The page."""
    router = APIRouter(include_in_schema=False)
    desk = paper.office.desk
    forecasts = Forecasts(paper.office)

    @router.get("/plan")
    def show(request: Request, _caller: Reader, model: Name = "") -> Response:
        of, models = chosen(desk, model)
        values: dict[str, Any] = {
            "place": "/plan",
            "model": of,
            "models": models,
            "f": forecasts.of(of) if of else None,
            "day": DAY,
            "month": MONTH,
            "spent": desk.store.spent(desk.at.date()),
            "budget": desk.budget,
        }
        return paper.page(request, "plan.html", values)

    return router
