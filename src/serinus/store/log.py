"""The log of entries, append-only, and operators' opinions of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Select, func, insert, or_, select, update

from serinus.service.storage import Document, Logged
from serinus.service.store_errors import LogMovedError
from serinus.store.tables import ENTRY, MARK, META
from serinus.store.written import dump, instant, load_all, micros, words

Written = tuple[datetime, str, Document]

VERSION: Final = 1  # of the entries' format
SLICE: Final = 2_000  # entries read at once: a reader never holds up a checkpoint for long


def last_seq(c: Connection) -> int:
    """The log's end; in a write, nobody moves it until this transaction is over.

    SQLite has one writer anyway; on PostgreSQL the row's lock makes it so.
    """
    return int(c.execute(select(META.c.last_seq).with_for_update()).scalar_one())


def unmoved(c: Connection, seen: int) -> None:
    """Make sure that the log still ends where the decision saw it end.

    Raises:
        LogMovedError: it does not.
    """
    last = last_seq(c)
    if last != seen:
        message = f"the log ends at {last}, the decision was based on {seen}: read again and decide again"
        raise LogMovedError(message)


def add(c: Connection, seen: int, entries: Sequence[Written], model: str | None = None) -> int:
    """Write entries behind `seen`, where the log ends; returns the new end.

    An entry whose document has no `model` of its own gets this one.
    """
    if not entries:
        return seen
    rows = [
        {
            "seq": seq,
            "at": micros(at),
            "model": _model(document, model),
            "kind": words(kind),
            "version": VERSION,
            "document": dump(document),
        }
        for seq, (at, kind, document) in enumerate(entries, seen + 1)
    ]
    c.execute(insert(ENTRY), rows)
    last = seen + len(rows)
    c.execute(update(META).values(last_seq=last))
    return last


def slice_after(c: Connection, after: int, model: str | None, kinds: Collection[str]) -> Sequence[Logged]:
    """The next entries behind `after`, at most a slice of them."""
    wanted = select(ENTRY).where(ENTRY.c.seq > after).order_by(ENTRY.c.seq).limit(SLICE)
    return _logged(c, wanted, model, kinds)


def _logged(
    c: Connection, wanted: Select[Any], model: str | None, kinds: Collection[str]
) -> Sequence[Logged]:
    """Of the wanted entries those that concern a model and are of these kinds, where any are named."""
    if model is not None:
        wanted = wanted.where(or_(ENTRY.c.model == words(model), ENTRY.c.model.is_(None)))
    if kinds:
        wanted = wanted.where(ENTRY.c.kind.in_(sorted(map(words, kinds))))
    rows = c.execute(wanted).all()
    documents = load_all([row[-1] for row in rows], lambda n: f"Entry {rows[n].seq}")
    # Taken apart by position: by name it costs a third more, and a restart reads all there ever was.
    return [
        Logged(seq, instant(at), model, kind, document, version)
        for (seq, at, model, kind, version, _), document in zip(rows, documents, strict=True)
    ]


def slice_before(
    c: Connection, before: int | None, model: str | None, kinds: Collection[str], limit: int
) -> Sequence[Logged]:
    """The entries before that number, or the last ones, of these kinds, newest first."""
    wanted = select(ENTRY).order_by(ENTRY.c.seq.desc()).limit(limit)
    if before is not None:
        wanted = wanted.where(ENTRY.c.seq < before)
    return _logged(c, wanted, model, kinds)


def mark(  # noqa: PLR0913  the columns of an opinion
    c: Connection, seq: int, *, right: bool | None, by: str, why: str, at: datetime
) -> None:
    """Note an opinion of an entry.

    Raises:
        LookupError: there is no such entry.
    """
    last = last_seq(c)
    if not 1 <= seq <= last:
        message = f"the log has no entry {seq}: it goes from 1 to {last}" if last else "the log is empty"
        raise LookupError(message)
    values = {"seq": seq, "right": right, "by": words(by), "why": words(why), "at": micros(at)}
    c.execute(insert(MARK).values(values))


def marks(c: Connection) -> dict[int, bool]:
    """The newest opinion of each entry, without those taken back."""
    newest = select(func.max(MARK.c.id)).group_by(MARK.c.seq)
    rows = c.execute(select(MARK.c.seq, MARK.c.right).where(MARK.c.id.in_(newest)).order_by(MARK.c.seq))
    return {row.seq: row.right for row in rows if row.right is not None}


def broken(c: Connection) -> str | None:
    """What is wrong with the log's end, one sentence; None if nothing is."""
    last = c.execute(select(META.c.last_seq)).scalar_one()
    found = c.execute(select(func.coalesce(func.max(ENTRY.c.seq), 0))).scalar_one()
    return None if found == last else f"Its log ends with entry {found}, but {last} were written."


def gaps(c: Connection) -> Iterator[str]:
    """What is wrong with the log, a sentence each; all of it is counted."""
    end = broken(c)
    if end is not None:
        yield end
    count, highest = c.execute(select(func.count(), func.max(ENTRY.c.seq)).select_from(ENTRY)).one()
    if count != (highest or 0):
        yield f"Its log has {count} entries up to number {highest}: some are missing."


def _model(document: Document, model: str | None) -> str | None:
    own = document.get("model", model)
    return words(own) if isinstance(own, str) else None
