"""The configured gateway: the one place that knows all of them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

from serinus.config import ConfigError, Settings
from serinus.config.replica import Replica as ReplicaSettings
from serinus.config.replica_keys import replica_keys
from serinus.core.model import Route
from serinus.gateways.litellm import LiteLLM
from serinus.gateways.openai_compatible import OpenAICompatible, Replica
from serinus.gateways.openrouter import OpenRouter
from serinus.gateways.openrouter.line import Line
from serinus.prober.prober import Prober
from serinus.prober.secret import Key
from serinus.service.doctor import Clinic
from serinus.service.ports import Gateway

MILLION: Final = 1_000_000


@asynccontextmanager
async def open_gateway(settings: Settings, key: Key | None) -> AsyncIterator[Gateway]:
    """The configured gateway, ready to be asked.

    Raises:
        ConfigError: a server's key is not where the configuration says.
    """
    async with Prober() as prober:
        yield _clinic(prober, settings, key).gateway


@asynccontextmanager
async def open_clinic(settings: Settings, key: Key | None) -> AsyncIterator[Clinic]:
    """The configured gateway with all that it tells beside answers.

    Raises:
        ConfigError: a server's key is not where the configuration says.
    """
    async with Prober() as prober:
        yield _clinic(prober, settings, key)


@asynccontextmanager
async def open_line(settings: Settings, key: Key | None) -> AsyncIterator[tuple[OpenRouter, Line]]:
    """OpenRouter as rounds ask it, and as a question of `doctor --deep` does."""
    async with Prober() as prober:
        line = Line(prober, key, base_url=str(settings.gateway.base_url))
        yield _openrouter(prober, settings, key), line


def _clinic(prober: Prober, settings: Settings, key: Key | None) -> Clinic:
    name = settings.gateway.name
    if name == "openrouter":
        gateway = _openrouter(prober, settings, key)
        plugged = _openrouter(prober, settings, key, account_plugins=True)
        return Clinic(gateway, account=gateway, records=gateway, plugged=plugged)
    if name == "litellm":
        proxy = LiteLLM(
            prober,
            key,
            base_url=settings.gateway.base_url,
            user=settings.gateway.user,
            reasoning=_reasoning(settings),
        )
        return Clinic(proxy, account=proxy, needs_key=False)
    replicas = replicas_of(settings, os.environ)
    return Clinic(OpenAICompatible(prober, replicas, reasoning=_reasoning(settings)), needs_key=False)


def _openrouter(
    prober: Prober, settings: Settings, key: Key | None, *, account_plugins: bool = False
) -> OpenRouter:
    return OpenRouter(
        prober,
        key,
        base_url=str(settings.gateway.base_url),
        user=settings.gateway.user,
        account_plugins=account_plugins,
        reasoning=_reasoning(settings),
    )


def _reasoning(settings: Settings) -> frozenset[str]:
    return frozenset(model.id for model in settings.model if model.reasoning == "default")


def replicas_of(settings: Settings, environ: Mapping[str, str]) -> list[Replica]:
    """One's own servers as the configuration names them.

    Raises:
        ConfigError: a key is not where it says.
    """
    keys, problems = replica_keys(settings.replica, environ)
    if problems:
        raise ConfigError(problems)
    return [_replica(table, keys.get((table.model, table.tag))) for table in settings.replica]


def _replica(table: ReplicaSettings, key: Key | None) -> Replica:
    return Replica(
        route=Route(table.model, table.tag),
        provider=table.named_provider,
        base_url=table.base_url,
        serves=table.serves or table.model,
        key=key,
        claims=frozenset(table.claims),
        precision=table.precision,
        prompt_price=table.prompt_price / MILLION,
        completion_price=table.completion_price / MILLION,
        extra_body=table.extra_body,
    )
