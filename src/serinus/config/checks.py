"""What no single key can see: rules between settings, and what is worth a note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from serinus.config.clash import Clash
from serinus.config.gateway_checks import gateway_clashes
from serinus.config.serving_checks import serving_clashes
from serinus.config.settings import Limits, Settings
from serinus.config.sources import KEY_VARIABLE
from serinus.core.durations import format_duration
from serinus.service.policy_file import misfits


def clashes(settings: Settings) -> Iterator[Clash]:
    """Every rule between settings that this configuration breaks."""
    yield from _intervals(settings)
    yield from _speeds(settings)
    yield from _waits("limits", settings.limits)
    yield from _models(settings)
    yield from gateway_clashes(settings)
    yield from _channels(settings)
    yield from serving_clashes(settings)


def _intervals(settings: Settings) -> Iterator[Clash]:
    interval, others = settings.rounds.interval, ("rounds.interval",)
    advice = "change it, or rounds.interval"
    for misfit in misfits(settings.policy.value(), interval):
        yield Clash(f"policy.{misfit.path}", f'"{misfit.found}"', misfit.allowed, advice, others)
    jitter, most = settings.rounds.jitter, interval / 2
    if jitter > most:
        allowed = f"at most half of the round interval ({format_duration(interval)})"
        yield Clash("rounds.jitter", f'"{format_duration(jitter)}"', allowed, advice, others)


def _speeds(settings: Settings) -> Iterator[Clash]:
    rounds = settings.rounds
    if rounds.per_provider > rounds.concurrency:
        yield Clash(
            "rounds.per_provider",
            str(rounds.per_provider),
            f"at most rounds.concurrency ({rounds.concurrency})",
            "lower it, or raise rounds.concurrency",
            ("rounds.concurrency",),
        )


def _models(settings: Settings) -> Iterator[Clash]:
    times = Counter(m.id for m in settings.model)
    for n, model in enumerate(settings.model):
        at = f"model[{n}]"
        if times[model.id] > 1 and next(i for i, m in enumerate(settings.model) if m.id == model.id) < n:
            yield Clash(f"{at}.id", f"{model.id} again", "each model once", "put its settings into one table")
        if model.limits != settings.limits:
            yield from _waits(f"{at}.limits", model.limits)
        for contract in model.modes:
            if model.contracts and contract not in model.contracts:
                said = f"contracts that {at}.contracts asks"
                yield Clash(
                    f"{at}.modes.{contract}",
                    "a contract that is not asked",
                    said,
                    "add it there, or take it out here",
                )


def _channels(settings: Settings) -> Iterator[Clash]:
    names = [channel.name for channel in settings.notify]
    models = [model.id for model in settings.model]
    for n, channel in enumerate(settings.notify):
        at = f"notify[{n}]"
        if channel.name in names[:n]:
            yield Clash(f"{at}.name", f"{channel.name} again", "each name once", "give it another name")
        for place, model in enumerate(channel.models):
            if model not in models:
                advice = "correct it, or add a [[model]] table"
                yield Clash(f"{at}.models[{place}]", f'"{model}"', f"one of: {', '.join(models)}", advice)
        yield from _one_of(f"{at}.url", channel.url_env, channel.url_file)
        if channel.kind == "webhook":
            yield from _one_of(f"{at}.secret", channel.secret_env, channel.secret_file)
        elif channel.secret_env or channel.secret_file:
            name = "secret_env" if channel.secret_env else "secret_file"
            yield Clash(f"{at}.{name}", "a secret", "one only where kind is webhook", "take it out")
    if settings.heartbeat.url_env and settings.heartbeat.url_file:
        yield from _one_of("heartbeat.url", settings.heartbeat.url_env, settings.heartbeat.url_file)


def _one_of(key: str, variable: str | None, file: Path | None) -> Iterator[Clash]:
    """A secret has one place: a variable or a file."""
    if (variable is None) == (file is None):
        found = "nothing" if variable is None else f"this and {key}_file"
        yield Clash(
            f"{key}_env", found, f"{key}_env or {key}_file, one of them", "name where the text is kept"
        )


def _waits(at: str, limits: Limits) -> Iterator[Clash]:
    """Limits that nobody would wait for."""
    hard = limits.hard
    for name in ("first_text", "first_sign", "first_text_reasoning", "stall"):
        limit = getattr(limits, name)
        if limit > hard:
            said = f"at most {at}.hard ({format_duration(hard)}), or nobody would wait for it"
            found = f'"{format_duration(limit)}"'
            yield Clash(f"{at}.{name}", found, said, "lower it, or raise hard", (f"{at}.hard",))


def notes(settings: Settings, environ: Mapping[str, str]) -> tuple[str, ...]:
    """What is allowed and still worth knowing."""
    found = []
    if (
        settings.gateway.name == "openrouter"
        and settings.gateway.api_key_file is None
        and not environ.get(KEY_VARIABLE, "").strip()
    ):
        found.append(
            f"no key: neither {KEY_VARIABLE} nor gateway.api_key_file is set, so only simulated rounds work"
        )
    url = urlsplit(settings.gateway.base_url)
    if url.scheme == "http" and url.hostname not in {"localhost", "127.0.0.1", "::1"}:
        found.append(
            "gateway.base_url is plain http to another machine: the key and every answer travel readable"
        )
    if settings.budget.usd_per_day == 0:
        found.append("budget.usd_per_day is 0: no probe that costs anything will be sent")
    return tuple(found)
