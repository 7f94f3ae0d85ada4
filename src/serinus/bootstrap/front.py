"""What a canary serves beside its rounds; whatever becomes of that, rounds go on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

from serinus.config import Settings
from serinus.service.desk import Desk


class ServeError(Exception):
    """It cannot be served there; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Front:
    """What is being served: its address, and the one-time link while there is no operator yet.

    `trouble` is why nothing is served although it should be.
    """

    url: str | None = None
    setup: str | None = None
    trouble: str | None = None


UNSERVED: Final = Front()


@asynccontextmanager
async def front_of(settings: Settings, desk: Desk, *, any_port: bool = False) -> AsyncIterator[Front]:
    """The API and the pages, if `serve.enabled`; it raises nothing where they cannot be served.

    With `any_port` a free port is taken where the configured one is not: a simulation has no reader who
    expects it there.
    """
    if not settings.serve.enabled:
        yield UNSERVED
        return
    from serinus.bootstrap.web import serving  # noqa: PLC0415  a canary that serves nothing needs no web

    async with AsyncExitStack() as stack:
        front = UNSERVED
        for port in (None, 0) if any_port else (None,):
            try:
                front = await stack.enter_async_context(serving(settings, desk, port=port))
            except ServeError as error:
                front = Front(trouble=str(error))
            else:
                break
        yield front
