"""What a comparison can see: told before it is paid for, and beside a result that shows nothing."""

from __future__ import annotations

from typing import Final

from serinus.core.comparison.counts import Count
from serinus.core.comparison.standing import ALPHA, test
from serinus.core.exact import crossing, tail

POWER: Final = 0.8


def detectable(answers: int, peers: Count, family: int = 1) -> float | None:
    """The smallest share of bad answers that stands out four times in five; None where none can.

    `peers` is what they did or are expected to do. 20 answers against 280 clean ones, one test of
    fifteen: two failures suffice, and a share of 0.142 brings them with a chance of 0.8.
    """
    least = fewest(answers, peers, family)
    if least is None:
        return None
    return crossing(lambda share: tail(least, answers, share), POWER)


def fewest(answers: int, peers: Count, family: int = 1) -> int | None:
    """How many failures of so many answers stand out; None if not even all do."""
    if not (answers and peers.counted):
        return None
    for failed in range(1, answers + 1):
        mine = Count(failed, answers)
        if mine.share > peers.share and test(mine, peers) * family <= ALPHA:
            return failed
    return None
