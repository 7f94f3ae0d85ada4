"""The capacity floor: what a model can still be served by, and what may be taken from it (rule 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from serinus.core.exclusions import covers, in_force, provider_of
from serinus.core.policy.lanes import Lane
from serinus.core.policy.settings import Policy
from serinus.core.policy.state import ModelState, State


@dataclass(frozen=True, slots=True)
class Capacity:
    """The routes that count as capacity, each with its provider, and how many providers must stay."""

    routes: Mapping[str, str]
    floor: int

    @property
    def providers(self) -> int:
        """How many providers there are."""
        return len(set(self.routes.values()))

    def left_without(self, name: str) -> int | None:
        """How many providers a suspension of this name would leave; None if it covers none counted."""
        left = {tag: p for tag, p in self.routes.items() if not covers(name, tag, self.routes)}
        return None if len(left) == len(self.routes) else len(set(left.values()))

    def allows(self, name: str) -> bool:
        """Whether a suspension of this name keeps the floor."""
        left = self.left_without(name)
        return left is None or left >= self.floor


@dataclass(frozen=True, slots=True)
class View:
    """Whose capacity, as which lane sees it, and when."""

    model: str
    lane: Lane
    now: datetime


def capacity(policy: Policy, state: State, view: View) -> Capacity:
    """The routes that count as capacity; the shadow lane sees both lanes' suspensions."""
    model = state.model(view.model)
    out = {e.name for e in state.exclusions.values() if e.holds(view.model, view.now)}
    out |= {
        tag
        for tag, lane, suspension in model.suspensions()
        if (lane is Lane.REAL or view.lane is Lane.SHADOW)
        and in_force(suspension.since, suspension.until, view.now)
    }
    providers = {tag: provider_of(tag, model.providers) for tag in model.live if answers(policy, model, tag)}
    return Capacity({t: p for t, p in providers.items() if out.isdisjoint((t, p))}, policy.floor)


def answers(policy: Policy, model: ModelState, tag: str) -> bool:
    """Whether a route gave a verdict in the latest counted round or shortly before it."""
    when = model.answered.get(tag)
    return when is not None and model.latest is not None and model.latest - when <= policy.capacity_max_age


def below_floor(policy: Policy, state: State, name: str, now: datetime) -> Capacity | None:
    """The real capacity of a model, if it is under the floor while a real suspension is in force."""
    suspended = any(
        lane is Lane.REAL and in_force(suspension.since, suspension.until, now)
        for _, lane, suspension in state.model(name).suspensions()
    )
    if not suspended:
        return None
    real = capacity(policy, state, View(name, Lane.REAL, now))
    return real if real.providers < policy.floor else None
