"""The ignore list of a model, from the state (R23, `formats.md` §2 rule 12)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from serinus.core.exclusions import Exclusion, IgnoreList, Layer, Offered, merge
from serinus.core.explain import of_suspension
from serinus.core.policy.lanes import Lane
from serinus.core.policy.state import State
from serinus.core.published import OTHERS, Published

CANARY = "canary"  # who stands behind a suspension, where the other layers name a person


def ignore_list(state: State, model: str, at: datetime) -> IgnoreList:
    """What requests for a model must leave out at `at`, each name with its provenance."""
    known = state.model(model)
    return merge(
        model,
        at,
        [*state.exclusions.values(), *suspended(state, model)],
        Offered(known.live, known.providers, frozenset(known.answered)),
    )


def suspended(state: State, model: str) -> list[Exclusion]:
    """The suspensions of the real lane as entries of a layer of their own."""
    return [
        Exclusion(
            tag,
            Layer.SUSPENSION,
            suspension.since,
            suspension.until,
            model=model,
            by=CANARY,
            why=of_suspension(suspension.contracts, suspension.level),
            level=suspension.level,
            contracts=suspension.contracts,
        )
        for tag, lane, suspension in state.model(model).suspensions()
        if lane is Lane.REAL
    ]


def named_models(state: State) -> list[str]:
    """Every model of which anything is known, by name."""
    return sorted({*state.models, *(e.model for e in state.exclusions.values() if e.model is not None)})


def published(state: State, at: datetime, models: Iterable[str] = ()) -> Published:
    """What applications are told: the list of these models and all that are known, and of all others."""
    names = sorted({*models, *named_models(state)})
    return Published(
        at, {name: ignore_list(state, name, at) for name in names}, ignore_list(state, OTHERS, at)
    )
