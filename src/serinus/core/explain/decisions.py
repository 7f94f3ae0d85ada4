"""A decision or a warning as one sentence, from the facts that were recorded with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from serinus.core.explain.phrases import counted, lasting, listed
from serinus.core.policy.entries import Decision, Kind, Warned


def of_decision(decision: Decision) -> str:
    """Why a decision was taken, from the facts that were recorded with it."""
    return _DECISIONS[decision.kind](decision)


def of_warning(warning: Warned) -> str:
    """What came that changes less than it seems to."""
    return _WARNINGS[warning.code](warning)


def failures_of(decision: Decision) -> str:
    """What is held against the route: `language in 3 rounds in a row`."""
    held: Mapping[str, Any] = decision.facts.get("held") or {}  # type: ignore[assignment]
    if not held:
        return listed(decision.contracts or ())
    rounds: dict[int, list[str]] = {}
    for contract, tally in held.items():
        rounds.setdefault(tally["rounds"], []).append(contract)
    return ", ".join(
        f"{listed(contracts)} in {counted(n, 'round')} in a row"
        for n, contracts in sorted(rounds.items(), reverse=True)
    )


def _term(decision: Decision, since: datetime) -> str:
    length = lasting(decision.until - since) if decision.until else "an unknown time"
    kept = (
        "kept from user traffic" if decision.enforced else "only observed: it would be kept from user traffic"
    )
    return f"{kept} for {length} (level {decision.level})"


def room_of(decision: Decision) -> str:
    """What is left without it: `3 providers left, the floor is 2`."""
    left, floor = decision.facts.get("left"), decision.facts.get("floor")
    if not isinstance(left, int):
        return "it counted for no capacity"
    return f"{counted(left, 'provider')} left, the floor is {floor}"


def _suspended(decision: Decision) -> str:
    return f"Failed {failures_of(decision)}; {_term(decision, decision.at)}; {room_of(decision)}."


def _held(decision: Decision) -> str:
    return (
        f"Failed {failures_of(decision)}, and stays in production: without it there would be "
        f"{room_of(decision)}. It is tried again at each further failing round."
    )


def _renewed(decision: Decision) -> str:
    return f"Ran out while still failing {failures_of(decision)}; {_term(decision, decision.at)} more."


def _expired(decision: Decision) -> str:
    if decision.facts.get("failing"):
        return (
            f"Ran out and is still failing {failures_of(decision)}, but renewing it would leave too few: "
            f"{room_of(decision)}. The route is back in production."
        )
    return (
        "Ran out, and nothing recent is held against the route: it is back in production with a clean slate."
    )


def _restored(decision: Decision) -> str:
    clean = decision.facts.get("clean")
    rounds = counted(clean, "clean round") if isinstance(clean, int) else "clean rounds"
    return f"{rounds} in a row, with {listed(decision.contracts or ())} asked and passed: back early."


def _lifted(decision: Decision) -> str:
    by = decision.facts.get("by") or "an operator"
    why = f": {decision.facts['why']}" if decision.facts.get("why") else ""
    if decision.facts.get("act") == "mode":
        return f"None of its contracts is left in its lane after a change of mode by {by}{why}"
    return f"Lifted by {by}{why}"


def _weak(decision: Decision) -> str:
    controls: Any = decision.facts.get("controls") or ()
    verb = "was" if len(controls) == 1 else "were"
    return (
        f"{listed(controls)} should have refused and {verb} let through, so the filtering probe proves "
        "nothing: no route is called healthy on it in this round."
    )


def _void(decision: Decision) -> str:
    failing: Any = decision.facts.get("failing") or ()
    return (
        f"{len(failing)} of {decision.facts.get('providers')} providers failed "
        f"{listed(decision.contracts or ())} at once without having failed it before: the probe, the "
        "model or our own network is suspected, and nothing is held against a route."
    )


def _below(decision: Decision) -> str:
    providers: Any = decision.facts.get("providers")
    return (
        f"{counted(providers, 'provider')} left in production, the floor is {decision.facts.get('floor')}, "
        "and a suspension is in force. Nothing is lifted by itself: lift one, or take an exclusion back."
    )


_DECISIONS: Final[Mapping[Kind, Callable[[Decision], str]]] = MappingProxyType(
    {
        Kind.SUSPENDED: _suspended,
        Kind.HELD_AT_FLOOR: _held,
        Kind.RENEWED: _renewed,
        Kind.EXPIRED: _expired,
        Kind.RESTORED: _restored,
        Kind.LIFTED: _lifted,
        Kind.PROBE_WEAK: _weak,
        Kind.ROUND_VOID: _void,
        Kind.BELOW_FLOOR: _below,
    }
)


def _not_counted(warning: Warned) -> str:
    gap: Any = warning.facts.get("min_gap")
    return (
        f"the round of {warning.model} is not counted: it is less than "
        f"{lasting(timedelta(seconds=gap))} (min_gap) after the latest counted round, "
        f"{warning.facts.get('latest')}"
    )


_WARNINGS: Final[Mapping[str, Callable[[Warned], str]]] = MappingProxyType(
    {
        "round_not_counted": _not_counted,
        "nothing_to_lift": lambda w: (
            f"{w.route} of {w.model} is not suspended: the lift only clears its streaks and grants its grace"
        ),
        "nothing_to_include": lambda w: (
            f"there is no {w.facts['layer']} exclusion of {w.route} for {w.model or 'all models'}"
        ),
        "builtin_stands": lambda w: (
            f"the built-in exclusion of {w.route} stands: only a reviewed change undoes it"
        ),
        "exclusion_over": lambda w: f"the {w.facts['layer']} exclusion of {w.route} is over before it begins",
    }
)
