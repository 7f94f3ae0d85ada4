"""Where everything stands, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from serinus.core.exclusions import Layer
from serinus.core.instants import format_instant
from serinus.core.policy import Lane
from serinus.service.records import exclusion, time
from serinus.service.standing import (
    ContractStanding,
    ModelStanding,
    RouteStanding,
    Standing,
    SuspensionStanding,
)


def document(standing: Standing, troubles: Sequence[str]) -> dict[str, Any]:
    """Everything as one JSON object."""
    return {
        "at": format_instant(standing.at),
        "budget": standing.budget,
        "holder": standing.holder,
        "models": [model_document(model) for model in standing.models],
        "spent": round(standing.spent, 6),
        "troubles": list(troubles),
    }


def model_document(model: ModelStanding) -> dict[str, Any]:
    """A model as one JSON object."""
    return {
        "model": model.model,
        "capacity": model.capacity,
        "floor": model.floor,
        "last_round": time(model.last.at) if model.last else None,
        "next_round": time(model.next),
        "stale": model.stale,
        "fail_open": model.ignore.fail_open,
        "ignore": model.ignore.ignore,
        "unmatched": model.ignore.unmatched,
        "routes": [route_document(route) for route in model.routes],
    }


def route_document(route: RouteStanding) -> dict[str, Any]:
    """A route as one JSON object."""
    return {
        "route": route.tag,
        "model": route.model,
        "provider": route.provider,
        "live": route.live,
        "capacity": route.counts,
        "control": route.control,
        "production": route.live and not route.out,
        "answered": time(route.answered),
        "grace": time(route.grace),
        "held_at_floor": list(route.held),
        "exclusions": [{"model": e.model, **exclusion(e)} for e in route.exclusions],
        "suspensions": [_suspension(s) for s in route.suspensions],
        "contracts": {c.contract: _contract(c) for c in route.contracts},
        "owed": [[d.contract, d.language] for d in route.owed.debts],
    }


def _suspension(standing: SuspensionStanding) -> dict[str, Any]:
    s = standing.suspension
    return {
        "layer": Layer.SUSPENSION,
        "enforced": standing.lane is Lane.REAL,
        "running": standing.running,
        "since": time(s.since),
        "until": time(s.until),
        "level": s.level,
        "contracts": s.contracts,
        "clean_rounds": s.clean.rounds if s.clean else 0,
    }


def _contract(c: ContractStanding) -> dict[str, Any]:
    return {
        "enforced": c.lane is Lane.REAL,
        "verdict": c.latest.word if c.latest else None,
        "reason": c.latest.reason if c.latest else None,
        "at": time(c.latest.at) if c.latest else None,
        "streak": c.held.rounds if c.held else 0,
        "due_after": c.more,
        "streak_until": time(c.until),
    }
