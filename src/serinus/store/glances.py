"""Rounds at a glance: a small document each, read by the hundred."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from msgspec import DecodeError, Struct, ValidationError
from msgspec.json import Decoder, encode
from sqlalchemy import Connection, insert, select

from serinus.core.model import Word
from serinus.service.glances import Glance, glance_of
from serinus.service.storage import FindingRow, RoundRow
from serinus.service.store_errors import StoreDamagedError
from serinus.store.tables import GLANCE
from serinus.store.transactions import Transactions
from serinus.store.written import instant, micros, words

_KNOWN: Final = frozenset(word.value for word in Word)


class _Document(Struct):
    contracts: tuple[str, ...]
    routes: dict[str, str]


_READ: Final = Decoder(_Document)


def add(c: Connection, round_id: int, row: RoundRow, findings: Sequence[FindingRow]) -> None:
    """Write a round's findings at a glance, in the transaction that writes them; no strange words."""
    seen = glance_of(
        row.model, row.at, ((f.tag, f.contract, Word(f.word)) for f in findings if f.word in _KNOWN)
    )
    if not seen.routes:
        return
    routes = {words(tag): letters for tag, letters in seen.routes.items()}
    document = encode(_Document(tuple(map(words, seen.contracts)), routes)).decode()
    values = {"id": round_id, "model": words(row.model), "at": micros(row.at), "document": document}
    c.execute(insert(GLANCE).values(values))


class SqlGlances:
    """Implements the port `serinus.service.glances.Glances`."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def since(self, at: datetime, model: str | None = None) -> Sequence[Glance]:
        """Closed rounds planned at `at` or later, oldest first."""
        wanted = select(GLANCE.c.model, GLANCE.c.at, GLANCE.c.document).where(GLANCE.c.at >= micros(at))
        if model is not None:
            wanted = wanted.where(GLANCE.c.model == words(model))
        with self._transactions.read() as c:
            rows = c.execute(wanted.order_by(GLANCE.c.at, GLANCE.c.id)).all()
        return [_glance(row.model, row.at, row.document) for row in rows]


def _glance(model: str, at: int, text: str) -> Glance:
    try:
        found = _READ.decode(text)
    except (DecodeError, ValidationError) as error:
        message = f"The glance of {model} at {instant(at)} cannot be read: {error}"
        raise StoreDamagedError(message) from None
    return Glance(model, instant(at), found.contracts, found.routes)
