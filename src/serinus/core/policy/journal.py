"""Entries as JSON and back, with a version: what a store keeps for ever and folds at start.

A written entry is never edited. When an entry's shape changes, `VERSION` rises and the reader goes
on to understand the older ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from serinus.core.exclusions import Layer
from serinus.core.model import Word
from serinus.core.policy.entries import Counted, Decision, Eased, Entry, Kind, Moved, Regained, Warned
from serinus.core.policy.events import Exclude, Include, Lift, Mode, SetMode, Tick
from serinus.core.policy.forms import (
    NAMES,
    SECONDS,
    TAGS,
    TALLY,
    TIME,
    Form,
    by_name,
    by_word,
    optional,
    record,
    word_of,
)
from serinus.core.policy.lanes import Lane

VERSION: Final = 1


class JournalError(ValueError):
    """A record is not an entry that this version can read; the message says what was found."""


CHANGES: Final = by_name(optional(TALLY))  # of tallies, by contract; None where nothing is left


def _entry(kind: type, /, **forms: Form) -> tuple[type, Form]:
    return kind, record(kind, {"at": TIME, **forms})


# Every entry by its name in the log.
FORMS: Final[Mapping[str, tuple[type, Form]]] = {
    "counted": _entry(
        Counted,
        live=TAGS,
        readings=by_name(by_name(word_of(Word))),
        tallies=by_name(CHANGES),
        clean=by_name(by_word(Lane, optional(TALLY))),
    ),
    "decision": _entry(
        Decision,
        kind=word_of(Kind),
        lane=optional(word_of(Lane)),
        contracts=optional(NAMES),
        until=optional(TIME),
        tallies=CHANGES,
    ),
    "exclude": _entry(Exclude, layer=word_of(Layer), until=optional(TIME)),
    "include": _entry(Include, layer=word_of(Layer)),
    "lift": _entry(Lift, grace=SECONDS),
    "mode": _entry(SetMode, mode=word_of(Mode)),
    "tick": _entry(Tick),
    "moved": _entry(Moved, lane=word_of(Lane)),
    "eased": _entry(Eased, lane=word_of(Lane)),
    "regained": _entry(Regained),
    "warned": _entry(Warned),
}
NAME_OF: Final = {kind: name for name, (kind, _) in FORMS.items()}


def to_json(entry: Entry) -> dict[str, Any]:
    """An entry as a JSON object, with its name and the version of its shape."""
    name = NAME_OF[type(entry)]
    return {"v": VERSION, "entry": name, **FORMS[name][1].write(entry)}


def from_json(written: Mapping[str, Any]) -> Entry:
    """The entry that a JSON object holds.

    Raises:
        JournalError: its version is newer than this reader, or it is no entry.
    """
    version = written.get("v")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        message = f"found an entry of version {version!r}, this reader knows 1 to {VERSION}: update serinus"
        raise JournalError(message)
    name = written.get("entry")
    if not isinstance(name, str) or name not in FORMS:
        message = f"found an entry named {name!r}, known are {', '.join(FORMS)}"
        raise JournalError(message)
    try:
        entry: Entry = FORMS[name][1].read(written)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"the {name} entry cannot be read: {type(error).__name__}: {error}"
        raise JournalError(message) from error
    return entry
