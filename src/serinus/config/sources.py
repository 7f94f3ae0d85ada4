"""Where settings come from: the TOML file and the environment, read here and nowhere else."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_origin

from pydantic.fields import FieldInfo
from pydantic_settings import EnvSettingsSource

from serinus.config.keys import NO_SETTINGS, PREFIX, nearest, variables
from serinus.config.problems import Problem, shown
from serinus.config.settings import Settings

ENVIRONMENT: Final = "environment"
KEY_VARIABLES: Final[Mapping[str, str]] = {"openrouter": "OPENROUTER_API_KEY", "litellm": "LITELLM_API_KEY"}
KEY_VARIABLE: Final = KEY_VARIABLES["openrouter"]
_PLACE: Final = re.compile(r"(?P<message>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)", re.DOTALL)


def read_toml(path: Path) -> tuple[dict[str, Any], list[Problem]]:
    """The tables of a TOML file; empty, with the one problem, if it cannot be read."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        return {}, [Problem(str(path), "", reason(error), "a readable file", "write it, or name another")]
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        found = f"the byte 0x{error.object[error.start]:02x}"
        return {}, [Problem(str(path), f"line {line}", found, "UTF-8", "save the file as UTF-8")]
    try:
        return tomllib.loads(text), []
    except tomllib.TOMLDecodeError as error:
        return {}, [_syntax(str(path), text, str(error))]
    except RecursionError:
        found = "brackets in brackets, hundreds deep"
        return {}, [Problem(str(path), "", found, "TOML of a few levels", "take them out")]


def _syntax(where: str, text: str, message: str) -> Problem:
    place = _PLACE.fullmatch(message)
    if place is None:
        return Problem(
            where, "the last line", "the end of the file", "TOML", _lower(message.partition(" (")[0])
        )
    line = int(place["line"])
    found = (text.splitlines() or [""])[min(line, text.count("\n") + 1) - 1].strip()
    at = f"line {line}, column {place['column']}"
    return Problem(where, at, shown(found), "TOML", _lower(place["message"]))


def reason(error: OSError) -> str:
    """What the system says of a file, without number and path."""
    return _lower(error.strerror or str(error))


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


class _Environment(EnvSettingsSource):
    """The library's reading of variables, from a mapping instead of the process.

    A list may be written as JSON or simply with commas; what cannot be read is handed on as it is, so that
    it is told with all the other problems instead of ending the reading.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        super().__init__(Settings)

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {name.lower(): value for name, value in self._environ.items()}

    def decode_complex_value(self, field_name: str, field: FieldInfo | None, value: Any) -> Any:
        try:
            return super().decode_complex_value(field_name, field, value)  # type: ignore[arg-type]  # it takes None
        except json.JSONDecodeError:
            if field is not None and get_origin(field.annotation) is tuple:
                return [part.strip() for part in value.split(",") if part.strip()]
            return value


def read_environment(environ: Mapping[str, str]) -> tuple[dict[str, Any], list[Problem]]:
    """What `SERINUS_…` variables set, in the shape of the file; an empty one sets nothing."""
    ours = {n: v for n, v in environ.items() if n.startswith(PREFIX) and n not in NO_SETTINGS}
    known = variables()
    problems = [_unknown(name, known) for name in sorted(ours.keys() - known)]
    return _Environment({n: v for n, v in ours.items() if n in known and v.strip()})(), problems


def _unknown(name: str, known: frozenset[str]) -> Problem:
    if "KEY" in name and name.removesuffix("_FILE") == name:
        advice = f"put the key into {KEY_VARIABLE} or into a file that SERINUS_GATEWAY_API_KEY_FILE names"
    else:
        like = nearest(name.removeprefix(PREFIX), (k.removeprefix(PREFIX) for k in known))
        advice = f"did you mean {PREFIX}{like}?" if like else "unset it"
    return Problem(
        ENVIRONMENT,
        name,
        "a variable that no setting has",
        "those of docs/reference/configuration.md",
        advice,
    )


def overlay(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """The tables below with what the ones above set put over them."""
    merged = dict(below)
    for name, value in above.items():
        old = merged.get(name)
        merged[name] = overlay(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
