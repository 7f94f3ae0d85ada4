"""The channels' URLs and secrets, from the variables and files that the configuration names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from serinus.config.kept import Kept
from serinus.config.notifying import Heartbeat, Notify
from serinus.config.problems import Problem
from serinus.config.settings import Settings
from serinus.service.notice_kinds import Wants, severity_of


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """One channel, ready to be opened.

    `secret` signs a webhook; `wants` says which notices it is sent.
    """

    name: str
    kind: str
    url: SecretStr
    secret: SecretStr | None
    wants: Wants


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
    url = Kept(f"the URL of channel {table.name}", table.url_env, table.url_file, environ)
    secret = Kept(f"the secret of channel {table.name}", table.secret_env, table.secret_file, environ)
    problems = [*url.problems(), *(secret.problems() if secret.named else ())]
    address = url.text()
    if address is None or problems:
        return None, problems
    if wrong := _address(url, address, web=table.kind == "webhook"):
        return None, [wrong]
    key = secret.text()
    signing = None if key is None else SecretStr(key)
    return ChannelSettings(table.name, table.kind, SecretStr(address), signing, _wants(table)), []


def wants_of(settings: Settings) -> dict[str, Wants]:
    """Which notices each channel is sent, by its name."""
    return {table.name: _wants(table) for table in settings.notify}


def _wants(table: Notify) -> Wants:
    return Wants(frozenset(table.kinds), severity_of(table.severity), frozenset(table.models))


def heartbeat_url(
    settings: Settings, environ: Mapping[str, str]
) -> tuple[SecretStr | None, tuple[Problem, ...]]:
    """The address to call after each round, None where there is none; and what is wrong with it."""
    table: Heartbeat = settings.heartbeat
    source = Kept("the heartbeat's address", table.url_env, table.url_file, environ)
    if not source.named:
        return None, ()
    address = source.text()
    if address is None:
        return None, tuple(source.problems())
    wrong = _address(source, address, web=True)
    return (None, (wrong,)) if wrong else (SecretStr(address), ())


def _address(source: Kept, text: str, *, web: bool) -> Problem | None:
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
