"""Forgetting what is past its retention, in slices short enough that nobody waits for long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Table, delete, func, select

from serinus.service.storage import Retention
from serinus.store.tables import FINDING, GLANCE, NOTICE, ROUND, TRANSCRIPT
from serinus.store.transactions import Transactions
from serinus.store.written import micros

ROWS: Final = 500  # transcripts or notices in one transaction: measured at under 20 ms
ROUNDS: Final = 20  # rounds whose findings go in one transaction: 2,400 rows of a large model, likewise


def prune(transactions: Transactions, retention: Retention, at: datetime) -> int:
    """Delete what is past its retention at `at`; how many rows went."""
    return (
        _old_rows(transactions, TRANSCRIPT, micros(at - retention.transcripts))
        + _old_rows(transactions, NOTICE, micros(at - retention.notices))
        + sum(_old_findings(transactions, micros(at - retention.findings)))
    )


def _old_rows(transactions: Transactions, table: Table, before: int) -> int:
    old = select(table.c.id).where(table.c.at < before).limit(ROWS)
    return _until_none(transactions, lambda c: c.execute(delete(table).where(table.c.id.in_(old))).rowcount)


def _until_none(transactions: Transactions, step: Callable[[Connection], int]) -> int:
    gone = 0
    while True:
        with transactions.write() as c:
            now = step(c)
        gone += now
        if now == 0:
            return gone


def _old_findings(transactions: Transactions, before: int) -> Iterator[int]:
    """Findings go by whole rounds, from the oldest that has any; their days were counted long ago."""
    with transactions.read() as c:
        oldest = c.execute(select(func.min(FINDING.c.round_id))).scalar()
    last = None if oldest is None else oldest - 1
    while last is not None:
        some = select(ROUND.c.id).where(ROUND.c.at < before, ROUND.c.id > last).order_by(ROUND.c.id)
        with transactions.write() as c:
            ids = c.execute(some.limit(ROUNDS)).scalars().all()
            c.execute(delete(GLANCE).where(GLANCE.c.id.in_(ids)))
            yield c.execute(delete(FINDING).where(FINDING.c.round_id.in_(ids))).rowcount
        last = ids[-1] if ids else None
