"""The JSON API under /v1: the same services and documents as the commands."""

from __future__ import annotations

from fastapi import APIRouter

from serinus.web.api.acts import acting
from serinus.web.api.comparisons import comparing
from serinus.web.api.figures import figures
from serinus.web.api.lists import lists
from serinus.web.api.log import log
from serinus.web.api.reports import reporting
from serinus.web.api.standing import standing
from serinus.web.api.traffic import traffic
from serinus.web.bulletin import Bulletin
from serinus.web.office import Office


def api(office: Office) -> APIRouter:
    """Every route of the API."""
    desk = office.desk
    router = APIRouter(prefix="/v1")
    for part in (
        lists(Bulletin(desk), office.changes),
        standing(desk),
        acting(desk),
        log(desk),
        figures(desk, office.plans),
        reporting(office),
        comparing(office),
        traffic(desk),
    ):
        router.include_router(part)
    return router
