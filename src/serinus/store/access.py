"""The tables of operators, tokens, sessions and the audit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from serinus.service.access import Audited, Operator, OperatorExistsError, Scope, Session, Token
from serinus.store.tables import AUDIT, OPERATOR, SESSION, TOKEN
from serinus.store.transactions import Transactions
from serinus.store.written import instant, micros, words


class SqlAccess:
    """Implements the port `serinus.service.access.Access`; its methods are described there."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def anybody(self) -> bool:
        """Whether there ever was an operator."""
        with self._transactions.read() as c:
            return _anybody(c)

    def operators(self) -> Sequence[Operator]:
        """Every operator by name."""
        with self._transactions.read() as c:
            return [_operator(row) for row in c.execute(select(OPERATOR).order_by(OPERATOR.c.name))]

    def operator(self, name: str) -> Operator | None:
        """The operator of that name, unless ended."""
        wanted = select(OPERATOR).where(OPERATOR.c.name == words(name), OPERATOR.c.ended_at.is_(None))
        with self._transactions.read() as c:
            row = c.execute(wanted).one_or_none()
        return None if row is None else _operator(row)

    def add_operator(self, operator: Operator, audited: Audited, *, first: bool = False) -> None:
        """Add an operator, under a name that was never given."""
        with self._transactions.write() as c:
            given = c.execute(select(OPERATOR.c.name).where(OPERATOR.c.name == words(operator.name))).first()
            if given is not None or (first and _anybody(c)):
                message = (
                    f"there is an operator {operator.name!r}, or was"
                    if given
                    else "there is an operator already"
                )
                raise OperatorExistsError(message)
            c.execute(insert(OPERATOR).values(**_operator_values(operator)))
            _note(c, audited)

    def change_operator(self, operator: Operator, audited: Audited) -> None:
        """Set password and scopes anew."""
        values = _operator_values(operator)
        with self._transactions.write() as c:
            c.execute(update(OPERATOR).where(OPERATOR.c.name == values["name"]).values(**values))
            c.execute(delete(SESSION).where(SESSION.c.operator == values["name"]))
            _note(c, audited)

    def end_operator(self, name: str, at: datetime, audited: Audited) -> None:
        """End an operator with all tokens and sessions."""
        ended = {"ended_at": micros(at)}
        with self._transactions.write() as c:
            c.execute(update(OPERATOR).where(OPERATOR.c.name == words(name)).values(**ended))
            running = (TOKEN.c.operator == words(name), TOKEN.c.ended_at.is_(None))
            c.execute(update(TOKEN).where(*running).values(**ended))
            c.execute(delete(SESSION).where(SESSION.c.operator == words(name)))
            _note(c, audited)

    def tokens(self, operator: str | None = None) -> Sequence[Token]:
        """Tokens, oldest first."""
        wanted = select(TOKEN).order_by(TOKEN.c.created_at, TOKEN.c.digest)
        if operator is not None:
            wanted = wanted.where(TOKEN.c.operator == words(operator))
        with self._transactions.read() as c:
            return [_token(row) for row in c.execute(wanted)]

    def token(self, digest: str) -> Token | None:
        """The token of that digest."""
        with self._transactions.read() as c:
            row = c.execute(select(TOKEN).where(TOKEN.c.digest == digest)).one_or_none()
        return None if row is None else _token(row)

    def add_token(self, token: Token, audited: Audited) -> None:
        """Keep a new token."""
        values = {
            "digest": token.digest,
            "operator": words(token.operator),
            "label": words(token.label),
            "scopes": _written(token.scopes),
            "created_at": micros(token.created_at),
            "until": _micros(token.until),
            "ended_at": _micros(token.ended_at),
        }
        with self._transactions.write() as c:
            c.execute(insert(TOKEN).values(**values))
            _note(c, audited)

    def end_token(self, digest: str, at: datetime, audited: Audited) -> None:
        """Revoke a token."""
        with self._transactions.write() as c:
            c.execute(update(TOKEN).where(TOKEN.c.digest == digest).values(ended_at=micros(at)))
            _note(c, audited)

    def session(self, digest: str) -> Session | None:
        """The session of that digest."""
        with self._transactions.read() as c:
            row = c.execute(select(SESSION).where(SESSION.c.digest == digest)).one_or_none()
        if row is None:
            return None
        return Session(row.digest, row.operator, row.csrf, instant(row.created_at), instant(row.until))

    def add_session(self, session: Session, audited: Audited) -> None:
        """Begin a session, and forget those that are over."""
        values = {
            "digest": session.digest,
            "operator": words(session.operator),
            "csrf": session.csrf,
            "created_at": micros(session.created_at),
            "until": micros(session.until),
        }
        with self._transactions.write() as c:
            c.execute(delete(SESSION).where(SESSION.c.until <= micros(session.created_at)))
            c.execute(insert(SESSION).values(**values))
            _note(c, audited)

    def end_session(self, digest: str, audited: Audited) -> None:
        """End a session."""
        with self._transactions.write() as c:
            c.execute(delete(SESSION).where(SESSION.c.digest == digest))
            _note(c, audited)

    def note(self, audited: Audited) -> None:
        """Audit something."""
        with self._transactions.write() as c:
            _note(c, audited)

    def audit(self, *, limit: int = 100, whats: Collection[str] = ()) -> Sequence[Audited]:
        """What was done last, newest first."""
        wanted = select(AUDIT).order_by(AUDIT.c.id.desc()).limit(limit)
        if whats:
            wanted = wanted.where(AUDIT.c.what.in_(sorted(whats)))
        with self._transactions.read() as c:
            return [Audited(instant(r.at), r.operator, r.what, r.detail) for r in c.execute(wanted)]


def _anybody(c: Connection) -> bool:
    return bool(c.execute(select(func.count()).select_from(OPERATOR)).scalar_one())


def _note(c: Connection, audited: Audited) -> None:
    values = {
        "at": micros(audited.at),
        "operator": words(audited.operator),
        "what": audited.what,
        "detail": words(audited.detail),
    }
    c.execute(insert(AUDIT).values(**values))


def _operator_values(operator: Operator) -> dict[str, Any]:
    return {
        "name": words(operator.name),
        "password": operator.password,
        "scopes": _written(operator.scopes),
        "created_at": micros(operator.created_at),
        "created_by": words(operator.created_by),
        "ended_at": _micros(operator.ended_at),
    }


def _operator(row: Row[Any]) -> Operator:
    return Operator(
        row.name,
        _read(row.scopes),
        instant(row.created_at),
        row.created_by,
        row.password,
        None if row.ended_at is None else instant(row.ended_at),
    )


def _token(row: Row[Any]) -> Token:
    return Token(
        row.digest,
        row.operator,
        row.label,
        _read(row.scopes),
        instant(row.created_at),
        None if row.until is None else instant(row.until),
        None if row.ended_at is None else instant(row.ended_at),
    )


def _written(scopes: Iterable[Scope]) -> str:
    return " ".join(sorted(scopes))


def _read(text: str) -> frozenset[Scope]:
    """The scopes that are known; one of a later release allows nothing here."""
    written = set(text.split())
    return frozenset(scope for scope in Scope if scope.value in written)


def _micros(at: datetime | None) -> int | None:
    return None if at is None else micros(at)
