"""The door before every route: the right host, the right origin, a known caller."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from serinus.web.access import COOKIE, SAFE_METHODS
from serinus.web.gate import CHALLENGE, Gate, Given
from serinus.web.headers import SAFE_HEADERS
from serinus.web.problems import Problem, problem_of
from serinus.web.site import Site, host_name
from serinus.web.threads import Quick

WATCHED: Final = frozenset({"/health", "/ready"})  # for whoever watches the process: no word of what it knows
OPEN: Final = frozenset({"/login", "/setup"})
OPEN_FOLDER: Final = "/static/"


@dataclass(frozen=True, slots=True)
class Knock:
    """A request before it is let in."""

    path: str
    method: str
    headers: Headers
    peer: str

    @property
    def open(self) -> bool:
        """Whether it needs no credential."""
        return self.path in OPEN or self.path.startswith(OPEN_FOLDER)

    @property
    def browses(self) -> bool:
        """Whether a person looks for a page, or sent a form of one."""
        wants = "text/html" in self.headers.get("accept", "")
        return self.method in {"GET", "POST"} and wants and not self.path.startswith("/v1/")


class Door:
    """Lets in who may, and puts who it is into the request's state: `caller`, `address`, `secure`."""

    def __init__(self, app: ASGIApp, gate: Gate, site: Site) -> None:
        self.app = app
        self.gate = gate
        self.site = site
        self._quick = Quick()

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        """Answer a request, or say why not."""
        if scope["type"] != "http" or scope["path"] in WATCHED:
            await self.app(scope, receive, send)
            return
        client = scope.get("client") or ("", 0)
        knock = Knock(scope["path"], scope["method"], Headers(scope=scope), str(client[0]))
        try:
            refusal = await self._let_in(knock, scope)
        except Exception as error:  # noqa: BLE001  whatever it is, nobody came in
            refusal = problem_of(error).response()
        await (refusal or self.app)(scope, receive, send)

    async def _let_in(self, knock: Knock, scope: Connection) -> Response | None:
        """Put down who asks; a response if they do not come in.

        Raises:
            Problem: they do not, and this is why.
            StoreError: nobody can be known.
        """
        closed = self.gate.closed or await self._quick.look(self.gate.is_closed)
        self._right_host(knock, closed=closed)
        _right_origin(knock)
        address, secure = self.site.caller(knock.peer, knock.headers)
        state = scope.setdefault("state", {})
        state.update(address=address, secure=secure or scope.get("scheme") == "https", caller=None)
        try:
            state["caller"] = await self._quick.look(partial(self.gate.caller, self._given(knock)))
        except Problem:
            if not knock.open:
                raise
        if state["caller"] is not None or knock.open:
            return None
        if knock.browses:
            return self._to_login(knock, scope)
        message = "This needs a credential: `Authorization: Bearer` with a token, or a session of a browser."
        raise Problem(401, message, headers=CHALLENGE)

    def _right_host(self, knock: Knock, *, closed: bool) -> None:
        name = host_name(knock.headers.get("host", ""))
        if not self.site.takes(name, closed=closed):
            message = (
                f"serinus is not reached by the name {name[:80]!r}. "
                "Name it in serve.names, or ask by a loopback name."
            )
            raise Problem(421, message, kind="host")

    def _given(self, knock: Knock) -> Given:
        user = None
        if self.site.user_header is not None:
            values = knock.headers.getlist(self.site.user_header)
            if values and not self.site.trusts(knock.peer):
                message = (
                    f"{self.site.user_header} is taken from the proxies of serve.proxies only, "
                    f"and {knock.peer} is none."
                )
                raise Problem(403, message, kind="proxy")
            if len(values) > 1:
                raise Problem(400, f"{self.site.user_header} was given more than once.")
            user = values[0].strip() or None if values else None
        return Given(
            knock.headers.get("authorization"),
            cookie_parser(knock.headers.get("cookie", "")).get(COOKIE),
            user,
        )

    def _to_login(self, knock: Knock, scope: Connection) -> Response:
        """To the login, and from there to what was wanted; a form whose session ended is opened again."""
        query = scope.get("query_string", b"").decode("latin-1")
        wanted = f"{knock.path}?{query}" if query else knock.path
        ended = ""
        if knock.method == "POST":
            wanted, ended = self.site.below(knock.headers.get("referer", "")), "&ended=1"
        address = f"{self.site.base_path}/login?next={quote(wanted, safe='')}{ended}"
        return RedirectResponse(address, 303, SAFE_HEADERS)


def _right_origin(knock: Knock) -> None:
    """See that a browser which changes something does so from a page of ours.

    Raises:
        Problem: it comes from elsewhere.
    """
    if knock.method in SAFE_METHODS:
        return
    headers = knock.headers
    origin = headers.get("origin")
    ours = headers.get("sec-fetch-site", "none") in {"same-origin", "none"}
    if not ours or (
        origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()
    ):
        raise Problem(403, "This was sent by a page of another site. Nothing was changed.", kind="origin")
