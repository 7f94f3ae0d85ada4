"""How far a counted share can be trusted."""

from __future__ import annotations

from math import sqrt
from typing import Final, NamedTuple

Z95: Final = 1.959963984540054  # of the normal distribution, two-sided 95 %


class Interval(NamedTuple):
    """A share lies between these, both from 0 to 1."""

    low: float
    high: float


def wilson(hits: int, of: int, z: float = Z95) -> Interval:
    """The score interval of a share (Wilson 1927): honest for few and for none of many.

    0 of 20 is between 0 and 0.16, not exactly 0. Nothing counted says nothing: 0 to 1.
    """
    if of == 0:
        return Interval(0.0, 1.0)
    share, shrink = hits / of, 1 + z * z / of
    middle = (share + z * z / (2 * of)) / shrink
    half = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / shrink
    return Interval(max(0.0, middle - half), min(1.0, middle + half))
