"""An operator's desk: the configuration, the store beside a running canary, the state as it stands."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from serinus.config import Settings, load
from serinus.core.listing import named_models
from serinus.core.policy import Policy, State
from serinus.engine.clock import now
from serinus.service.memory import Memory
from serinus.service.names import Names, names_of
from serinus.service.observing import ModelReport, Period, observe_report
from serinus.service.standing import Sight
from serinus.service.storage import Store
from serinus.store import open_store


@dataclass(frozen=True, slots=True)
class Desk:
    """What a command works with; `at` is when it began."""

    settings: Settings
    store: Store
    memory: Memory
    policy: Policy
    at: datetime

    @property
    def state(self) -> State:
        """The state as first looked at: `log` and `mark` never have to fold it."""
        return self.memory.state if self.memory.seen else self.memory.catch_up()

    def models(self, wanted: Sequence[str] = ()) -> list[str]:
        """The wanted models, or all that are configured or remembered.

        Raises:
            LookupError: a wanted one is neither.
        """
        known = list(dict.fromkeys([*(m.id for m in self.settings.model), *named_models(self.state)]))
        for name in wanted:
            if name not in known:
                message = f"model {name!r} is not known; known: {', '.join(known)}"
                raise LookupError(message)
        return list(dict.fromkeys(wanted)) or known

    def names(self, models: Sequence[str]) -> list[Names]:
        """The names that the gateway understands, of each model."""
        return [names_of(self.store, self.state, model) for model in models]

    def observed(self, model: str, length: timedelta) -> ModelReport:
        """What observe mode would have done to a model lately."""
        return observe_report(self.store, model, Period(self.policy, self.state, self.at - length, self.at))

    def sight(self) -> Sight:
        """What is to be seen from here."""
        return Sight(
            self.store,
            self.state,
            self.policy,
            self.at,
            self.settings.rounds.interval,
            {m.id: frozenset(m.controls) for m in self.settings.model},
        )


@contextmanager
def open_desk(config: Path | None, *, acting: bool = False) -> Iterator[Desk]:
    """Open the configured store: for reading, or to act.

    Raises:
        ConfigError: something is wrong with the configuration.
        StoreError: the store cannot be used.
    """
    settings = load(config, os.environ)
    store = open_store(settings.store.path, read_only=not acting)
    try:
        yield Desk(settings, store, Memory(store), settings.policy.value(), now())
    finally:
        store.close()
