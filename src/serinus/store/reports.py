"""Users' reports: written once, linked to the reproduction that they led to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, insert, select, update

from serinus.service.reports import ReportRow
from serinus.store.tables import REPORT
from serinus.store.transactions import Transactions
from serinus.store.written import dump, instant, load, micros, words


class SqlReports:
    """Implements the port `serinus.service.reports.Reports`."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def keep(self, row: ReportRow) -> int:
        """Write a report."""
        with self._transactions.write() as c:
            key = c.execute(insert(REPORT).values(_values(row))).inserted_primary_key
        return int(key[0]) if key else 0

    def link(self, number: int, comparison: str) -> None:
        """Note the reproduction of a report."""
        linked = update(REPORT).where(REPORT.c.id == number).values(comparison=words(comparison))
        with self._transactions.write() as c:
            if not c.execute(linked).rowcount:
                message = f"there is no report {number}"
                raise LookupError(message)

    def one(self, number: int) -> ReportRow | None:
        """The report of that number."""
        with self._transactions.read() as c:
            found = c.execute(select(REPORT).where(REPORT.c.id == number)).first()
        return None if found is None else _row(found)

    def latest(
        self, model: str | None = None, *, limit: int = 50, before: int | None = None
    ) -> Sequence[ReportRow]:
        """Reports, the newest first."""
        wanted = select(REPORT).order_by(REPORT.c.id.desc()).limit(limit)
        if model is not None:
            wanted = wanted.where(REPORT.c.model == words(model))
        if before is not None:
            wanted = wanted.where(REPORT.c.id < before)
        with self._transactions.read() as c:
            return [_row(row) for row in c.execute(wanted)]


def _values(row: ReportRow) -> dict[str, Any]:
    optional = {name: getattr(row, name) for name in ("generation", "contract", "comparison")}
    return {
        "at": micros(row.at),
        "by": words(row.by),
        "model": words(row.model),
        "since": micros(row.since),
        "until": micros(row.until),
        "document": dump(row.document),
        **{name: None if value is None else words(value) for name, value in optional.items()},
    }


def _row(row: Row[Any]) -> ReportRow:
    return ReportRow(
        at=instant(row.at),
        by=row.by,
        model=row.model,
        since=instant(row.since),
        until=instant(row.until),
        generation=row.generation,
        contract=row.contract,
        comparison=row.comparison,
        document=load(row.document, f"The report {row.id}"),
        id=row.id,
    )
