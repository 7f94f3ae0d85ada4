"""The names to leave out of a request, asked of whoever keeps the list up to date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from serinus.core.provider_field import of_each
from serinus.traffic.proxy.rewriting import Excluded
from serinus.traffic.proxy.telling import Log


class Exclusions(Protocol):
    """Who knows the merged list; `serinus.traffic.client.Exclusions` does. Neither waits."""

    def ignore(self, model: str) -> tuple[str, ...]:
        """The names to leave out for a model."""
        ...

    def people(self, model: str) -> tuple[str, ...]:
        """Those of them that people excluded; the others are suspensions."""
        ...


class Union:
    """The names for all models that a request may end at, each once; nothing if they cannot be told.

    A fault here must not stop traffic: the gateway's routing without exclusions is worse than with
    them and better than none.
    """

    def __init__(self, exclusions: Exclusions, log: Log) -> None:
        self._exclusions = exclusions
        self._log = log

    def excluded(self, models: Sequence[str]) -> Excluded:
        """The names for these models; for a request that names none, those for every model."""
        wanted = models or ("",)
        try:
            names = of_each(self._exclusions.ignore, wanted)
            return Excluded(names, of_each(self._exclusions.people, wanted)) if names else Excluded()
        except Exception as error:  # noqa: BLE001  whatever it is, traffic goes on
            self._log.error("exclusions cannot be told", error=type(error).__name__)
            return Excluded()
