"""Who may come in and what they may do: operators, their tokens and sessions, and what they did there.

Nothing here holds a secret in the clear: a password is kept as its argon2 hash, a token and a session
as a SHA-256 digest.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol


class Scope(StrEnum):
    """What may be done. None of them contains another."""

    READ = "read"
    """See everything: standing, evidence, decisions, lists."""
    REPORT = "report"
    """File a user's report."""
    ACT = "act"
    """Exclude, include, lift, set modes, mark decisions."""
    PROBE = "probe"
    """Ask hosts now, which costs money."""
    ADMIN = "admin"
    """Change operators and their tokens."""


EVERYTHING: Final = frozenset(Scope)
USUAL: Final = EVERYTHING - {Scope.ADMIN}


@dataclass(frozen=True, slots=True)
class Operator:
    """A person, or a program with a name. `password` is a hash; None for one who has only tokens."""

    name: str
    scopes: frozenset[Scope]
    created_at: datetime
    created_by: str
    password: str | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A key of an operator's, for a program; it allows what both it and its operator may do."""

    digest: str
    operator: str
    label: str
    scopes: frozenset[Scope]
    created_at: datetime
    until: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which somebody logged in. `csrf` must come back with each of its forms."""

    digest: str
    operator: str
    csrf: str
    created_at: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Audited:
    """Something that was done at the door: `what` is a code (`login`, `token_added`), `detail` a sentence."""

    at: datetime
    operator: str
    what: str
    detail: str


class OperatorExistsError(Exception):
    """There is an operator of that name, or there was one: names are not given twice."""


class Access(Protocol):
    """Where operators, tokens, sessions and the audit are kept. What is changed is audited with it."""

    def anybody(self) -> bool:
        """Whether there ever was an operator: from the first one on, everybody needs a credential."""
        ...

    def operators(self) -> Sequence[Operator]:
        """Every operator by name, those that ended too."""
        ...

    def operator(self, name: str) -> Operator | None:
        """The operator of that name, unless ended."""
        ...

    def add_operator(self, operator: Operator, audited: Audited, *, first: bool = False) -> None:
        """Add an operator; with `first` only if there never was one.

        Raises:
            OperatorExistsError: there is one of that name, or with `first` anyone at all.
        """
        ...

    def change_operator(self, operator: Operator, audited: Audited) -> None:
        """Set an operator's password and scopes anew; sessions end."""
        ...

    def end_operator(self, name: str, at: datetime, audited: Audited) -> None:
        """Let an operator in no more: tokens and sessions end too."""
        ...

    def tokens(self, operator: str | None = None) -> Sequence[Token]:
        """Tokens of an operator or of all, oldest first, those that ended too."""
        ...

    def token(self, digest: str) -> Token | None:
        """The token of that digest."""
        ...

    def add_token(self, token: Token, audited: Audited) -> None:
        """Keep a new token."""
        ...

    def end_token(self, digest: str, at: datetime, audited: Audited) -> None:
        """Revoke a token."""
        ...

    def session(self, digest: str) -> Session | None:
        """The session of that digest."""
        ...

    def add_session(self, session: Session, audited: Audited) -> None:
        """Begin a session; those that are past their time are forgotten."""
        ...

    def end_session(self, digest: str, audited: Audited) -> None:
        """End a session."""
        ...

    def note(self, audited: Audited) -> None:
        """Audit something that changed nothing, such as a login that failed."""
        ...

    def audit(self, *, limit: int = 100, whats: Collection[str] = ()) -> Sequence[Audited]:
        """What was done last, newest first."""
        ...
