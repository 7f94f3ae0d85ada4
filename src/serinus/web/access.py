"""Who asks, and what they may do: what each route declares by `needs`."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPBearer
from fastapi.security.http import HTTPAuthorizationCredentials

from serinus.service.access import Scope
from serinus.web.problems import Problem

COOKIE: Final = "serinus_session"
CSRF_FIELD: Final = "csrf"
CSRF_HEADER: Final = "x-csrf-token"
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")

# For the description of the API; the door looks at both before any route does.
_BEARER: Final = HTTPBearer(auto_error=False, scheme_name="token", description="A token of an operator's.")
_COOKIE: Final = APIKeyCookie(
    name=COOKIE, auto_error=False, scheme_name="session", description="The session of a browser."
)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. `csrf` is what their forms must carry; None where no browser sends the credential by itself.

    `session` is the digest of the browser's session, where there is one.
    """

    name: str
    scopes: frozenset[Scope]
    csrf: str | None = None
    session: str | None = None

    def may(self, scope: Scope) -> bool:
        """Whether they may do that."""
        return scope in self.scopes


NOBODY: Final = Caller("nobody", frozenset({Scope.READ}))  # on this machine, before there is any operator


def caller_of(request: Request) -> Caller:
    """Who asks, as the door found."""
    found: Caller = request.state.caller
    return found


class Needs:
    """A dependency: whoever asks may do this, and asked by their own will; it gives the caller."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    async def __call__(
        self,
        request: Request,
        _bearer: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)] = None,
        _cookie: Annotated[str | None, Security(_COOKIE)] = None,
    ) -> Caller:
        """The caller.

        Raises:
            Problem: they may not do this, or a form lacks what proves that they sent it.
        """
        caller = caller_of(request)
        if not caller.may(self.scope):
            raise Problem(403, _refusal(caller, self.scope), kind="scope")
        if request.method not in SAFE_METHODS:
            await prove_will(request, caller)
        return caller


async def prove_will(request: Request, caller: Caller) -> None:
    """See that a browser's request comes from a page of ours: it carries the session's CSRF token.

    Raises:
        Problem: it does not.
    """
    if caller.csrf is None:
        return
    given = request.headers.get(CSRF_HEADER, "")
    if not given and request.headers.get("content-type", "").partition(";")[0].strip().lower() in FORMS:
        field = (await request.form()).get(CSRF_FIELD)
        given = field if isinstance(field, str) else ""
    if not hmac.compare_digest(given.encode(), caller.csrf.encode()):
        message = (
            "This form was not sent from a page of this session. Nothing was changed; open the page again."
        )
        raise Problem(403, message, kind="csrf")


def _refusal(caller: Caller, scope: Scope) -> str:
    if caller is NOBODY:
        return (
            "There is no operator yet, so nothing can be changed. Open the set-up link that serinus printed "
            "at its start, or run `serinus operator add NAME`."
        )
    return f"This needs the scope {scope}, which {caller.name} does not come in with. Nothing was changed."


Reader = Annotated[Caller, Depends(Needs(Scope.READ))]
Reporter = Annotated[Caller, Depends(Needs(Scope.REPORT))]
Actor = Annotated[Caller, Depends(Needs(Scope.ACT))]
Prober = Annotated[Caller, Depends(Needs(Scope.PROBE))]
Admin = Annotated[Caller, Depends(Needs(Scope.ADMIN))]
