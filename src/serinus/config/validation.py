"""A validation's errors as problems: the key's path, what was found there, what is allowed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from serinus.config.keys import allowed, as_toml, nearest
from serinus.config.problems import Problem, shown

Loc = tuple[int | str, ...]
Where = Callable[[str], tuple[str, str]]  # a key's path -> (file or environment, path or variable)

_DICT_KEY: Final = "[key]"  # how pydantic marks that a table's key is wrong, not its value


def dotted(loc: Loc) -> str:
    """The path of a place: `("model", 0, "limits", "hard")` is `model[0].limits.hard`."""
    path = ""
    for part in loc:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part != _DICT_KEY:
            path += f".{part}" if path else part
    return path


def problems_of(error: ValidationError, root: type[BaseModel], where: Where) -> list[Problem]:
    """One problem for each error, in the order of the keys."""
    errors = error.errors(include_url=False)
    return [_problem(e, root, where) for e in errors if not _follows(e, errors)]


def _follows(error: ErrorDetails, errors: list[ErrorDetails]) -> bool:
    """Whether a list is only too short because its items are wrong, which is told already."""
    loc = error["loc"]
    return error["type"] == "too_short" and any(
        len(e["loc"]) > len(loc) and e["loc"][: len(loc)] == loc for e in errors
    )


def _problem(error: ErrorDetails, root: type[BaseModel], where: Where) -> Problem:
    loc = error["loc"]
    place = where(dotted(loc))
    section, field = _find(root, loc)
    if error["type"] == "extra_forbidden":
        return _unknown_key(str(loc[-1]), section, root, place)
    if field is None:
        return Problem(*place, shown(error["input"]), "a table", f"write [{loc[-1]}] and its keys under it")
    if error["type"] == "missing":
        return Problem(*place, "nothing", allowed(field), "add it")
    value = loc[-2] if loc[-1] == _DICT_KEY else error["input"]
    advice = _as_list(value, str(loc[-1])) if error["type"] == "tuple_type" else _advice(value, field)
    return Problem(*place, shown(value), allowed(field), advice)


def _as_list(value: Any, name: str) -> str:
    return f"write [[{name}]] instead of [{name}]" if isinstance(value, dict) else "write it as a list: [...]"


def _unknown_key(
    name: str, section: type[BaseModel], root: type[BaseModel], place: tuple[str, str]
) -> Problem:
    like = nearest(name, section.model_fields) or _elsewhere(name, root)
    advice = f"did you mean {like}?" if like else "take it out"
    return Problem(*place, "an unknown key", ", ".join(section.model_fields), advice)


def _elsewhere(name: str, root: type[BaseModel]) -> str | None:
    """The same key in another table."""
    tables = {table: _inner(field) for table, field in root.model_fields.items()}
    return next((f"{t}.{name}" for t, inner in tables.items() if inner and name in inner.model_fields), None)


def _advice(value: Any, field: FieldInfo) -> str:
    like = nearest(value, re.findall(r"[\w-]{2,}", allowed(field))) if isinstance(value, str) else None
    if like and like != value:
        return f"did you mean {like}?"
    if field.is_required() or field.default is None:
        return "correct it"
    default = field.default
    if isinstance(default, BaseModel | dict):
        return "correct it, or leave it out"
    text = as_toml(default)
    return f"leave it out for {text}" if len(text) <= 40 else "correct it, or leave it out"  # noqa: PLR2004  a line's worth


def _find(root: type[BaseModel], loc: Loc) -> tuple[type[BaseModel], FieldInfo | None]:
    """The innermost table of a place, and its key's field; None where the table itself is meant."""
    section, field = root, None
    for part in loc:
        if isinstance(part, int):
            continue
        if field is not None and (inner := _inner(field)) is not None:
            section, field = inner, None
        if field is None and part in section.model_fields:
            field = section.model_fields[part]
    if field is not None and _inner(field) is not None and isinstance(loc[-1], int):
        field = None
    return section, (
        None if field is not None and isinstance(field.annotation, type) and _inner(field) else field
    )


def _inner(field: FieldInfo) -> type[BaseModel] | None:
    """The table, or the table of a list, that a field holds."""
    pending: list[Any] = [field.annotation]
    while pending:
        kind = pending.pop()
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
        pending += get_args(kind)
    return None
