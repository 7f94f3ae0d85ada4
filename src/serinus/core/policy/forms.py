"""How kinds of values are written as JSON and read again: what the journal and the snapshot share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from serinus.core.evidence import Tally
from serinus.core.instants import format_instant, parse_instant


class Form(NamedTuple):
    """How one kind of value is written and read."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _as_it_is(value: Any) -> Any:
    return value


def optional(form: Form) -> Form:
    """None, or a value of that form."""
    return Form(
        lambda value: None if value is None else form.write(value),
        lambda value: None if value is None else form.read(value),
    )


def by_name(form: Form) -> Form:
    """A mapping from names to values of that form, written in the order of the names."""
    write, read = form
    return Form(
        lambda value: {name: write(v) for name, v in sorted(value.items())},
        lambda value: {name: read(v) for name, v in value.items()},
    )


def by_word(kind: type[StrEnum], form: Form) -> Form:
    """A mapping from words of an enumeration, written in the order of the words."""
    return Form(
        lambda value: {str(word): form.write(v) for word, v in sorted(value.items())},
        lambda value: {kind(word): form.read(v) for word, v in value.items()},
    )


def in_order(form: Form) -> Form:
    """A mapping from names to values of that form, written in its own order."""
    return Form(lambda value: {name: form.write(v) for name, v in value.items()}, by_name(form).read)


def each(form: Form) -> Form:
    """A tuple of values of that form."""
    return Form(
        lambda value: [form.write(v) for v in value], lambda value: tuple(form.read(v) for v in value)
    )


class _Members(dict[str, StrEnum]):
    """The members of an enumeration by their words: a start looks up a million, calling it takes longer."""

    def __init__(self, kind: type[StrEnum]) -> None:
        super().__init__({str(member): member for member in kind})
        self.kind = kind

    def __missing__(self, word: str) -> StrEnum:
        return self.kind(word)  # says what is wrong with it


def word_of(kind: type[StrEnum]) -> Form:
    """A word of an enumeration."""
    return Form(str, _Members(kind).__getitem__)


def record(kind: type, forms: Mapping[str, Form]) -> Form:
    """A dataclass, field by field; a field without a form is plain JSON already."""
    each_field = [(f.name, *forms.get(f.name, PLAIN)) for f in fields(kind)]
    return Form(
        lambda value: {name: write(getattr(value, name)) for name, write, _ in each_field},
        lambda value: kind(**{name: read(value[name]) for name, _, read in each_field}),
    )


PLAIN: Final = Form(_as_it_is, _as_it_is)
TIME: Final = Form(format_instant, parse_instant)
SECONDS: Final = Form(timedelta.total_seconds, lambda value: timedelta(seconds=value))
NAMES: Final = Form(list, tuple)
TAGS: Final = Form(sorted, frozenset)
TALLY: Final = record(Tally, {"last": TIME})
