"""The settings as a list of keys: what errors, the reference and the starter file go by."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from serinus.config.kinds import Allowed
from serinus.config.settings import Settings
from serinus.core.durations import format_duration

PREFIX: Final = "SERINUS_"
FILE_VARIABLE: Final = "SERINUS_CONFIG"
MODEL_VARIABLE: Final = "SERINUS_MODEL"
OPERATOR_VARIABLE: Final = "SERINUS_BY"  # who acts, for operators' commands
# What applications read (`serinus.traffic.client`), in a shell that may be an operator's too.
APPLICATION_VARIABLES: Final = frozenset(
    {"SERINUS_EXCLUSIONS", "SERINUS_TOKEN", "SERINUS_TOKEN_FILE", "SERINUS_FLOOR"}
)
NO_SETTINGS: Final = APPLICATION_VARIABLES | {FILE_VARIABLE, OPERATOR_VARIABLE}  # set no key
_RULE: Final = re.compile(r",? \((R\d|`formats)[^)]*\)")  # the source of a rule is for who reads the code


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the file. `path` is dotted (`policy.floor`, `model.limits.hard`).

    `sentence` says what it is for; `example` is a value where there is no default to show.
    """

    path: str
    allowed: str
    default: Any
    required: bool
    sentence: str
    example: str

    @property
    def variable(self) -> str:
        """The environment variable that sets it; those of tables that may repeat are set together."""
        section, _, name = self.path.partition(".")
        return PREFIX + (section if section in REPEATED else f"{section}_{name}").upper()

    @property
    def default_text(self) -> str:
        """Its default as the file would write it; empty where there is none."""
        return "" if self.required or self.default is None else as_toml(self.default)


def as_toml(value: Any) -> str:
    """A default as the file writes it."""
    if isinstance(value, timedelta):
        return f'"{format_duration(value)}"'
    if isinstance(value, Path):
        return json.dumps(str(value))
    if isinstance(value, tuple):
        return f"[{', '.join(as_toml(v) for v in value)}]"
    return json.dumps(value, ensure_ascii=False)


def allowed(field: FieldInfo) -> str:
    """The phrase of what a field may be."""
    return next((m.phrase for m in field.metadata if isinstance(m, Allowed)), "a table")


def section_of(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a field that is a table, None for a plain value."""
    if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
        return field.annotation
    return None


def _table_of(field: FieldInfo) -> type[BaseModel]:
    """The model of a table of the file, also of one that may stand several times."""
    pending: list[Any] = [field.annotation]
    while pending:
        kind = pending.pop()
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
        pending += get_args(kind)
    raise TypeError(field)


# The tables that may stand several times: `[[model]]`, `[[notify]]`.
REPEATED: Final = frozenset(n for n, f in Settings.model_fields.items() if section_of(f) is None)


def _keys(section: type[BaseModel], prefix: str) -> Iterator[Key]:
    for name, field in section.model_fields.items():
        path = f"{prefix}{name}"
        inner = section_of(field)
        if inner is None:
            default = None if field.is_required() else field.default
            sentence = _RULE.sub("", field.description or "")
            example = as_toml((field.examples or [""])[0])
            yield Key(path, allowed(field), default, field.is_required(), sentence, example)
        else:
            yield from _keys(inner, f"{path}.")


def keys() -> tuple[Key, ...]:
    """Every key, in the order of the file."""
    found: list[Key] = []
    for name, field in Settings.model_fields.items():
        found += _keys(_table_of(field), f"{name}.")
    return tuple(found)


def variables() -> frozenset[str]:
    """Every environment variable that a setting has."""
    return frozenset(k.variable for k in keys())


def sections() -> dict[str, type[BaseModel]]:
    """The tables of the file and their models, in order; those of `REPEATED` may stand several times."""
    return {name: _table_of(field) for name, field in Settings.model_fields.items()}


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that looks most like this one, or None if none does."""
    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=0.65)), None)
