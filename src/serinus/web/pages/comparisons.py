"""Pinned comparisons: what one would cost, how it goes, what it shows (R27)."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from serinus.web.access import Reader
from serinus.web.pages.paper import Paper


def comparisons(paper: Paper) -> APIRouter:
    """The form, the list and each comparison."""
    router = APIRouter(include_in_schema=False)

    @router.get("/compare")
    def show(request: Request, _caller: Reader) -> Response:
        return paper.page(request, "compare.html", {"place": "/compare"})

    return router
