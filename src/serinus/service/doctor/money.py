"""What rounds will cost against what they may (R34)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from serinus.service.doctor.diagnosis import Diagnosis, fine, note, problem
from serinus.service.forecast import DAY, Forecast

WEEK: Final = 7.0  # days that what is left on the key should last


@dataclass(frozen=True, slots=True)
class Purse:
    """US dollars: a day's budget, and whether somebody chose it; what today cost; what the key has left."""

    budget: float
    chosen: bool
    spent: float = 0.0
    left: float | None = None


def check_budget(found: Sequence[Forecast], purse: Purse) -> Iterator[Diagnosis]:
    """Whether the budget carries the rounds that are planned, and the key lasts."""
    day = sum(f.usd * f.rounds_in(DAY) for f in found)
    costs = f"Rounds cost about {day:.3f} USD a day"
    if found and day > purse.budget:
        said = f"{costs}, more than the budget of {purse.budget:.2f}: probing would stop each day."
        remedy = 'raise budget.usd_per_day, lengthen rounds.interval, or take rounds.set = "lean"'
        yield problem("budget", said, remedy)
    elif found:
        yield fine("budget", f"{costs} of a budget of {purse.budget:.2f}.")
    if purse.spent >= purse.budget:
        said = f"Today's budget is used up: {purse.spent:.4f} USD were spent."
        yield note("budget", said, "wait until tomorrow (UTC), or raise budget.usd_per_day")
    if not purse.chosen:
        said = "Nobody chose a budget: `serinus run` asks a person before it spends."
        yield note("budget", said, "set budget.usd_per_day")
    if day and purse.left is not None and 0 < purse.left < day * WEEK:
        said = f"What is left on the key lasts about {purse.left / day:.1f} days."
        yield note("budget", said, "raise the key's limit")
