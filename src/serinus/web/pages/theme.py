"""Light or dark: as the browser prefers, or as its reader chose here."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from serinus.web.pages.paper import THEME, THEMES, Paper
from serinus.web.problems import Problem
from serinus.web.sessions import local

YEAR = 365 * 86400


def theme(paper: Paper) -> APIRouter:
    """The route that a choice leads to; it changes a cookie of that browser and nothing else."""
    router = APIRouter(include_in_schema=False)
    site = paper.office.site

    @router.get("/theme/{name}")
    def choose(name: str, back: str = "/") -> Response:
        if name not in (*THEMES, "auto"):
            raise Problem(404, f"There is no theme of that name; there are {', '.join(THEMES)} and auto.")
        response = RedirectResponse(f"{site.base_path}{local(back)}", 303)
        if name == "auto":
            response.delete_cookie(THEME, path=site.root)
        else:
            response.set_cookie(THEME, name, max_age=YEAR, path=site.root, samesite="lax", httponly=True)
        return response

    return router
