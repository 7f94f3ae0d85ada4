"""The log as people read it: decisions and operators' acts, each with its number and its mark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from serinus.core import explain
from serinus.core.policy import Decision, Entry, Exclude, Include, Kind, Lift, SetMode, Warned
from serinus.core.policy.journal import from_json
from serinus.service.storage import Logged, Store

ACTS: Final = ("exclude", "include", "lift", "mode")
READ: Final = ("decision", "warned", *ACTS)


def known_kinds() -> frozenset[str]:
    """What can be asked for: kinds of decisions, and acts."""
    return frozenset([*Kind, *ACTS, "warned"])


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines: since an instant, of a model and route, of some kinds; those behind a number."""

    since: datetime
    model: str | None = None
    route: str | None = None
    kinds: frozenset[str] = frozenset()
    after: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of the log that a person wants to see. `kind` is the decision's, or the act's name."""

    seq: int
    at: datetime
    kind: str
    model: str | None
    route: str | None
    sentence: str
    entry: Entry
    mark: bool | None = None


def lines(store: Store, wanted: Wanted) -> Iterator[Line]:
    """The wanted lines, oldest first."""
    marks = store.marks()
    for logged in store.log(after=wanted.after, model=wanted.model, kinds=READ):
        if logged.at < wanted.since:
            continue
        line = line_of(logged, marks)
        if (wanted.kinds and line.kind not in wanted.kinds) or wanted.route not in (None, line.route):
            continue
        yield line


def line_of(logged: Logged, marks: Mapping[int, bool]) -> Line:
    """An entry as a person reads it."""
    entry = from_json(logged.document)
    kind = entry.kind.value if isinstance(entry, Decision) else logged.kind
    route = logged.document.get("route")
    said = _sentence(entry)
    return Line(logged.seq, logged.at, kind, logged.model, route, said, entry, marks.get(logged.seq))


def _sentence(entry: Entry) -> str:
    match entry:
        case Decision():
            return explain.of_decision(entry)
        case Warned():
            return explain.of_warning(entry)
        case Exclude() | Include() | Lift() | SetMode():
            return explain.of_act(entry)
        case _:
            return ""
