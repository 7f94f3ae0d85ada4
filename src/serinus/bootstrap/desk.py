"""An operator's desk over the configuration."""

from __future__ import annotations

from serinus.config import Settings
from serinus.core.policy import Policy
from serinus.service.desk import Desk
from serinus.service.memory import Memory
from serinus.service.ports import Clock


def desk_of(settings: Settings, memory: Memory, clock: Clock, policy: Policy | None = None) -> Desk:
    """The desk at this memory's store; `policy` where it is not the configured one."""
    return Desk(
        store=memory.store,
        memory=memory,
        policy=policy or settings.policy.value(),
        clock=clock,
        configured=tuple(model.id for model in settings.model),
        interval=settings.rounds.interval,
        budget=settings.budget.usd_per_day,
        controls={model.id: frozenset(model.controls) for model in settings.model},
    )
