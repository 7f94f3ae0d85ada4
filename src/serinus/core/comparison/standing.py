"""One route against its peers: its share, its test, and where the difference lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from serinus.core.comparison.clusters import Draw, design_effect, outweighed, resampled
from serinus.core.comparison.counts import Count, RouteCounts, of_routes
from serinus.core.exact import clopper_pearson, fisher, holm, newcombe
from serinus.core.intervals import Interval

ALPHA: Final = 0.05
SURE: Final = 0.001  # from here on not even a fault that only some prompts bring out can be chance


@dataclass(frozen=True, slots=True)
class Standing:
    """A route's counts beside those of all others of its model, its peers.

    `interval` is exact (95 %). `p` is Fisher's two-sided value, `corrected` by Holm over the `family` of
    routes tested together, `weighed` the same with each answer weighed for the prompts that repeat
    (`clusters.py`); all None where one side has no answer that counts. `difference` is the route's share
    minus its peers' (95 %), `over_prompts` whether it was found by drawing prompts again.
    """

    route: RouteCounts
    peers: Count
    interval: Interval
    p: float | None = None
    corrected: float | None = None
    weighed: float | None = None
    family: int = 1
    difference: Interval | None = None
    over_prompts: bool = False

    @property
    def count(self) -> Count:
        """Its own answers that count."""
        return self.route.total

    @property
    def above(self) -> bool:
        """Whether it fails more often than its peers."""
        return self.count.share > self.peers.share

    @property
    def stands_out(self) -> bool:
        """Whether it fails more often than its peers, beyond chance, whatever the prompts."""
        firm = not self.over_prompts or (self.difference is not None and self.difference.low > 0)
        return self.above and self.weighed is not None and self.weighed <= ALPHA and firm

    @property
    def of_some_prompts(self) -> bool:
        """Whether it surely fails more often, but with some of its prompts alone."""
        sure = self.corrected is not None and self.corrected <= SURE
        return self.above and sure and not self.stands_out

    @property
    def failing_prompts(self) -> tuple[str, ...]:
        """The prompts with which it failed at least once."""
        return tuple(key for key, count in self.route.by_prompt.items() if count.failed)


def standings(routes: Sequence[RouteCounts], draw: Draw) -> tuple[Standing, ...]:
    """Each route against all others, the suspects corrected among themselves and the others among all.

    A question about one route is one test; a search through fifteen is fifteen.
    """
    effect = design_effect(routes)
    bare = [_bare(route, routes) for route in routes]
    everybody = _corrected(bare, effect)
    asked_about = iter(_corrected([s for s in bare if s.route.suspect], effect))
    tested = (next(asked_about) if s.route.suspect else s for s in everybody)
    return tuple(_with_difference(s, routes, draw) for s in tested)


def _bare(route: RouteCounts, routes: Sequence[RouteCounts]) -> Standing:
    mine, peers = route.total, of_routes(r for r in routes if r.tag != route.tag)
    found = Standing(route, peers, clopper_pearson(mine.failed, mine.counted))
    return replace(found, p=test(mine, peers)) if mine.counted and peers.counted else found


def _corrected(bare: Sequence[Standing], effect: float) -> list[Standing]:
    able = [s for s in bare if s.p is not None]
    values = iter(holm([s.p for s in able if s.p is not None]))
    weighed = iter(holm([test(*outweighed(s.count, s.peers, effect)) for s in able]))
    return [
        s if s.p is None else replace(s, corrected=next(values), weighed=next(weighed), family=len(able))
        for s in bare
    ]


def _with_difference(standing: Standing, routes: Sequence[RouteCounts], draw: Draw) -> Standing:
    """Drawing prompts again takes a while, and only a test that says something needs it."""
    if standing.p is None or standing.corrected is None:
        return standing
    route, mine, peers = standing.route, standing.count, standing.peers
    if standing.corrected > ALPHA or not route.repeats or len(route.by_prompt) < 2:  # noqa: PLR2004  of one prompt nothing can be drawn
        plain = newcombe(mine.failed, mine.counted, peers.failed, peers.counted)
        return replace(standing, difference=plain)
    others = [r for r in routes if r.tag != route.tag]
    return replace(standing, difference=resampled(route, others, draw), over_prompts=True)


def test(a: Count, b: Count) -> float:
    """Fisher's two-sided value that both fail alike."""
    return fisher(a.failed, a.counted - a.failed, b.failed, b.counted - b.failed)


def worse(a: Count, b: Count) -> bool:
    """Whether the first fails more often, beyond what chance explains in a single test."""
    return a.share > b.share and bool(a.counted and b.counted) and test(a, b) <= ALPHA
