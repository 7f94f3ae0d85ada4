"""Sessions of browsers: where one begins and leads to, and logging out. `pages/doors.py` has the forms."""

from __future__ import annotations

from functools import partial
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from serinus.web.access import COOKIE, caller_of, prove_will
from serinus.web.gate import Gate
from serinus.web.site import Site
from serinus.web.threads import aside

AFTER: Final = "/"  # where one goes from here


def sessions(gate: Gate, site: Site) -> APIRouter:
    """The route that ends a session."""
    router = APIRouter(include_in_schema=False)

    @router.post("/logout")
    async def log_out(request: Request) -> Response:
        caller = caller_of(request)
        await prove_will(request, caller)
        await aside(partial(gate.log_out, caller))
        response = RedirectResponse(f"{site.base_path}/login", 303)
        response.delete_cookie(COOKIE, path=site.root)
        return response

    return router


def with_session(gate: Gate, site: Site, request: Request, secret: str, wanted: str) -> Response:
    """Go on to a page of ours with a session whose secret only the browser keeps."""
    response = RedirectResponse(f"{site.base_path}{local(wanted)}", 303)
    response.set_cookie(
        COOKIE,
        secret,
        max_age=int(gate.session.total_seconds()),
        path=site.root,
        secure=request.state.secure,
        httponly=True,
        samesite="lax",
    )
    return response


def local(wanted: str) -> str:
    """An address of ours to go to: anything that could lead elsewhere leads to the first page."""
    plain = wanted.isprintable() and "\\" not in wanted
    return wanted if plain and wanted.startswith("/") and not wanted.startswith("//") else AFTER
