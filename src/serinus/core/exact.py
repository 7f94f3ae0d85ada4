"""Exact tests and intervals on small counts, in plain Python.

Fisher's test (R. A. Fisher, The Design of Experiments, 1935), the interval of Clopper and Pearson
(Biometrika 26, 1934), Newcombe's interval of a difference (Statistics in Medicine 17, 1998, method 10),
Holm's correction for several tests (Scandinavian Journal of Statistics 6, 1979).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, lgamma, log, sqrt
from typing import Final

from serinus.core.intervals import Interval, wilson

LEVEL: Final = 0.95
_HALVINGS: Final = 60  # of the unit interval: far below what a float can tell


def fisher(bad_a: int, ok_a: int, bad_b: int, ok_b: int) -> float:
    """The two-sided p-value that two rates are one: all tables at most as likely as the one seen.

    19 of 20 against 0 of 49 is 4e-16; 3 of 3 against 0 of 12 is 0.0022.
    """
    row, column, total = bad_a + ok_a, bad_a + bad_b, bad_a + ok_a + bad_b + ok_b
    lowest, highest = max(0, row + column - total), min(row, column)
    chances = [_hypergeometric(k, row, column, total) for k in range(lowest, highest + 1)]
    seen = chances[bad_a - lowest]
    return min(1.0, sum(c for c in chances if c <= seen * (1 + 1e-9)))


def clopper_pearson(hits: int, of: int, level: float = LEVEL) -> Interval:
    """The exact two-sided interval of a share; nothing counted says nothing: 0 to 1.

    19 of 20 is between 0.751 and 0.999, 0 of 49 below 0.073.
    """
    tail = (1 - level) / 2
    return Interval(_lower(hits, of, tail), 1 - _lower(of - hits, of, tail))


def at_most(hits: int, of: int, level: float = LEVEL) -> float:
    """The exact one-sided bound: with this confidence the share is no higher. 0 of 20: 0.139."""
    return 1 - _lower(of - hits, of, 1 - level)


def newcombe(hits: int, of: int, other_hits: int, other_of: int) -> Interval:
    """Where the difference of two independent shares lies (95 %), the first minus the second."""
    if not (of and other_of):
        return Interval(-1.0, 1.0)
    a, b = hits / of, other_hits / other_of
    mine, theirs = wilson(hits, of), wilson(other_hits, other_of)
    low = a - b - sqrt((a - mine.low) ** 2 + (theirs.high - b) ** 2)
    high = a - b + sqrt((mine.high - a) ** 2 + (b - theirs.low) ** 2)
    return Interval(max(-1.0, low), min(1.0, high))


def holm(values: Sequence[float]) -> list[float]:
    """The p-values corrected for being several, in their own order.

    0.01, 0.04, 0.03 become 0.03, 0.06, 0.06: the smallest counts three times, and none falls below one
    that was smaller before.
    """
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, n in enumerate(sorted(range(len(values)), key=lambda n: values[n])):
        highest = max(highest, min(1.0, values[n] * (len(values) - rank)))
        corrected[n] = highest
    return corrected


def tail(least: int, of: int, share: float) -> float:
    """The chance that at least so many of `of` hit, where each does with this chance."""
    if least <= 0:
        return 1.0
    if share <= 0.0 or least > of:
        return 0.0
    if share >= 1.0:
        return 1.0
    hit, miss = log(share), log(1 - share)
    return min(1.0, sum(exp(_choose(of, k) + k * hit + (of - k) * miss) for k in range(least, of + 1)))


def crossing(rises: Callable[[float], float], wanted: float) -> float:
    """Where a function that rises from 0 to 1 over the unit interval reaches a value."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < wanted else (low, middle)
    return high


def _lower(hits: int, of: int, chance: float) -> float:
    """The share at which so many hits or more have just this chance."""
    return 0.0 if hits == 0 else crossing(lambda share: tail(hits, of, share), chance)


def _hypergeometric(k: int, row: int, column: int, total: int) -> float:
    return exp(_choose(column, k) + _choose(total - column, row - k) - _choose(total, row))


def _choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
