"""What an act led to, told on the page that one comes to after it."""

from __future__ import annotations

import re
from typing import Final

from serinus.service.logbook import READ, line_of
from serinus.service.operators import Done
from serinus.service.storage import Store

MOST: Final = 20
_RANGE: Final = re.compile(r"(\d{1,15})-(\d{1,15})")


def done_range(done: Done) -> str:
    """The numbers of an act's entries, as the address of the next page carries them."""
    numbers = [seq for seq, _ in done.entries]
    return f"{min(numbers)}-{max(numbers)}" if numbers else ""


def done_lines(store: Store, numbers: str) -> list[str]:
    """The sentences of these entries: the log says what was done, not the address."""
    found = _RANGE.fullmatch(numbers)
    if found is None:
        return []
    first, last = (int(n) for n in found.groups())
    if not first <= last < first + MOST:
        return []
    newest_first = store.latest(before=last + 1, kinds=READ, limit=MOST)
    lines = [line_of(e, {}) for e in reversed(newest_first) if e.seq >= first]
    return [_sentence(line.kind, line.sentence, line.route, line.model) for line in lines]


def _sentence(kind: str, said: str, route: str | None, model: str | None) -> str:
    if kind in {"exclude", "include", "lift", "mode"}:
        return f"Done: {said}"
    where = " of ".join(part for part in (route, model) if part)
    return f"{where}: {kind.replace('_', ' ')}. {said}"
