"""Notices: written with the decision, kept until each channel took them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select

from serinus.service.storage import Notice
from serinus.store.tables import DELIVERY, DISABLED, NOTICE
from serinus.store.written import dump, instant, load, micros, words


def tell(c: Connection, notices: Sequence[Notice]) -> None:
    """Write the notices that are news; repeats of what is told and open are dropped."""
    for notice in notices:
        if _is_news(c, notice):
            c.execute(insert(NOTICE).values(_values(notice)))


def outbox(c: Connection, channel: str, limit: int) -> list[tuple[int, Notice]]:
    """Notices that a channel has not taken, oldest first."""
    taken = (DELIVERY.c.notice_id == NOTICE.c.id) & (DELIVERY.c.channel == words(channel))
    wanted = (
        select(NOTICE)
        .outerjoin(DELIVERY, taken)
        .where(DELIVERY.c.notice_id.is_(None))
        .order_by(NOTICE.c.id)
        .limit(limit)
    )
    return [(row.id, _notice(row)) for row in c.execute(wanted)]


def deliver(c: Connection, channel: str, notice_ids: Sequence[int], at: datetime) -> None:
    """Note what a channel took; what it took before, or what is no longer kept, is passed over."""
    kept = select(NOTICE.c.id).where(NOTICE.c.id.in_(notice_ids))
    before = select(DELIVERY.c.notice_id).where(DELIVERY.c.channel == words(channel))
    new = c.execute(kept.where(NOTICE.c.id.not_in(before))).scalars().all()
    if new:
        row = {"channel": words(channel), "at": micros(at)}
        c.execute(insert(DELIVERY), [{**row, "notice_id": number} for number in new])


def deliveries(c: Connection, channel: str) -> int:
    """How many notices a channel took."""
    taken = select(func.count()).select_from(DELIVERY).where(DELIVERY.c.channel == words(channel))
    return c.execute(taken).scalar_one()


def disable(c: Connection, channel: str, why: str, at: datetime) -> None:
    """Note that a channel failed for good; the latest reason stands."""
    enable(c, channel)
    c.execute(insert(DISABLED).values(channel=words(channel), why=words(why), at=micros(at)))


def enable(c: Connection, channel: str) -> None:
    """Forget that a channel failed."""
    c.execute(delete(DISABLED).where(DISABLED.c.channel == words(channel)))


def disabled(c: Connection) -> dict[str, str]:
    """Channels that failed for good, each with why."""
    rows = c.execute(select(DISABLED.c.channel, DISABLED.c.why).order_by(DISABLED.c.channel))
    return {row.channel: row.why for row in rows}


def is_open(c: Connection, key: str) -> bool:
    """Whether a notice of that key was told and none that resolves it came after."""
    said = _latest(c, NOTICE.c.key == words(key))
    return said is not None and (_latest(c, NOTICE.c.resolves == words(key)) or 0) < said


def _is_news(c: Connection, notice: Notice) -> bool:
    """Whether it says what was not said since the trouble began, or ended, or ever.

    A trouble begins with a notice of its key and ends with one that resolves the key, so that it
    can come again and is told again. The end of a trouble is news once after each beginning.
    """
    said = _latest(c, NOTICE.c.key == words(notice.key))
    if said is None:
        return True
    if notice.resolves is None:
        return (_latest(c, NOTICE.c.resolves == words(notice.key)) or 0) > said
    return (_latest(c, NOTICE.c.key == words(notice.resolves)) or 0) > said


def _latest(c: Connection, condition: Any) -> int | None:
    number: int | None = c.execute(select(func.max(NOTICE.c.id)).where(condition)).scalar()
    return number


def _values(notice: Notice) -> dict[str, Any]:
    return {
        "key": words(notice.key),
        "at": micros(notice.at),
        "kind": words(notice.kind),
        "model": notice.model and words(notice.model),
        "tag": notice.tag and words(notice.tag),
        "text": words(notice.text),
        "resolves": notice.resolves and words(notice.resolves),
        "severity": words(notice.severity),
        "facts": dump(notice.facts) if notice.facts else None,
    }


def _notice(row: Row[Any]) -> Notice:
    return Notice(
        row.key,
        instant(row.at),
        row.kind,
        row.model,
        row.tag,
        row.text,
        row.resolves,
        row.severity or "info",
        load(row.facts, "A notice's facts") if row.facts else {},
    )
