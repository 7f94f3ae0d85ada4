"""Entries as JSON and back, with a version: what a store keeps for ever and folds at start.

A written entry is never edited. When an entry's shape changes, `VERSION` rises and the reader goes
on to understand the older ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from serinus.core.evidence import Tally
from serinus.core.exclusions import Layer
from serinus.core.instants import format_instant, parse_instant
from serinus.core.model import Word
from serinus.core.policy.entries import Counted, Decision, Eased, Entry, Kind, Moved, Regained, Warned
from serinus.core.policy.events import Exclude, Include, Lift, Mode, SetMode, Tick
from serinus.core.policy.lanes import Lane

VERSION: Final = 1


class JournalError(ValueError):
    """A record is not an entry that this version can read; the message says what was found."""


class _Form(NamedTuple):
    """How one kind of value is written and read."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _as_it_is(value: Any) -> Any:
    return value


def _optional(form: _Form) -> _Form:
    return _Form(
        lambda value: None if value is None else form.write(value),
        lambda value: None if value is None else form.read(value),
    )


def _by_key(form: _Form, key: Callable[[str], str] = str) -> _Form:
    return _Form(
        lambda value: {str(k): form.write(v) for k, v in sorted(value.items())},
        lambda value: {key(k): form.read(v) for k, v in value.items()},
    )


def _word_of(kind: type[StrEnum]) -> _Form:
    members = {str(member): member for member in kind}  # twice as fast as calling an enumeration

    def read(value: str) -> StrEnum:
        try:
            return members[value]
        except KeyError:
            return kind(value)  # says what is wrong with it

    return _Form(str, read)


def _write_tally(tally: Tally) -> dict[str, Any]:
    return {"weight": tally.weight, "rounds": tally.rounds, "last": format_instant(tally.last)}


def _read_tally(value: Mapping[str, Any]) -> Tally:
    return Tally(value["weight"], value["rounds"], parse_instant(value["last"]))


PLAIN: Final = _Form(_as_it_is, _as_it_is)
TIME: Final = _Form(format_instant, parse_instant)
SECONDS: Final = _Form(timedelta.total_seconds, lambda value: timedelta(seconds=value))
NAMES: Final = _optional(_Form(list, tuple))
TAGS: Final = _Form(sorted, frozenset)
TALLIES: Final = _by_key(_optional(_Form(_write_tally, _read_tally)))

# Every entry by its name in the log, with the form of each field that is not plain JSON already.
FORMS: Final[Mapping[str, tuple[type, Mapping[str, _Form]]]] = {
    "counted": (
        Counted,
        {
            "live": TAGS,
            "readings": _by_key(_by_key(_word_of(Word))),
            "tallies": _by_key(TALLIES),
            "clean": _by_key(_by_key(_optional(_Form(_write_tally, _read_tally)), Lane)),
        },
    ),
    "decision": (
        Decision,
        {
            "kind": _word_of(Kind),
            "lane": _optional(_word_of(Lane)),
            "contracts": NAMES,
            "until": _optional(TIME),
            "tallies": TALLIES,
        },
    ),
    "exclude": (Exclude, {"layer": _word_of(Layer), "until": _optional(TIME)}),
    "include": (Include, {"layer": _word_of(Layer)}),
    "lift": (Lift, {"grace": SECONDS}),
    "mode": (SetMode, {"mode": _word_of(Mode)}),
    "tick": (Tick, {}),
    "moved": (Moved, {"lane": _word_of(Lane)}),
    "eased": (Eased, {"lane": _word_of(Lane)}),
    "regained": (Regained, {}),
    "warned": (Warned, {}),
}
NAME_OF: Final = {kind: name for name, (kind, _) in FORMS.items()}


def to_json(entry: Entry) -> dict[str, Any]:
    """An entry as a JSON object, with its name and the version of its shape."""
    name = NAME_OF[type(entry)]
    forms = {"at": TIME, **FORMS[name][1]}
    record = {f.name: forms.get(f.name, PLAIN).write(getattr(entry, f.name)) for f in fields(entry)}
    return {"v": VERSION, "entry": name, **record}


def from_json(record: Mapping[str, Any]) -> Entry:
    """The entry that a JSON object holds.

    Raises:
        JournalError: its version is newer than this reader, or it is no entry.
    """
    version = record.get("v")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        message = f"found an entry of version {version!r}, this reader knows 1 to {VERSION}: update serinus"
        raise JournalError(message)
    name = record.get("entry")
    if not isinstance(name, str) or name not in FORMS:
        message = f"found an entry named {name!r}, known are {', '.join(FORMS)}"
        raise JournalError(message)
    kind, own = FORMS[name]
    forms = {"at": TIME, **own}
    try:
        values = {f.name: forms.get(f.name, PLAIN).read(record[f.name]) for f in fields(kind)}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"the {name} entry cannot be read: {type(error).__name__}: {error}"
        raise JournalError(message) from error
    entry: Entry = kind(**values)
    return entry
