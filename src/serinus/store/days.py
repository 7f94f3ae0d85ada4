"""The daily rollup: how often each word was a contract's finding on a route, kept for ever.

It grows with each round's end, in the same transaction, so that no day is counted twice and pruning
only deletes.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select

from serinus.service.storage import DayRow, FindingRow, RoundRow
from serinus.store.tables import DAY
from serinus.store.written import dump, load, seconds, words

# 0.1 s and then a quarter more each time: a percentile read off is at most 12 % wrong; 60 s is the
# hard limit of a probe, what is later falls under the last bound.
BOUNDS: Final = (*(round(0.1 * 1.25**n, 3) for n in range(29)), math.inf)

Key = tuple[str, str]


def add(c: Connection, row: RoundRow, findings: Sequence[FindingRow]) -> None:
    """Count a round's findings in its UTC day."""
    if not findings:
        return
    day = row.at.astimezone(UTC).date()
    of_day = (DAY.c.model == words(row.model)) & (DAY.c.day == day)
    said: dict[Key, Counter[str]] = {}
    timed: dict[Key, Counter[str]] = {}
    for stored in c.execute(select(DAY).where(of_day)):
        key = (stored.tag, stored.contract)
        said[key] = _counts(stored.words)
        timed[key] = _counts(stored.first_text)
    for finding in findings:
        key = (words(finding.tag), words(finding.contract))
        said.setdefault(key, Counter())[finding.word] += 1
        if (first := seconds(finding.first_text)) is not None:
            timed.setdefault(key, Counter())[str(bisect_left(BOUNDS, first))] += 1
    c.execute(delete(DAY).where(of_day))
    c.execute(insert(DAY), [_values(row.model, day, key, said[key], timed.get(key)) for key in sorted(said)])


def days(c: Connection, model: str, since: date, tag: str | None) -> list[DayRow]:
    """Days of a model, oldest first, by tag and contract."""
    wanted = select(DAY).where(DAY.c.model == words(model), DAY.c.day >= since)
    if tag is not None:
        wanted = wanted.where(DAY.c.tag == words(tag))
    rows = c.execute(wanted.order_by(DAY.c.day, DAY.c.tag, DAY.c.contract))
    return [
        DayRow(r.day, r.model, r.tag, r.contract, dict(_counts(r.words)), _histogram(_counts(r.first_text)))
        for r in rows
    ]


def _values(
    model: str, day: date, key: Key, said: Mapping[str, int], timed: Mapping[str, int] | None
) -> dict[str, Any]:
    tag, contract = key
    histogram = dump(timed) if timed else None
    found = {"words": dump(said), "first_text": histogram}
    return {"model": words(model), "day": day, "tag": tag, "contract": contract, **found}


def _counts(text: str | None) -> Counter[str]:
    return Counter(load(text, "A day's counts")) if text else Counter()


def _histogram(timed: Mapping[str, int]) -> tuple[tuple[float, int], ...]:
    return tuple((BOUNDS[index], timed[str(index)]) for index in sorted(map(int, timed)))
