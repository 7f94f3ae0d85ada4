"""Who may come in: by token, by session, by a trusted proxy's word, by a set-up link, by a password."""

from __future__ import annotations

import hashlib
import hmac
import threading
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from serinus.service.access import Access, Audited, Operator
from serinus.service.access.keeping import Keeper, Login, log_in
from serinus.service.access.keys import PREFIX, digest_of, new_secret, same
from serinus.service.ports import Clock
from serinus.web.access import NOBODY, Caller
from serinus.web.limits import Attempts, network_of
from serinus.web.problems import Problem

CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="serinus"'}
BY_SETUP: Final = "set-up link"  # who makes the first operator
USED: Final = "This set-up link is wrong or was used. `serinus operator add NAME` makes an operator too."


@dataclass(frozen=True, slots=True)
class Given:
    """The credentials that a request came with; `user` is what a trusted proxy says."""

    authorization: str | None = None
    cookie: str | None = None
    user: str | None = None


@dataclass(slots=True)
class Gate:
    """Knows everybody. Each method looks into the store, so it runs in a thread.

    `setup` is the code of the one-time link, in memory only; None where there is none. `closed` says
    that everybody needs a credential whatever the store says.
    """

    access: Access
    clock: Clock
    session: timedelta = timedelta(hours=12)
    setup: str | None = None
    closed: bool = False
    by_name: Attempts = field(default_factory=lambda: Attempts(10, timedelta(minutes=2)))
    by_address: Attempts = field(default_factory=lambda: Attempts(20, timedelta(minutes=1)))
    _key: bytes = field(default_factory=lambda: new_secret().encode())
    _setting_up: threading.Lock = field(default_factory=threading.Lock)

    def is_closed(self) -> bool:
        """Whether everybody needs a credential: there is or was an operator. It never opens again."""
        self.closed = self.closed or self.access.anybody()
        return self.closed

    def caller(self, given: Given) -> Caller | None:
        """Who asks; None where no credential came.

        Raises:
            Problem: one came that is wrong, has ended, or is nobody's here.
        """
        if given.authorization is not None:
            return self._by_token(given.authorization)
        if given.user is not None:
            return self._by_proxy(given.user)
        if given.cookie is not None and (found := self._by_session(given.cookie)):
            return found
        return None if self.is_closed() else NOBODY

    def _by_token(self, authorization: str) -> Caller:
        kind, _, secret = authorization.partition(" ")
        secret = secret.strip()
        if kind.lower() != "bearer" or not secret.startswith(PREFIX):
            raise Problem(
                401,
                "The Authorization header holds no token of serinus; `Bearer serinus_…` is one.",
                headers=CHALLENGE,
            )
        digest = digest_of(secret)
        token = self.access.token(digest)
        if token is None or not same(token.digest, digest):
            raise Problem(
                401,
                "This token is not known here. `serinus operator token add` makes one.",
                headers=CHALLENGE,
            )
        operator = self.access.operator(token.operator)
        if token.ended_at is not None or operator is None:
            raise Problem(401, "This token was revoked.", headers=CHALLENGE)
        if token.until is not None and token.until <= self.clock():
            raise Problem(401, "This token has expired.", headers=CHALLENGE)
        return Caller(operator.name, token.scopes & operator.scopes)

    def _by_session(self, secret: str) -> Caller | None:
        digest = digest_of(secret)
        session = self.access.session(digest)
        if session is None or not same(session.digest, digest) or session.until <= self.clock():
            return None
        operator = self.access.operator(session.operator)
        return Caller(operator.name, operator.scopes, session.csrf, digest) if operator else None

    def _by_proxy(self, name: str) -> Caller:
        operator = self.access.operator(name)
        if operator is None:
            message = (
                f"The proxy says that you are {name[:80]!r}, who is no operator here. "
                "`serinus operator add` makes one."
            )
            raise Problem(403, message, kind="operator")
        csrf = hmac.new(self._key, operator.name.encode(), hashlib.sha256).hexdigest()
        return Caller(operator.name, operator.scopes, csrf)

    def log_in(self, name: str, password: str, address: str) -> str:
        """A session for whoever has that password; the secret that their browser keeps.

        Raises:
            Problem: name or password is wrong, or too many tries failed lately.
        """
        now = self.clock()
        place = network_of(address)
        wait = max(self.by_name.wait(name[:80], now), self.by_address.wait(place, now))
        if wait:
            seconds = int(wait.total_seconds()) + 1
            message = f"Too many tries failed. Try again in {seconds} seconds."
            raise Problem(429, message, headers={"Retry-After": str(seconds)})
        # Counted before it is looked at, so that tries at the same time count each other.
        self.by_name.failed(name[:80], now)
        self.by_address.failed(place, now)
        found = log_in(self.access, Login(name, password, address[:64], now, self.session))
        if found is None:
            raise Problem(401, "Name or password is wrong.", headers=CHALLENGE)
        self.by_name.forget(name[:80])
        self.by_address.forget(place)
        return found[0]

    def log_out(self, caller: Caller) -> None:
        """End the session of whoever asks."""
        if caller.session is not None:
            self.access.end_session(caller.session, Audited(self.clock(), caller.name, "logout", ""))

    def opens(self, code: str) -> bool:
        """Whether this is the code of the set-up link, and it was not used yet."""
        return self.setup is not None and same(code, self.setup)

    def set_up(self, code: str, name: str, password: str) -> Operator:
        """Make the first operator with the code of the set-up link, which is used up by it.

        Raises:
            Problem: the code is wrong or was used.
            AccessError, WeakPasswordError, OperatorExistsError: as `Keeper.add`; the code stands.
        """
        with self._setting_up:
            if not self.opens(code):
                raise Problem(403, USED, kind="setup")
            made = Keeper(self.access, BY_SETUP, self.clock()).set_up(name, password)
            self.setup, self.closed = None, True
            return made
