"""What an operator did, as one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from serinus.core.explain.phrases import lasting, moment, reason_of
from serinus.core.policy.events import Exclude, Include, Lift, SetMode


def of_act(act: Exclude | Include | Lift | SetMode) -> str:
    """What an operator did, who, and why."""
    by = act.by or "an operator"
    return f"{by} {_ACTS[type(act)](act)}{reason_of(act.why)}"


def _scope(model: str | None, contract: str | None = None) -> str:
    where = model or "all models"
    return f"{contract} of {where}" if contract else where


def _excluded(act: Exclude) -> str:
    until = f" until {moment(act.until)}" if act.until else ""
    return f"excluded {act.route} ({act.layer}) for {_scope(act.model)}{until}"


def _lift_act(act: Lift) -> str:
    grace = f" with {lasting(act.grace)} of grace" if act.grace else ""
    forget = ", its step on the ladder forgotten" if act.forget else ""
    return f"lifted {act.route} of {act.model}{grace}{forget}"


_ACTS: Final[Mapping[type, Callable[[Any], str]]] = MappingProxyType(
    {
        Exclude: _excluded,
        Include: lambda act: f"took back the {act.layer} exclusion of {act.route} for {_scope(act.model)}",
        Lift: _lift_act,
        SetMode: lambda act: f"set {_scope(act.model, act.contract)} to {act.mode}",
    }
)
