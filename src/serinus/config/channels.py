"""The channels' URLs and secrets, from the variables and files that the configuration names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from serinus.config.problems import Problem
from serinus.config.settings import Heartbeat, Notify, Settings
from serinus.config.sources import ENVIRONMENT, reason


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """One channel, ready to be opened.

    `secret` signs a webhook; `kinds` are the notices that it is sent, empty for all.
    """

    name: str
    kind: str
    url: SecretStr
    secret: SecretStr | None
    kinds: frozenset[str]


def channels(
    settings: Settings, environ: Mapping[str, str]
) -> tuple[tuple[ChannelSettings, ...], tuple[Problem, ...]]:
    """The channels that can be opened, and what is wrong with the others; no secret is ever shown."""
    found, problems = [], []
    for table in settings.notify:
        channel, wrong = _channel(table, environ)
        problems += wrong
        if channel is not None:
            found.append(channel)
    return tuple(found), tuple(problems)


def _channel(table: Notify, environ: Mapping[str, str]) -> tuple[ChannelSettings | None, list[Problem]]:
    url = _Source(f"the URL of channel {table.name}", table.url_env, table.url_file, environ)
    secret = _Source(f"the secret of channel {table.name}", table.secret_env, table.secret_file, environ)
    problems = [*url.problems(), *(secret.problems() if secret.named else ())]
    address = url.text()
    if address is None or problems:
        return None, problems
    if wrong := _address(url, address, web=table.kind == "webhook"):
        return None, [wrong]
    key = secret.text()
    signing = None if key is None else SecretStr(key)
    return ChannelSettings(table.name, table.kind, SecretStr(address), signing, frozenset(table.kinds)), []


def heartbeat_url(
    settings: Settings, environ: Mapping[str, str]
) -> tuple[SecretStr | None, tuple[Problem, ...]]:
    """The address to call after each round, None where there is none; and what is wrong with it."""
    table: Heartbeat = settings.heartbeat
    source = _Source("the heartbeat's address", table.url_env, table.url_file, environ)
    if not source.named:
        return None, ()
    address = source.text()
    if address is None:
        return None, tuple(source.problems())
    wrong = _address(source, address, web=True)
    return (None, (wrong,)) if wrong else (SecretStr(address), ())


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a secret text is: in a variable, or alone in a file. `what` it is, for messages."""

    what: str
    variable: str | None
    file: Path | None
    environ: Mapping[str, str]

    @property
    def named(self) -> bool:
        """Whether the configuration names any."""
        return self.variable is not None or self.file is not None

    @property
    def place(self) -> tuple[str, str]:
        """The file, or the environment and the variable."""
        return (str(self.file), "") if self.file is not None else (ENVIRONMENT, self.variable or "")

    def text(self) -> str | None:
        """The text; None where there is none."""
        if self.file is None:
            return self.environ.get(self.variable or "", "").strip() or None
        try:
            return self.file.read_text(encoding="utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            return None

    def problems(self) -> list[Problem]:
        """Why there is none."""
        if self.text() is not None:
            return []
        if self.file is None:
            return [Problem(*self.place, "nothing", self.what, "set it where serinus runs")]
        return [Problem(*self.place, _unreadable(self.file), self.what, "write it into that file, alone")]


def _unreadable(file: Path) -> str:
    try:
        file.read_text(encoding="utf-8")
    except OSError as error:
        return reason(error)
    except UnicodeDecodeError:
        return "bytes that are not text"
    return "an empty file"


def _address(source: _Source, text: str, *, web: bool) -> Problem | None:
    """What is wrong with an address, as far as can be seen without asking anybody."""
    try:
        parts = urlsplit(text)
        right = bool(parts.scheme and "://" in text) and len(text.split()) == 1
        right = right and (not web or (parts.scheme in {"http", "https"} and bool(parts.hostname)))
    except ValueError:
        right = False
    if right:
        return None
    allowed = "an http:// or https:// URL" if web else "one Apprise URL, such as slack://… or mailto://…"
    return Problem(*source.place, "something else (not shown)", f"{source.what}: {allowed}", "correct it")
