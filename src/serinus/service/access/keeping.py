"""How operators, tokens and sessions are made and ended, each audited with who did it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from serinus.service.access import EVERYTHING, Access, Audited, Operator, Scope, Session, Token
from serinus.service.access.keys import digest_of, new_secret, new_token
from serinus.service.access.passwords import hashed, matches

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")
LONGEST_LABEL: Final = 100


class AccessError(ValueError):
    """What was wanted cannot be done; the message says what was found and what is allowed."""


@dataclass(frozen=True, slots=True)
class Keeper:
    """Acts on the list of operators in somebody's name, at one instant."""

    access: Access
    by: str
    at: datetime

    def add(self, name: str, scopes: Collection[Scope], password: str | None = None) -> Operator:
        """A new operator, who may at least read.

        Raises:
            AccessError: the name is not one.
            WeakPasswordError: the password is too short or too long.
            OperatorExistsError: there is, or was, an operator of that name.
        """
        made = self._operator(name, {Scope.READ, *scopes}, password)
        self.access.add_operator(made, self._said("operator_added", f"{name} may {_named(made.scopes)}"))
        return made

    def set_up(self, name: str, password: str) -> Operator:
        """The first operator, who may do everything; raises as `add`, and where there ever was one."""
        made = self._operator(name, EVERYTHING, password)
        said = self._said("operator_added", f"{name}, the first one, may {_named(made.scopes)}")
        self.access.add_operator(made, said, first=True)
        return made

    def change(self, name: str, *, password: str | None = None, scopes: Collection[Scope] = ()) -> Operator:
        """Another password or other scopes; the operator's sessions end.

        Raises:
            LookupError: there is no such operator.
            WeakPasswordError: the password is too short or too long.
        """
        found = self.known(name)
        if password is not None:
            found = replace(found, password=hashed(password))
        if scopes:
            found = replace(found, scopes=frozenset({Scope.READ, *scopes}))
        what = "password_set" if password is not None else "scopes_set"
        self.access.change_operator(found, self._said(what, f"{name} may {_named(found.scopes)}"))
        return found

    def remove(self, name: str) -> None:
        """Let an operator in no more; raises as `known`."""
        self.known(name)
        self.access.end_operator(name, self.at, self._said("operator_removed", name))

    def issue(
        self, operator: str, label: str, scopes: Collection[Scope], until: datetime | None = None
    ) -> tuple[str, Token]:
        """A token, to be shown once: the secret, and what is kept of it.

        Raises:
            AccessError: the label is none, the expiry is past, or the operator may not do that.
            LookupError: there is no such operator.
        """
        owner = self.known(operator)
        wanted = frozenset(scopes)
        if not wanted or not wanted <= owner.scopes:
            found = _named(wanted) if wanted else "no scope"
            message = f"found {found}; {operator} may {_named(owner.scopes)}, and a token at most that"
            raise AccessError(message)
        if not 0 < len(label) <= LONGEST_LABEL or not label.isprintable():
            message = f"found the label {label[:80]!r}; 1 to {LONGEST_LABEL} printable characters are allowed"
            raise AccessError(message)
        if until is not None and until <= self.at:
            message = f"found an expiry that is past: {until:%Y-%m-%dT%H:%M:%SZ}"
            raise AccessError(message)
        secret = new_token()
        token = Token(digest_of(secret), operator, label, wanted, self.at, until)
        self.access.add_token(
            token, self._said("token_added", f"{label!r} of {operator} may {_named(wanted)}")
        )
        return secret, token

    def revoke(self, operator: str, label: str) -> int:
        """End an operator's tokens of that label; how many there were.

        Raises:
            LookupError: there is none in force.
        """
        found = [t for t in self.access.tokens(operator) if t.label == label and t.ended_at is None]
        if not found:
            message = f"{operator} has no token {label!r} in force; `serinus operator list` shows them"
            raise LookupError(message)
        for token in found:
            self.access.end_token(
                token.digest, self.at, self._said("token_revoked", f"{label!r} of {operator}")
            )
        return len(found)

    def known(self, name: str) -> Operator:
        """The operator of that name.

        Raises:
            LookupError: there is none.
        """
        found = self.access.operator(name)
        if found is None:
            names = ", ".join(o.name for o in self.access.operators() if o.ended_at is None) or "nobody yet"
            message = f"there is no operator {name!r}; known: {names}"
            raise LookupError(message)
        return found

    def _operator(self, name: str, scopes: Collection[Scope], password: str | None) -> Operator:
        if not NAME.fullmatch(name):
            message = (
                f"found the name {name[:80]!r}; allowed are at most 64 letters, digits and ._@+- "
                "with a letter or digit first"
            )
            raise AccessError(message)
        kept = None if password is None else hashed(password)
        return Operator(name, frozenset(scopes), self.at, self.by, kept)

    def _said(self, what: str, detail: str) -> Audited:
        return Audited(self.at, self.by, what, detail)


@dataclass(frozen=True, slots=True)
class Login:
    """A name and a password, from an address, at an instant; a session of it lasts so long."""

    name: str
    password: str
    address: str
    at: datetime
    lasting: timedelta


def log_in(access: Access, login: Login) -> tuple[str, Session] | None:
    """A session for whoever has that password: its secret and what is kept; None where it is wrong.

    It takes as long for a name that nobody has. Such a name is not audited: it may be a password.
    """
    name, at, address = login.name, login.at, login.address
    operator = access.operator(name) if NAME.fullmatch(name) else None
    if not matches(login.password, operator.password if operator else None) or operator is None:
        access.note(Audited(at, name if operator else "unknown", "login_failed", f"from {address}"))
        return None
    secret = new_secret()
    session = Session(digest_of(secret), name, new_secret(), at, at + login.lasting)
    access.add_session(session, Audited(at, name, "login", f"from {address}"))
    return secret, session


def _named(scopes: Collection[Scope]) -> str:
    return ", ".join(s for s in Scope if s in scopes)
