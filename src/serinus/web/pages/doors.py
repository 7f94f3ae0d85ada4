"""The look of the doors: logging in, making the first operator, and being told why something did not work."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from serinus.service.access import OperatorExistsError
from serinus.service.access.keeping import AccessError
from serinus.service.access.passwords import SHORTEST, WeakPasswordError
from serinus.web.gate import USED
from serinus.web.pages.paper import Paper
from serinus.web.problems import Problem
from serinus.web.sessions import AFTER, local, with_session

Text = Annotated[str, Form(max_length=2000)]
PLAIN: Final = {"places": (), "live": False}


def doors(paper: Paper) -> APIRouter:
    """The pages of `/login` and `/setup`, and what they send."""
    router = APIRouter(include_in_schema=False)
    _login(paper, router)
    _setup(paper, router)
    return router


def _page(
    paper: Paper, request: Request, template: str, problem: Problem | None = None, **more: Any
) -> Response:
    values = {**PLAIN, "trouble": problem.detail if problem else None, **more}
    response = paper.page(request, template, values, problem.status if problem else 200)
    if problem:
        response.headers.update({k: v for k, v in problem.headers.items() if k == "Retry-After"})
    return response


def _login(paper: Paper, router: APIRouter) -> None:
    gate, site = paper.office.gate, paper.office.site

    @router.get("/login")
    def ask(
        request: Request,
        *,
        next: Annotated[str, Query(max_length=2000)] = AFTER,  # noqa: A002  the address's word
        ended: bool = False,
    ) -> Response:
        return _page(paper, request, "login.html", next=next, name="", ended=ended)

    @router.post("/login")
    def log_in(request: Request, name: Text, password: Text, next: Text = AFTER) -> Response:  # noqa: A002  as above
        try:
            secret = gate.log_in(name, password, request.state.address)
        except Problem as problem:
            return _page(paper, request, "login.html", problem, next=next, name=name, ended=False)
        return with_session(gate, site, request, secret, next)


def _setup(paper: Paper, router: APIRouter) -> None:
    gate, site = paper.office.gate, paper.office.site

    @router.get("/setup")
    def ask(request: Request, code: Annotated[str, Query(max_length=200)] = "") -> Response:
        if not gate.opens(code):
            return _page(paper, request, "problem.html", Problem(403, USED))
        return _page(paper, request, "setup.html", code=code, name="", shortest=SHORTEST)

    @router.post("/setup")
    def set_up(request: Request, code: Text, name: Text, password: Text) -> Response:
        try:
            gate.set_up(code, name, password)
        except (AccessError, WeakPasswordError, OperatorExistsError) as error:
            problem = Problem(422, f"Nothing was made: {error}.")
            return _page(paper, request, "setup.html", problem, code=code, name=name, shortest=SHORTEST)
        except Problem as problem:
            return _page(paper, request, "problem.html", problem)
        secret = gate.log_in(name, password, request.state.address)
        return with_session(gate, site, request, secret, AFTER)


def problem_page(paper: Paper, request: Request, problem: Problem) -> Response:
    """A problem as a person reads it; its status and headers are those that a program gets."""
    came_from = request.headers.get("referer", "") if request.method == "POST" else ""
    back = local(paper.office.site.below(came_from)) if came_from else None
    values = {**PLAIN, "trouble": problem.detail, "back": back}
    response = paper.page(request, "problem.html", values, problem.status)
    response.headers.update(problem.headers)
    return response
