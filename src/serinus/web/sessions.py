"""Logging in and out, and the one-time link that makes the first operator.

The forms here are plain; pages of the same addresses that are included before take their place.
"""

from __future__ import annotations

from html import escape
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from serinus.service.access import OperatorExistsError
from serinus.service.access.keeping import AccessError
from serinus.service.access.passwords import WeakPasswordError
from serinus.web.access import COOKIE, caller_of, prove_will
from serinus.web.gate import USED, Gate
from serinus.web.problems import Problem
from serinus.web.site import Site

Text = Annotated[str, Form(max_length=2000)]
AFTER: Final = "/"  # where one goes from here


def sessions(gate: Gate, site: Site) -> APIRouter:
    """The routes that begin and end sessions."""
    router = APIRouter(include_in_schema=False)
    doors = _Doors(gate, site)
    router.get("/login")(doors.login_form)
    router.post("/login")(doors.log_in)
    router.post("/logout")(doors.log_out)
    router.get("/setup")(doors.setup_form)
    router.post("/setup")(doors.set_up)
    return router


class _Doors:
    """What these routes do."""

    def __init__(self, gate: Gate, site: Site) -> None:
        self.gate = gate
        self.site = site

    def login_form(self, next_: str = AFTER, trouble: str = "") -> Response:
        """Ask for name and password."""
        del next_
        return _form("Log in", f"{self.site.base_path}/login", trouble, {})

    def log_in(
        self,
        request: Request,
        name: Text,
        password: Text,
        next: Text = AFTER,  # noqa: A002  the field's name
    ) -> Response:
        """Begin a session and go on to where one wanted to."""
        secret = self.gate.log_in(name, password, request.state.address)
        return with_session(self.gate, self.site, request, secret, next)

    async def log_out(self, request: Request) -> Response:
        """End the session."""
        caller = caller_of(request)
        await prove_will(request, caller)
        self.gate.log_out(caller)
        response = RedirectResponse(f"{self.site.base_path}/login", 303)
        response.delete_cookie(COOKIE, path=path_of(self.site))
        return response

    def setup_form(self, code: str = "") -> Response:
        """Ask for the first operator's name and password."""
        if not self.gate.opens(code):
            raise Problem(403, USED, kind="setup")
        return _form("The first operator", f"{self.site.base_path}/setup", "", {"code": code})

    def set_up(self, request: Request, code: Text, name: Text, password: Text) -> Response:
        """Make the first operator and begin their session."""
        try:
            self.gate.set_up(code, name, password)
        except (AccessError, WeakPasswordError, OperatorExistsError) as error:
            raise Problem(422, f"Nothing was made: {error}.", kind="setup") from None
        secret = self.gate.log_in(name, password, request.state.address)
        return with_session(self.gate, self.site, request, secret, AFTER)


def path_of(site: Site) -> str:
    """Where our cookies belong."""
    return site.base_path or "/"


def with_session(gate: Gate, site: Site, request: Request, secret: str, wanted: str) -> Response:
    """Go on to a page of ours with a session whose secret only the browser keeps."""
    response = RedirectResponse(f"{site.base_path}{local(wanted)}", 303)
    response.set_cookie(
        COOKIE,
        secret,
        max_age=int(gate.session.total_seconds()),
        path=path_of(site),
        secure=request.state.secure,
        httponly=True,
        samesite="lax",
    )
    return response


def local(wanted: str) -> str:
    """An address of ours to go to: anything that could lead elsewhere leads to the first page."""
    plain = wanted.isprintable() and "\\" not in wanted
    return wanted if plain and wanted.startswith("/") and not wanted.startswith("//") else AFTER


def _form(title: str, action: str, trouble: str, hidden: dict[str, str]) -> Response:
    fields = "".join(
        f'<input type="hidden" name="{escape(k)}" value="{escape(v)}">' for k, v in hidden.items()
    )
    said = f"<p>{escape(trouble)}</p>" if trouble else ""
    return HTMLResponse(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)} - serinus</title>'
        f'<h1>{escape(title)}</h1>{said}<form method="post" action="{escape(action)}">{fields}'
        '<p><label>Name <input name="name" autocomplete="username" required></label>'
        '<p><label>Password <input name="password" type="password" autocomplete="current-password" required>'
        "</label><p><button>Go on</button></form></html>"
    )
