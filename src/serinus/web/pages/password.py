"""One's own password: set anew by who knows the one that stands."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from serinus.service.access.keeping import Keeper
from serinus.service.access.passwords import SHORTEST, WeakPasswordError
from serinus.web.access import Caller, Reader
from serinus.web.pages.paper import Paper
from serinus.web.problems import Problem

Secret = Annotated[str, Form(max_length=2000)]


def password(paper: Paper) -> APIRouter:
    """The form and what it sends. All sessions of the operator end with it, so one logs in anew."""
    router = APIRouter(include_in_schema=False)
    gate = paper.office.gate

    def page(request: Request, trouble: str | None = None, status: int = 200) -> Response:
        values = {"place": "/password", "trouble": trouble, "shortest": SHORTEST, "here": "/password"}
        return paper.page(request, "password.html", values, status)

    @router.get("/password")
    def ask(request: Request, caller: Reader) -> Response:
        _own(caller)
        return page(request)

    @router.post("/password")
    def change(request: Request, caller: Reader, old: Secret, new: Secret, again: Secret) -> Response:
        _own(caller)
        if new != again:
            return page(request, "The two are not the same. Nothing was changed.", 422)
        try:
            # A session is made by who knows the password, at the pace of logins; it ends with the others.
            gate.log_in(caller.name, old, request.state.address)
            Keeper(gate.access, caller.name, gate.clock()).change(caller.name, password=new)
        except Problem as problem:
            said = "This is not your password" if problem.status == 401 else problem.detail  # noqa: PLR2004  the status of a wrong one
            return page(request, f"{said.rstrip('.')}. Nothing was changed.", problem.status)
        except WeakPasswordError as error:
            return page(request, f"{error}. Nothing was changed.", 422)
        return paper.to("/login")

    return router


def _own(caller: Caller) -> None:
    if caller.session is None:
        raise Problem(409, "A password is changed by who logged in with it; a proxy or a token let you in.")
