"""An operator's desk: store, state and configuration, as terminal and pages share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from serinus.core.explain.phrases import some
from serinus.core.listing import named_models
from serinus.core.policy import Policy, State
from serinus.service.memory import Memory
from serinus.service.names import Names, names_of
from serinus.service.observing import BEFORE_ENFORCING, ModelReport, Period, Prospect, observe_report
from serinus.service.ports import Clock
from serinus.service.standing import Sight, Standing
from serinus.service.storage import Store


@dataclass(frozen=True, slots=True)
class Desk:
    """What operators work with.

    `configured` are the models of the configuration, `controls` their hosts known to filter; `budget`
    is in US dollars a day. A command's clock stands still, a server's goes on.
    """

    store: Store
    memory: Memory
    policy: Policy
    clock: Clock
    configured: tuple[str, ...]
    interval: timedelta
    budget: float
    controls: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def at(self) -> datetime:
        """Now, as this desk sees it."""
        return self.clock()

    @property
    def state(self) -> State:
        """The newest state: the log may have grown since it was last looked at."""
        return self.memory.catch_up()

    def models(self, wanted: Sequence[str] = ()) -> list[str]:
        """The wanted models, or all that are configured or remembered.

        Raises:
            LookupError: a wanted one is neither.
        """
        known = list(dict.fromkeys([*self.configured, *named_models(self.state)]))
        for name in wanted:
            if name not in known:
                message = f"model {name!r} is not known; known: {some(known)}"
                raise LookupError(message)
        return list(dict.fromkeys(wanted)) or known

    def names(self, models: Sequence[str]) -> list[Names]:
        """The names that the gateway understands, of each model."""
        state = self.state
        return [names_of(self.store, state, model) for model in models]

    def observed(self, model: str, length: timedelta) -> ModelReport:
        """What observe mode would have done to a model lately."""
        at = self.at
        return observe_report(self.store, model, Period(self.policy, self.state, at - length, at))

    def prospects(self, models: Sequence[str], contract: str | None) -> list[Prospect]:
        """What to enforce a contract, or all, would change of each model, by what was seen lately."""
        return [Prospect.of(self.observed(name, BEFORE_ENFORCING), contract) for name in models]

    def sight(self) -> Sight:
        """What is to be seen from here."""
        return Sight(self.store, self.state, self.policy, self.at, self.interval, self.controls)

    def standing(self, models: Sequence[str] = ()) -> Standing:
        """Where these models stand, or all of them; raises as `models`."""
        return self.sight().standing(self.models(models), self.budget)
