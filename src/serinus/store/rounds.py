"""Rounds: taken once, ended once, and what they cost."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, func, insert, select, update

from serinus.service.storage import RoundRow, RoundState
from serinus.service.store_errors import RoundNotOpenError
from serinus.store.log import last_seq
from serinus.store.tables import ROUND, SPENDING
from serinus.store.written import amount, instant, micros, number, words


def take(c: Connection, name: str, model: str, at: datetime) -> RoundRow | None:
    """Take a planned round, None if it was ever taken before."""
    last_seq(c)  # whoever takes rounds waits here for whoever else does, on any database
    if c.execute(select(ROUND.c.id).where(ROUND.c.name == words(name))).first():
        return None
    highest = select(func.coalesce(func.max(ROUND.c.number), -1)).where(ROUND.c.model == words(model))
    index = c.execute(highest).scalar_one() + 1
    values = {"name": words(name), "model": words(model), "at": micros(at), "number": index}
    state = {"state": RoundState.OPEN.value, "routes": 0, "cost": 0.0, "tokens": 0}
    c.execute(insert(ROUND).values({**values, **state}))
    return RoundRow(words(name), words(model), instant(micros(at)), index, RoundState.OPEN)


def end(c: Connection, row: RoundRow) -> int:
    """Write how an open round ended; returns its id.

    Raises:
        RoundNotOpenError: it is not open.
        ValueError: the row says that it is open still, or not when it closed.
    """
    if row.state is RoundState.OPEN or row.closed_at is None:
        message = (
            f"the round {row.name} ends as {row.state} at {row.closed_at}; a state and a time are needed"
        )
        raise ValueError(message)
    found = c.execute(select(ROUND).where(ROUND.c.name == words(row.name))).first()
    if found is None or found.state != RoundState.OPEN:
        state = "was never taken" if found is None else f"is {found.state}"
        message = f"the round {row.name} {state}: nothing was written"
        raise RoundNotOpenError(message)
    values = {
        "state": row.state.value,
        "closed_at": micros(row.closed_at),
        "routes": row.routes,
        "cost": amount(row.cost, f"the round {row.name}"),
        "tokens": number(row.tokens, f"the tokens of the round {row.name}"),
        "trouble": row.trouble and words(row.trouble),
        "probes": number(row.probes, f"the probes of the round {row.name}"),
    }
    c.execute(update(ROUND).where(ROUND.c.id == found.id).values(values))
    return int(found.id)


def left_open(c: Connection) -> list[RoundRow]:
    """Rounds that are open, oldest first."""
    return _rows(
        c, select(ROUND).where(ROUND.c.state == RoundState.OPEN.value).order_by(ROUND.c.at, ROUND.c.id)
    )


def last_closed(c: Connection, model: str) -> RoundRow | None:
    """The closed round of a model with the latest planned instant."""
    closed = (ROUND.c.model == words(model)) & (ROUND.c.state == RoundState.CLOSED.value)
    rows = _rows(c, select(ROUND).where(closed).order_by(ROUND.c.at.desc(), ROUND.c.id.desc()).limit(1))
    return rows[0] if rows else None


def since(c: Connection, model: str, at: datetime) -> list[RoundRow]:
    """Rounds of a model planned at `at` or later, oldest first."""
    wanted = (ROUND.c.model == words(model)) & (ROUND.c.at >= micros(at))
    return _rows(c, select(ROUND).where(wanted).order_by(ROUND.c.at, ROUND.c.id))


def spend(c: Connection, what: str, at: datetime, cost: float, tokens: int) -> None:
    """Note money spent outside rounds."""
    values = {
        "what": words(what),
        "at": micros(at),
        "cost": amount(cost, what),
        "tokens": number(tokens, what),
    }
    c.execute(insert(SPENDING).values(values))


def spent(c: Connection, day: date) -> float:
    """US dollars of a UTC day, in rounds and outside them."""
    midnight = datetime.combine(day, time(), UTC)
    begin, over = micros(midnight), micros(midnight + timedelta(days=1))
    total = 0.0
    for costs in (ROUND, SPENDING):
        of_day = (costs.c.at >= begin) & (costs.c.at < over)
        total += float(
            c.execute(select(func.coalesce(func.sum(costs.c.cost), 0.0)).where(of_day)).scalar_one()
        )
    return total


def _rows(c: Connection, wanted: Select[Any]) -> list[RoundRow]:
    return [_row(row) for row in c.execute(wanted)]


def _row(row: Row[Any]) -> RoundRow:
    return RoundRow(
        name=row.name,
        model=row.model,
        at=instant(row.at),
        index=row.number,
        state=RoundState(row.state),
        closed_at=None if row.closed_at is None else instant(row.closed_at),
        routes=row.routes,
        cost=row.cost,
        tokens=row.tokens,
        trouble=row.trouble,
        probes=row.probes,
    )
