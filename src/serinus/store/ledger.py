"""The route ledger's table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, Select, delete, insert, select

from serinus.service.ledger import Served, Traffic
from serinus.store.tables import SERVED
from serinus.store.transactions import Transactions
from serinus.store.written import instant, micros, words

_FIRST_ERROR: Final = 400


class SqlLedger:
    """Implements the port `serinus.service.ledger.Ledger`."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def keep(self, served: Sequence[Served]) -> None:
        """Write a batch in one transaction."""
        if served:
            with self._transactions.write() as c:
                c.execute(insert(SERVED), [_values(s) for s in served])

    def between(
        self, model: str | None, since: datetime, until: datetime, *, limit: int = 10_000
    ) -> Sequence[Served]:
        """What came in during a period, oldest first."""
        wanted = select(SERVED).where(SERVED.c.at >= micros(since), SERVED.c.at < micros(until))
        if model is not None:
            wanted = wanted.where(SERVED.c.model == words(model))
        return self._served(wanted.limit(limit))

    def of_generation(self, generation: str) -> Served | None:
        """The request of a generation id."""
        found = self._served(select(SERVED).where(SERVED.c.generation == words(generation)).limit(1))
        return found[0] if found else None

    def of_conversation(self, digest: str, *, limit: int = 1_000) -> Sequence[Served]:
        """The requests of a conversation, oldest first."""
        return self._served(select(SERVED).where(SERVED.c.conversation == words(digest)).limit(limit))

    def traffic(self, model: str, since: datetime, until: datetime) -> Sequence[Traffic]:
        """What each provider and route served in a period."""
        names = ("provider", "tag", "status", "end", "finish", "first_token")
        wanted = select(*(SERVED.c[name] for name in names)).where(
            SERVED.c.model == words(model), SERVED.c.at >= micros(since), SERVED.c.at < micros(until)
        )
        groups: dict[tuple[str | None, str | None], list[Any]] = defaultdict(list)
        with self._transactions.read() as c:
            for row in c.execute(wanted):
                groups[row.provider, row.tag].append(row)
        found = [_traffic(model, provider, tag, rows) for (provider, tag), rows in groups.items()]
        return sorted(found, key=lambda t: (t.provider or "", t.tag or ""))

    def prune(self, before: datetime, *, limit: int = 10_000) -> int:
        """Delete what is older, in slices."""
        old = select(SERVED.c.id).where(SERVED.c.at < micros(before)).limit(limit)
        with self._transactions.write() as c:
            return int(c.execute(delete(SERVED).where(SERVED.c.id.in_(old))).rowcount)

    def _served(self, wanted: Select[Any]) -> list[Served]:
        with self._transactions.read() as c:
            return [_row(r) for r in c.execute(wanted.order_by(SERVED.c.at, SERVED.c.id))]


def _values(served: Served) -> dict[str, Any]:
    texts = ("model", "end", "tag", "provider", "generation", "conversation", "finish")
    values = {name: getattr(served, name) for name in Served.__dataclass_fields__}
    written = {name: None if values[name] is None else words(values[name]) for name in texts}
    return {**values, **written, "at": micros(served.at)}


def _row(row: Row[Any]) -> Served:
    values = dict(row._mapping)  # noqa: SLF001  SQLAlchemy's public name for it
    del values["id"]
    return Served(**{**values, "at": instant(row.at)})


def _traffic(model: str, provider: str | None, tag: str | None, rows: Sequence[Any]) -> Traffic:
    return Traffic(
        model,
        provider,
        tag,
        requests=len(rows),
        errors=sum(_failed(r) for r in rows),
        cut=sum(r.end in {"reset", "timeout"} for r in rows),
        first_token=sorted(r.first_token for r in rows if r.first_token is not None),
    )


def _failed(row: Any) -> bool:
    """An error status, one inside a stream that began well, or no answer to a caller who waited for it."""
    if row.status is None:
        return bool(row.end != "caller_left")
    return bool(row.status >= _FIRST_ERROR or row.finish == "error")
