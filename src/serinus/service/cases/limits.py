"""Limits of judging out of a configuration file: `[limits]` for all, `[[model]]` for one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from serinus.core.durations import ALLOWED, parse_duration
from serinus.core.model import Limits
from serinus.service.cases.case import LimitsOf
from serinus.service.cases.problems import found, reject

_NAMES: Final = frozenset(f.name for f in fields(Limits))


def limits_of(text: str) -> LimitsOf:
    """The limits by model that a configuration holds; other tables of it are left to others.

    Raises:
        CaseError: it is not TOML, or a limit is none; every problem is told at once.
    """
    try:
        raw = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        reject(f"the configuration is not TOML: {error}")
    except RecursionError:
        reject("the configuration is not TOML: it nests hundreds deep")
    problems: list[str] = []
    common = _limits(Limits(), raw.get("limits", {}), "limits", problems)
    models: dict[str, Limits] = {}
    listed = raw.get("model", [])
    if not isinstance(listed, list):
        reject(f"model is {found(listed)}, allowed is one [[model]] table or more")
    for number, model in enumerate(listed):
        path = f"model[{number}]"
        name = model.get("id", model.get("name")) if isinstance(model, dict) else None
        if not isinstance(name, str):
            problems.append(f"{path}.id is {found(name)}, allowed is the model's name")
        else:
            models[name] = _limits(common, model.get("limits", {}), f"{path}.limits", problems)
    if problems:
        reject("; ".join(problems))
    return lambda model: models.get(model or "", common)


def _limits(base: Limits, raw: Any, path: str, problems: list[str]) -> Limits:
    if not isinstance(raw, Mapping):
        problems.append(f"{path} is {found(raw)}, allowed is a table")
        return base
    changes: dict[str, float] = {}
    for key, value in raw.items():
        if key not in _NAMES:
            problems.append(f"{path}.{key} is unknown, allowed are {', '.join(sorted(_NAMES))}")
            continue
        try:
            changes[key] = _seconds(value)
        except ValueError as error:
            problems.append(f"{path}.{key}: {error}")
    return replace(base, **changes)


def _seconds(value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
        return float(value)
    if isinstance(value, str):
        return parse_duration(value).total_seconds()
    message = f"found {found(value)}, allowed is a positive number of seconds, or {ALLOWED}"
    raise ValueError(message)
