"""Tests on small tables of counts, in plain Python.

`chi_square` is Pearson's test of homogeneity with the upper incomplete gamma function (Press et al.,
Numerical Recipes, §6.2); Fisher's exact test is in `core/exact.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, lgamma, log
from typing import Final

EPSILON: Final = 1e-12
_MOST_STEPS: Final = 500


def chi_square(host: Mapping[str, int], reference: Mapping[str, int]) -> float:
    """The p-value that two sets of counts over the same kinds come from one distribution."""
    kinds = [k for k in {**host, **reference} if host.get(k, 0) + reference.get(k, 0) > 0]
    rows = [[side.get(k, 0) for k in kinds] for side in (host, reference)]
    sums = [sum(row) for row in rows]
    total = sum(sums)
    if not all(sums) or len(kinds) < 2:  # noqa: PLR2004  one kind cannot differ
        return 1.0
    statistic = sum(
        (row[i] - size * (rows[0][i] + rows[1][i]) / total) ** 2 / (size * (rows[0][i] + rows[1][i]) / total)
        for row, size in zip(rows, sums, strict=True)
        for i in range(len(kinds))
    )
    return _upper_gamma((len(kinds) - 1) / 2, statistic / 2)


def _upper_gamma(a: float, x: float) -> float:
    """Q(a, x), by series below a + 1 and by continued fraction above."""
    if x <= 0:
        return 1.0
    scale = exp(-x + a * log(x) - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for step in range(1, _MOST_STEPS):
            term *= x / (a + step)
            total += term
            if term < total * EPSILON:
                break
        return max(0.0, 1 - total * scale)
    return min(1.0, scale * _fraction(a, x))


def _fraction(a: float, x: float) -> float:
    """Lentz's continued fraction of Q(a, x)."""
    b = x + 1 - a
    c, d = 1 / 1e-300, 1 / b
    value = d
    for step in range(1, _MOST_STEPS):
        factor = -step * (step - a)
        b += 2
        d = 1 / (factor * d + b or 1e-300)
        c = b + factor / c or 1e-300
        value *= d * c
        if abs(d * c - 1) < EPSILON:
            break
    return value


def counts_of(value: object) -> dict[str, int]:
    """A mapping of counts out of a recorded statistic; what is no count is left out."""
    if not isinstance(value, Mapping):
        return {}
    return {str(k): n for k, n in value.items() if isinstance(n, int) and not isinstance(n, bool) and n >= 0}


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return float(ordered[half]) if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
