"""The names to leave out of a request, asked of whoever keeps the list up to date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from serinus.traffic.proxy.telling import Log


class Exclusions(Protocol):
    """Who knows the merged list; `serinus.traffic.client.Exclusions` does."""

    def ignore(self, model: str) -> tuple[str, ...]:
        """The names to leave out for a model, without waiting."""
        ...


class Union:
    """The names for all models that a request may end at, each once; nothing if they cannot be told.

    A fault here must not stop traffic: the gateway's routing without exclusions is worse than with
    them and better than none.
    """

    def __init__(self, exclusions: Exclusions, log: Log) -> None:
        self._exclusions = exclusions
        self._log = log

    def names(self, models: Sequence[str]) -> tuple[str, ...]:
        """The names for these models; for a request that names none, those for every model."""
        try:
            if len(models) == 1:
                return self._exclusions.ignore(models[0])
            found = [name for model in models or ("",) for name in self._exclusions.ignore(model)]
        except Exception as error:  # noqa: BLE001  whatever it is, traffic goes on
            self._log.error("exclusions cannot be told", error=type(error).__name__)
            return ()
        return tuple(dict.fromkeys(found))
