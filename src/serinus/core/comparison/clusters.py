"""Answers to one prompt are not independent: how much less they say than as many prompts would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor
from typing import Final

from serinus.core.comparison.counts import Count, RouteCounts, total
from serinus.core.intervals import Interval

Draw = Callable[[int], int]  # a random number from 0 to below its argument

TIMES: Final = 2000
FEW: Final = 4  # prompts: of fewer, neither their agreement nor other prompts' can be told
AGREEMENT: Final = 0.1
_CUT: Final = 0.025  # of the resamples, at either end


def design_effect(routes: Sequence[RouteCounts]) -> float:
    """By how many answers one is outweighed, because answers to one prompt agree: 1 if they do not.

    Pearson's dispersion of the prompts' counts about each route's own share, over all routes that failed
    in part. Two failures in 20 answers to four prompts say 2.1 with one prompt and 0.7 with two. Of two or
    three prompts too little is learnt, so an agreement of 0.1 is assumed at least (performance research
    §4.4); of one alone nothing is, and whoever tells of it says that it was one.
    """
    return max(1.0, _assumed(routes), _measured(routes))


def _measured(routes: Sequence[RouteCounts]) -> float:
    statistic, freedom = 0.0, 0
    for route in routes:
        mine, cells = route.total, [c for c in route.by_prompt.values() if c.counted]
        spread = mine.share * (1 - mine.share)
        if route.repeats and spread and len(cells) > 1:
            found = sum((c.failed - c.counted * mine.share) ** 2 / (c.counted * spread) for c in cells)
            statistic += found * (mine.counted - 1) / mine.counted
            freedom += len(cells) - 1
    return statistic / freedom if freedom else 1.0


def _assumed(routes: Sequence[RouteCounts]) -> float:
    """The effect of an agreement of `AGREEMENT` where few prompts repeat: 10 answers to each are 1.9."""
    few = [r for r in routes if r.repeats and 1 < len(r.by_prompt) < FEW]
    most = max((r.total.counted / len(r.by_prompt) for r in few), default=1.0)
    return 1 + (most - 1) * AGREEMENT


def outweighed(mine: Count, peers: Count, effect: float) -> tuple[Count, Count]:
    """Both counts divided by a design effect, rounded against a difference (Rao and Scott 1992).

    Biometrics 48. 6 of 20 against 1 of 280 at an effect of 2 are 3 of 10 against 1 of 140.
    """
    if effect <= 1:
        return mine, peers
    answers, others = max(1, round(mine.counted / effect)), max(1, round(peers.counted / effect))
    return (
        Count(min(answers, floor(mine.failed / effect)), answers),
        Count(min(others, ceil(peers.failed / effect)), others),
    )


def resampled(route: RouteCounts, peers: Sequence[RouteCounts], draw: Draw) -> Interval:
    """Where the route's share minus its peers' lies over other prompts (95 %).

    Whole prompts are drawn again with replacement (the cluster bootstrap; Field and Welsh, Journal of the
    Royal Statistical Society B 69, 2007): five failures with one prompt of four may be none with others.
    """
    pairs = [
        (count, total(p.by_prompt.get(key, Count()) for p in peers)) for key, count in route.by_prompt.items()
    ]
    rows = [(a.failed, a.counted, b.failed, b.counted) for a, b in pairs]
    found = sorted(difference for _ in range(TIMES) if (difference := _once(rows, draw)) is not None)
    if not found:
        return Interval(-1.0, 1.0)
    cut = int(len(found) * _CUT)
    return Interval(found[cut], found[len(found) - 1 - cut])


def _once(rows: Sequence[tuple[int, int, int, int]], draw: Draw) -> float | None:
    drawn = [rows[draw(len(rows))] for _ in rows]
    failed, counted, peers_failed, peers_counted = (sum(column) for column in zip(*drawn, strict=True))
    return failed / counted - peers_failed / peers_counted if counted and peers_counted else None
