"""What an application holds: lookups that cost nothing, over a list that keeps itself current."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from serinus.core.provider_field import ignored_beside, of_each
from serinus.traffic.client.kept import Kept, usual_place
from serinus.traffic.client.refresher import Clocks, Refresher
from serinus.traffic.client.source import source_of

if TYPE_CHECKING:
    from types import TracebackType

    from serinus.core.exclusions import IgnoreList
    from serinus.core.published import Published

SOURCE: Final = "SERINUS_EXCLUSIONS"
TOKEN: Final = "SERINUS_TOKEN"  # noqa: S105  the name of a variable
TOKEN_FILE: Final = "SERINUS_TOKEN_FILE"  # noqa: S105  as above
A_DAY: Final = timedelta(days=1)


def _chance() -> float:
    import random  # noqa: PLC0415  only backing off takes a chance

    return random.random()  # noqa: S311  no secret hangs on it


MACHINE: Final = Clocks(time.monotonic, time.time, _chance)


class Exclusions:
    """The names that requests must leave out, as a canary publishes them.

    `source` is the URL of a serinus, a file that `serinus export` writes, or the canary's own store
    (`sqlite:///PATH` or its path); SERINUS_EXCLUSIONS when absent. `token` is sent to that address alone;
    SERINUS_TOKEN, or what SERINUS_TOKEN_FILE names, when absent. `max_age` is how long suspensions of a
    list that nobody confirms go on to apply. `first` bounds, in seconds, how long the first lookup of a
    process waits for the source. `cache` is where the last good list is kept (False: nowhere; True: under
    XDG_CACHE_HOME). `on_change` hears of each new list, in the thread that brought it.

    Nothing starts before the first lookup, and no lookup raises. In async code begin with `async with` or
    `await ready()`, so that no loop ever waits.

    Raises:
        ValueError: there is no source, or it or the token is written wrongly; the message says how.
    """

    __slots__ = ("__weakref__", "_core", "_end")

    def __init__(  # noqa: PLR0913  each is a choice of the application
        self,
        source: str | os.PathLike[str] | None = None,
        *,
        token: str | None = None,
        max_age: timedelta = A_DAY,
        first: float = 2.0,
        cache: str | os.PathLike[str] | bool = True,
        on_change: Callable[[Published], None] | None = None,
        clocks: Clocks = MACHINE,
    ) -> None:
        where = source if source is not None else os.environ.get(SOURCE, "")
        found = source_of(where, token if token is not None else _token(), clocks.wall)
        self._core = Refresher(found, _kept(found.name, cache), clocks, max_age, first, on_change)
        self._end = weakref.finalize(self, self._core.stop)

    def ignore(self, model: str) -> tuple[str, ...]:
        """The names to leave out of requests for a model, sorted; empty where nothing is excluded."""
        core = self._core
        view = core.view
        if core.clocks.monotonic() >= view.turns:
            view = core.turned()
        found = view.names.get(model)
        return view.of_another(model) if found is None else found

    def people(self, model: str) -> tuple[str, ...]:
        """Those of the names that people excluded; the others are suspensions by the canary."""
        self.ignore(model)
        return self._core.view.of_people(model)

    @property
    def nothing(self) -> bool:
        """Whether nothing is excluded of any model: then a request need not be looked at."""
        core = self._core
        view = core.view
        if core.clocks.monotonic() >= view.turns:
            view = core.turned()
        return view.nothing

    def apply(self, body: dict[str, Any], model: str | None = None) -> dict[str, Any]:
        """A request's body with the names in its `provider.ignore`, beside the caller's own.

        `model` is that of the body when absent, with the fallbacks in its `models`. The same object comes
        back where nothing is to be added; the caller's objects are never changed. A body that asks with a
        preset and has no `provider` of its own is left as it is: the field would take the place of all
        that the preset says of providers.
        """
        if self.nothing:
            return body
        return self._beside(body, _models(body) if model is None else [model])

    def _beside(self, body: dict[str, Any], models: list[str]) -> dict[str, Any]:
        view = self._core.view
        names = of_each(view.of, models)
        provider = body.get("provider")
        if not names or (provider is not None and not isinstance(provider, Mapping)):
            return body
        if provider is None and (body.get("preset") or any("@" in model for model in models)):
            return body
        ignored = ignored_beside(provider, names, of_each(view.of_people, models))
        return body if ignored is None else {**body, "provider": {**(provider or {}), "ignore": ignored}}

    def of(self, model: str) -> IgnoreList | None:
        """A model's list as it was published, with the provenance of each name; None before the first."""
        self.ignore(model)
        known = self._core.known
        return None if known is None else known.published.of(model)

    @property
    def at(self) -> datetime | None:
        """When the list was last known to be current, by the clock of its source; None before the first."""
        known = self._core.known
        return None if known is None else known.confirmed

    @property
    def age(self) -> timedelta | None:
        """For how long nobody has confirmed the list; None before the first."""
        known = self._core.known
        return None if known is None else known.age(self._core.clocks.monotonic())

    @property
    def stale(self) -> bool:
        """Whether there is no list, or one so old that its suspensions no longer apply."""
        age = self.age
        return age is None or age > self._core.max_age

    @property
    def trouble(self) -> str | None:
        """Why the source could not be asked the last time; None if it could."""
        return self._core.trouble

    @property
    def source(self) -> str:
        """Where the lists come from, without any secret."""
        return self._core.source.name

    async def ready(self, seconds: float = 2.0) -> bool:
        """Start, and wait for the source without holding up the loop; whether a list is known."""
        import asyncio  # noqa: PLC0415  only who awaits needs it

        self._core.start()
        return await asyncio.to_thread(self._core.wait, seconds)

    def close(self) -> None:
        """End the thread. Lookups go on with the last list."""
        self._end()
        self._core.join(1.0)

    def __enter__(self) -> Self:
        self._core.turned()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        await self.ready()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def __repr__(self) -> str:
        return f"<Exclusions from {self.source}>"


def _models(body: dict[str, Any]) -> list[str]:
    """The models at which a request may end; the empty name where it names none, as for a preset."""
    model, fallbacks = body.get("model"), body.get("models")
    named = [model, *fallbacks] if isinstance(fallbacks, list) else [model]
    return [name for name in named if isinstance(name, str)] or [""]


def _token() -> str | None:
    """The token of the environment.

    Raises:
        ValueError: the file that it names cannot be read.
    """
    token, path = os.environ.get(TOKEN), os.environ.get(TOKEN_FILE)
    if token or not path:
        return token or None
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        message = f"{TOKEN_FILE} names {path}, which cannot be read: {error}"
        raise ValueError(message) from error


def _kept(source: str, cache: str | os.PathLike[str] | bool) -> Kept | None:  # noqa: FBT001  a place, or whether
    if cache is False:
        return None
    place = usual_place(source, os.environ) if cache is True else Path(cache)
    return None if place is None else Kept(place, source)
