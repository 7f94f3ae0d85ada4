"""The gateway's key: by environment or file reference only, never in the configuration itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic import SecretStr

from serinus.config.problems import KEY_LIKE, ConfigError, Problem
from serinus.config.settings import Settings
from serinus.config.sources import KEY_VARIABLES, reason

_NAMES: Final = frozenset({"api_key", "apikey", "api-key", "key", "token", "secret", "password"})
_ALLOWED: Final = f"gateway.api_key_file, or the environment variable {KEY_VARIABLES['openrouter']}"
_ADVICE: Final = "take it out, and revoke it if anyone else could read the file"
_SENDING: Final = frozenset({"notify", "heartbeat"})  # tables whose URLs are secrets themselves
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def take_literals(where: str, tables: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """The tables without the keys that stand in them, and a problem for each; none is ever shown."""
    problems: list[Problem] = []
    cleaned = _without(where, tables, "", problems)
    return cleaned, problems


def _without(where: str, value: Any, path: str, problems: list[Problem]) -> Any:
    if isinstance(value, dict):
        kept = {}
        for name, inner in value.items():
            at = f"{path}.{name}" if path else name
            if isinstance(inner, str) and _is_literal(at, name, inner):
                problems.append(Problem(where, at, "a secret (not shown)", _instead(at, name), _ADVICE))
            else:
                kept[name] = _without(where, inner, at, problems)
        return kept
    if isinstance(value, list):
        return [_without(where, v, f"{path}[{n}]", problems) for n, v in enumerate(value)]
    return value


def _instead(at: str, name: str) -> str:
    """Where the secret belongs."""
    table = at.rpartition(".")[0]
    if at.startswith("replica"):
        table = at.partition(".")[0]
        return f"{table}.api_key_env, the name of a variable that holds it, or {table}.api_key_file"
    if not _sends(at):
        return _ALLOWED
    what = "secret" if name.lower().startswith("secret") else "url"
    return f"{table}.{what}_env, the name of a variable that holds it, or {table}.{what}_file"


def _sends(at: str) -> bool:
    return at.partition(".")[0].partition("[")[0] in _SENDING


def _is_literal(at: str, name: str, text: str) -> bool:
    if name.lower() in _NAMES or KEY_LIKE.search(text):
        return True
    if _sends(at) and (name == "url" or "://" in text):
        return True
    if _sends(at) and name.endswith("_env"):
        return not _VARIABLE.fullmatch(text)
    return "://" in text and "@" in text and bool(_password(text))


def _password(url: str) -> str | None:
    try:
        return urlsplit(url).password
    except ValueError:
        return None


def api_key(settings: Settings, environ: Mapping[str, str]) -> SecretStr | None:
    """The gateway's key, from its file or from the environment; None if neither is given.

    Raises:
        ConfigError: the file cannot be read, or does not hold one key.
    """
    path, variable = settings.gateway.api_key_file, KEY_VARIABLES.get(settings.gateway.name)
    if path is None or variable is None:
        given = environ.get(variable, "").strip() if variable else ""
        return SecretStr(given) if given else None
    try:
        text = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise _no_key(path, reason(error), variable) from None
    except UnicodeDecodeError:
        raise _no_key(path, "bytes that are not text", variable) from None
    if len(text.split()) != 1:
        raise _no_key(path, f"{len(text.split())} words", variable)
    return SecretStr(text)


def required_key(settings: Settings, environ: Mapping[str, str]) -> SecretStr | None:
    """The gateway's key, for a command that cannot do without; None if this gateway may want none.

    Raises:
        ConfigError: OpenRouter is asked and there is none, or its file cannot be read.
    """
    key = api_key(settings, environ)
    if key is None and settings.gateway.name == "openrouter":
        variable = KEY_VARIABLES["openrouter"]
        advice = f"set {variable}, or name a file that holds the key in gateway.api_key_file"
        raise ConfigError([Problem("environment", variable, "no key", "the gateway's key", advice)])
    return key


def _no_key(path: Path, found: str, variable: str) -> ConfigError:
    allowed = "a readable file that holds the key and nothing else"
    advice = f"write the key into it, or leave gateway.api_key_file out and set {variable}"
    return ConfigError([Problem(str(path), "", found, allowed, advice)])
