"""A decision, a warning or a verdict as one sentence: the only place where such sentences are written.

Sentences for people; programs read the fields. Each says what happened, what it rests on and, where
one follows, what happens next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from serinus.core.exclusions import IgnoreList
from serinus.core.model import Verdict, Word
from serinus.core.policy.entries import Decision, Kind, Warned

_UNITS: Final = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))

_VERDICTS: Final[Mapping[Word, str]] = MappingProxyType(
    {
        Word.PASS: "kept its promise",
        Word.FAIL: "broke its promise",
        Word.WARN: "is worth a look, and is not scored",
        Word.INCONCLUSIVE: "could not be judged, so nothing is held against the route",
        Word.TRANSPORT: "got no answer that may be scored, so nothing moves",
        Word.VOID: "is not this route's answer, so it is never scored",
        Word.NOT_APPLICABLE: "was not asked",
        Word.WEAK: "met a control that did not refuse, so nobody is called healthy by it",
        Word.ALARM: "shows that our own exclusion was not obeyed",
    }
)


def of_verdict(contract: str, verdict: Verdict) -> str:
    """A contract's word on a route: what it means for the route, the reason and its detail."""
    detail = f": {verdict.detail}" if verdict.detail else "."
    return f"{contract} {_VERDICTS[verdict.word]} ({verdict.reason}){detail}"


def of_decision(decision: Decision) -> str:
    """Why a decision was taken, from the facts that were recorded with it."""
    return _DECISIONS[decision.kind](decision)


def of_warning(warning: Warned) -> str:
    """What came that changes less than it seems to."""
    return _WARNINGS[warning.code](warning)


def of_suspension(contracts: Collection[str], level: int) -> str:
    """Why a suspended route is in the ignore list."""
    return f"It failed {listed(contracts)} in round after round: suspension of level {level}."


def of_list(found: IgnoreList) -> list[str]:
    """What an operator must know of an ignore list, beyond its entries."""
    told = [
        f"{found.model}: the exclusion of {name} covers no known route, and the gateway drops such names "
        "silently; compare it with the tags and provider names of the listing."
        for name in found.unmatched
    ]
    if found.fail_open:
        told.append(
            f"{found.model}: the layers together cover every live route, so suspensions are left out."
        )
    return told


def listed(names: Collection[str]) -> str:
    """Names as a person lists them: `a`, `a and b`, `a, b and c`."""
    *most, last = sorted(names) or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def lasting(length: timedelta) -> str:
    """A duration in words, in its largest whole unit: `3 days`, `90 minutes`."""
    seconds = round(length.total_seconds())
    size, unit = next(((n, u) for n, u in _UNITS if seconds and seconds % n == 0), _UNITS[-1])
    return counted(seconds // size, unit)


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 provider`, `2 providers`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _failures(decision: Decision) -> str:
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


def _room(decision: Decision) -> str:
    left, floor = decision.facts.get("left"), decision.facts.get("floor")
    if not isinstance(left, int):
        return "it counted for no capacity"
    return f"{counted(left, 'provider')} left, the floor is {floor}"


def _suspended(decision: Decision) -> str:
    return f"Failed {_failures(decision)}; {_term(decision, decision.at)}; {_room(decision)}."


def _held(decision: Decision) -> str:
    return (
        f"Failed {_failures(decision)}, and stays in production: without it there would be "
        f"{_room(decision)}. It is tried again at each further failing round."
    )


def _renewed(decision: Decision) -> str:
    return f"Ran out while still failing {_failures(decision)}; {_term(decision, decision.at)} more."


def _expired(decision: Decision) -> str:
    if decision.facts.get("failing"):
        return (
            f"Ran out and is still failing {_failures(decision)}, but renewing it would leave too few: "
            f"{_room(decision)}. The route is back in production."
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
