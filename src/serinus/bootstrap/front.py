"""What a canary serves beside its rounds; whatever becomes of that, rounds go on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from serinus.bootstrap.comparing import hands_of, open_hands
from serinus.bootstrap.reporting import open_lookup
from serinus.config import Settings
from serinus.prober.secret import Key
from serinus.service.canary import Canary
from serinus.service.comparing.request import Hands
from serinus.service.desk import Desk
from serinus.service.reporting import Lookup, Trace, nowhere
from serinus.service.storage import Store


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


@dataclass(frozen=True, slots=True)
class Means:
    """What asks the gateway for the web: comparisons, and who served a generation; nobody where absent."""

    open_hands: Callable[[str], AbstractAsyncContextManager[Hands]] | None = None
    lookup: Lookup = nowhere


def means_of(settings: Settings, store: Store, key: Key | None) -> Means:
    """A gateway and judges that are opened for each comparison, where no canary has them open."""
    if key is None:
        return Means()
    return Means(partial(open_hands, settings, key, store), _lookup(settings, key))


def means_beside(settings: Settings, canary: Canary, key: Key | None) -> Means:
    """The gateway and the judges of a canary."""

    @asynccontextmanager
    async def hands(model: str) -> AsyncIterator[Hands]:
        yield hands_of(settings, canary.store, canary.gateway, canary.judges, model)

    return Means(hands, _lookup(settings, key))


def _lookup(settings: Settings, key: Key | None) -> Lookup:
    async def lookup(identity: str) -> Trace | None:
        async with open_lookup(settings, key) as asked:
            return await asked(identity)

    return lookup


def load_web(settings: Settings) -> None:
    """Import what `front_of` is going to: half a second's work, for a moment in which one waits anyway."""
    if settings.serve.enabled:
        import serinus.bootstrap.web  # noqa: F401, PLC0415  a canary that serves nothing needs no web


@asynccontextmanager
async def front_of(
    settings: Settings, desk: Desk, means: Means, *, any_port: bool = False
) -> AsyncIterator[Front]:
    """The API and the pages, if `serve.enabled`; it raises nothing where they cannot be served.

    With `any_port` a free port is taken where the configured one is not: a simulation has no reader who
    expects it there.
    """
    if not settings.serve.enabled:
        yield UNSERVED
        return
    from serinus.bootstrap.web import serving  # noqa: PLC0415  as above

    async with AsyncExitStack() as stack:
        front = UNSERVED
        for port in (None, 0) if any_port else (None,):
            try:
                front = await stack.enter_async_context(serving(settings, desk, means, port=port))
            except ServeError as error:
                front = Front(trouble=str(error))
            else:
                break
        yield front
