"""Comparisons' table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, select, update

from serinus.service.comparisons import ComparisonRow, ComparisonState
from serinus.store.tables import COMPARISON
from serinus.store.transactions import Transactions
from serinus.store.written import amount, dump, instant, load, micros, words


class SqlComparisons:
    """Implements the port `serinus.service.comparisons.Comparisons`."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def begin(self, row: ComparisonRow) -> bool:
        """Keep a new one, if its name is free."""
        taken = select(COMPARISON.c.name).where(COMPARISON.c.name == words(row.name))
        with self._transactions.write() as c:
            if c.execute(taken).first() is not None:
                return False
            c.execute(insert(COMPARISON).values(name=words(row.name), **_values(row)))
        return True

    def keep(self, row: ComparisonRow) -> None:
        """Write one again."""
        with self._transactions.write() as c:
            c.execute(update(COMPARISON).where(COMPARISON.c.name == words(row.name)).values(**_values(row)))

    def get(self, name: str) -> ComparisonRow | None:
        """The comparison of that name."""
        with self._transactions.read() as c:
            row = c.execute(select(COMPARISON).where(COMPARISON.c.name == words(name))).first()
        return None if row is None else _read(row)

    def latest(self, model: str | None = None, *, limit: int = 50) -> Sequence[ComparisonRow]:
        """The newest ones first."""
        wanted = select(COMPARISON).order_by(COMPARISON.c.at.desc(), COMPARISON.c.name).limit(limit)
        if model is not None:
            wanted = wanted.where(COMPARISON.c.model == words(model))
        with self._transactions.read() as c:
            return [_read(row) for row in c.execute(wanted)]

    def fail_silent(self, before: datetime) -> int:
        """Mark those as failed that nobody writes any more."""
        silent = (COMPARISON.c.state == ComparisonState.RUNNING) & (COMPARISON.c.touched_at < micros(before))
        with self._transactions.write() as c:
            return c.execute(update(COMPARISON).where(silent).values(state=ComparisonState.FAILED)).rowcount


def _values(row: ComparisonRow) -> dict[str, Any]:
    return {
        "at": micros(row.at),
        "by": words(row.by),
        "model": words(row.model),
        "state": row.state.value,
        "cost": amount(row.cost, f"the comparison {row.name}"),
        "touched_at": micros(row.touched),
        "document": dump(row.document),
    }


def _read(row: Row[Any]) -> ComparisonRow:
    return ComparisonRow(
        name=row.name,
        at=instant(row.at),
        by=row.by,
        model=row.model,
        state=ComparisonState(row.state),
        cost=row.cost,
        touched=instant(row.touched_at),
        document=load(row.document, f"the comparison {row.name}"),
    )
