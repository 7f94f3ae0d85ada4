"""Operators, their tokens, and what was done at the door: for who may change them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from serinus.core.durations import parse_duration
from serinus.service.access import USUAL, Operator, OperatorExistsError, Scope, Token
from serinus.service.access.keeping import AccessError, Keeper
from serinus.service.access.passwords import SHORTEST, WeakPasswordError
from serinus.web.access import Admin, Caller
from serinus.web.office import Office
from serinus.web.pages.paper import Paper

AUDITED: Final = 60  # lines
LASTS: Final = (("30d", "30 days"), ("90d", "90 days"), ("365d", "a year"), ("", "until it is revoked"))
MAY: Final = {
    Scope.READ: "see everything",
    Scope.REPORT: "file users’ reports",
    Scope.ACT: "exclude, lift, set modes, mark",
    Scope.PROBE: "ask hosts now, which costs money",
    Scope.ADMIN: "change operators and tokens",
}
REFUSED: Final = (AccessError, OperatorExistsError, WeakPasswordError, LookupError, ValueError)
Short = Annotated[str, Form(max_length=200)]
Secret = Annotated[str, Form(max_length=2000)]
Scopes = Annotated[tuple[Scope, ...], Form(max_length=10)]


@dataclass(frozen=True, slots=True)
class Listed:
    """An operator with the tokens that are in force."""

    operator: Operator
    scopes: tuple[Scope, ...]
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A token as it is shown once."""

    secret: str
    token: Token


class _Ledge:
    """The page itself, and forms that come back to it."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.office = paper.office

    def page(self, request: Request, trouble: str | None = None, shown: Shown | None = None) -> Response:
        """The list, with what was wrong, or a token that is shown once."""
        values = {**_values(self.office), "trouble": trouble, "secret": shown}
        found = self.paper.page(request, "operators.html", values, 422 if trouble else 200)
        found.headers["Cache-Control"] = "no-store"
        return found

    def changed(self, request: Request, work: Callable[[], object]) -> Response:
        """Do it and come back, or say why not."""
        try:
            work()
        except REFUSED as error:
            return self.page(request, f"{_said(error)}. Nothing was changed.")
        return self.paper.to("/operators")

    def keeper(self, caller: Caller) -> Keeper:
        """Who changes the list in the caller's name."""
        return Keeper(self.office.gate.access, caller.name, self.office.desk.at)


def operators(paper: Paper) -> APIRouter:
    """The list, and the forms that change it; each says on the list what came of it."""
    router = APIRouter(include_in_schema=False)
    ledge = _Ledge(paper)

    @router.get("/operators")
    def show(request: Request, _caller: Admin) -> Response:
        return ledge.page(request)

    _people(ledge, router)
    _tokens(ledge, router)
    return router


def _people(ledge: _Ledge, router: APIRouter) -> None:
    @router.post("/operators/add")
    def add(
        request: Request, caller: Admin, name: Short, password: Secret = "", scope: Scopes = ()
    ) -> Response:
        keeper = ledge.keeper(caller)
        return ledge.changed(request, lambda: keeper.add(name.strip(), scope, password or None))

    @router.post("/operators/scopes")
    def scopes(request: Request, caller: Admin, name: Short, scope: Scopes = ()) -> Response:
        return ledge.changed(request, partial(_rescope, ledge.keeper(caller), name, scope))

    @router.post("/operators/password")
    def password(request: Request, caller: Admin, name: Short, password: Secret) -> Response:
        keeper = ledge.keeper(caller)
        return ledge.changed(request, lambda: keeper.change(name, password=password))

    @router.post("/operators/end")
    def end(request: Request, caller: Admin, name: Short, confirm: Short) -> Response:
        return ledge.changed(request, partial(_end, ledge.keeper(caller), name, confirm))


def _tokens(ledge: _Ledge, router: APIRouter) -> None:
    @router.post("/operators/token")
    def token(  # noqa: PLR0913, PLR0917  each is a field of the form
        request: Request, caller: Admin, name: Short, label: Short, lasts: Short = "", scope: Scopes = ()
    ) -> Response:
        try:
            until = ledge.office.desk.at + parse_duration(lasts) if lasts else None
            shown = Shown(*ledge.keeper(caller).issue(name, label.strip(), scope, until))
        except REFUSED as error:
            return ledge.page(request, f"{_said(error)}. Nothing was changed.")
        return ledge.page(request, shown=shown)

    @router.post("/operators/revoke")
    def revoke(request: Request, caller: Admin, name: Short, label: Short) -> Response:
        keeper = ledge.keeper(caller)
        return ledge.changed(request, lambda: keeper.revoke(name, label))


def _end(keeper: Keeper, name: str, confirm: str) -> None:
    """End an operator whose name was typed again."""
    if confirm.strip() != name:
        message = f"found {confirm[:80]!r} where the name {name} was to be typed"
        raise AccessError(message)
    _leave_an_admin(keeper, name)
    keeper.remove(name)


def _rescope(keeper: Keeper, name: str, scopes: tuple[Scope, ...]) -> None:
    if Scope.ADMIN not in scopes:
        _leave_an_admin(keeper, name)
    keeper.change(name, scopes={Scope.READ, *scopes})


def _leave_an_admin(keeper: Keeper, name: str) -> None:
    """See that somebody else may change operators: from a browser nobody locks everybody out."""
    admins = {o.name for o in keeper.access.operators() if o.ended_at is None and Scope.ADMIN in o.scopes}
    if admins == {name}:
        message = f"{name} is the last who may change operators; give somebody else the scope admin first"
        raise AccessError(message)


def _values(office: Office) -> dict[str, Any]:
    access, at = office.gate.access, office.desk.at
    everybody, tokens = access.operators(), access.tokens()
    return {
        "place": "/operators",
        "here": "/operators",
        "operators": [
            Listed(o, _ordered(o), tuple(t for t in tokens if t.operator == o.name and _in_force(t, at)))
            for o in everybody
            if o.ended_at is None
        ],
        "ended": [o for o in everybody if o.ended_at is not None],
        "audit": access.audit(limit=AUDITED),
        "scopes": MAY,
        "usual": USUAL,
        "lasts": LASTS,
        "shortest": SHORTEST,
    }


def _ordered(operator: Operator) -> tuple[Scope, ...]:
    return tuple(s for s in Scope if s in operator.scopes)


def _in_force(token: Token, at: datetime) -> bool:
    return token.ended_at is None and (token.until is None or token.until > at)


def _said(error: Exception) -> str:
    return str(error.args[0] if error.args else error).rstrip(".")
