"""The proxy over the configuration: its lists, its gateway, its ledger."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

from yarl import URL

from serinus.config import ConfigError, Problem, Settings
from serinus.config.proxying import STORE
from serinus.config.proxying import Proxy as ProxySettings
from serinus.engine.clock import now
from serinus.service.ledger import Ledger
from serinus.store import open_store
from serinus.traffic.client import Exclusions
from serinus.traffic.proxy.bookkeeper import Bookkeeper
from serinus.traffic.proxy.server import Proxy, serving
from serinus.traffic.proxy.settings import Bounds, Gateway
from serinus.traffic.proxy.telling import Log

_MEGABYTE: Final = 1_000_000
_TIMES: Final = ("connect", "first_byte", "idle", "stalled", "body", "drain")


def bounds_of(settings: ProxySettings) -> Bounds:
    """What anyone may take."""
    times = {name: getattr(settings, name).total_seconds() for name in _TIMES}
    sizes = {name: getattr(settings, name) * _MEGABYTE for name in ("max_body", "max_held")}
    return Bounds(in_flight=settings.in_flight, **sizes, **times)


def gateway_of(settings: Settings) -> Gateway:
    """Where requests go.

    Raises:
        ConfigError: the canary watches another gateway than OpenRouter, whose field the proxy fills in.
    """
    proxy = settings.proxy
    if settings.gateway.name != "openrouter" and proxy.upstream is None:
        advice = "name an OpenRouter in proxy.upstream, or read docs/howto/litellm.md"
        problem = Problem("configuration", "gateway.name", settings.gateway.name, "openrouter", advice)
        raise ConfigError([problem])
    base = proxy.upstream or str(settings.gateway.base_url)
    return Gateway(URL(base), link_local=proxy.link_local, presets=proxy.presets)


def exclusions_of(settings: Settings) -> Exclusions:
    """Who keeps the lists up to date.

    Raises:
        ConfigError: the source is no URL, file or store.
    """
    named = settings.proxy.exclusions
    try:
        return Exclusions(settings.store.path if named == STORE else named)
    except ValueError as error:
        allowed = "store, a URL of serinus serve, or the path of an exported file or a store"
        problem = Problem("configuration", "proxy.exclusions", str(error), allowed, "correct it")
        raise ConfigError([problem]) from None


def books_of(settings: Settings, log: Log) -> Bookkeeper | None:
    """Who keeps the ledger; None where it is switched off.

    The canary's own store is only ever made by the canary; a proxy on a machine of its own makes one.
    """
    if not settings.proxy.ledger:
        return None
    path, create = settings.store.path, settings.proxy.exclusions != STORE

    @contextmanager
    def opened() -> Iterator[Ledger]:
        store = open_store(Path(path), create=create)
        try:
            yield store.ledger
        finally:
            store.close()

    return Bookkeeper(opened, now, log)


@asynccontextmanager
async def open_proxy(settings: Settings, sock: socket.socket, log: Log) -> AsyncIterator[Proxy]:
    """The configured proxy on this socket, until the block ends.

    Raises:
        ConfigError: the exclusions' source cannot be read as one.
        ForbiddenAddressError: the gateway's base URL is an address that no gateway has.
    """
    exclusions = exclusions_of(settings)

    def known() -> Mapping[str, Any]:
        age = exclusions.age
        return {
            "source": exclusions.source,
            "age": None if age is None else round(age.total_seconds(), 3),
            "stale": exclusions.stale,
            "trouble": exclusions.trouble,
        }

    async with (
        exclusions,
        serving(
            sock,
            gateway_of(settings),
            bounds_of(settings.proxy),
            exclusions,
            now=now,
            log=log,
            books=books_of(settings, log),
            known=known,
        ) as proxy,
    ):
        yield proxy
