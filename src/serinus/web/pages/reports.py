"""Users' reports: a form, what was found of each, and the way from there to proof (R26)."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from serinus.web.access import Reader
from serinus.web.pages.paper import Paper


def reports(paper: Paper) -> APIRouter:
    """The form, the list and each report."""
    router = APIRouter(include_in_schema=False)

    @router.get("/reports")
    def show(request: Request, _caller: Reader) -> Response:
        return paper.page(request, "reports.html", {"place": "/reports"})

    return router
