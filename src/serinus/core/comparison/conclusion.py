"""What follows from the counts: the endpoint, its precision class, the model, nothing, or no telling.

The rules err towards saying less: a host that is blamed wrongly loses traffic for nothing. Whoever is
blamed stands out by Fisher's test, corrected for all that were tested (`standing.py`), and what could
also be the class's or the model's doing is looked at first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from serinus.core.comparison.clusters import Draw
from serinus.core.comparison.counts import Count, RouteCounts, of_routes
from serinus.core.comparison.power import detectable, fewest
from serinus.core.comparison.precision import failing_classes
from serinus.core.comparison.standing import Standing, standings, worse
from serinus.core.exact import at_most, clopper_pearson

POSSIBLE: Final = 0.2  # a corrected p-value up to here is worth asking again for
COMMON: Final = 0.05  # healthy routes err in up to such a share of their answers
HALF: Final = 0.5


class Kind(StrEnum):
    """The verdict of a comparison."""

    ENDPOINT = "endpoint"  # the fault follows one endpoint or several
    PROMPT = "prompt"  # it follows the endpoint, and so far some of the prompts alone
    CLASS = "class"  # it follows the precision class
    MODEL = "model"  # peers fail alike
    SERVING = "serving"  # most hosts fail, and the author's own does not
    NOT_REPRODUCED = "not_reproduced"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The verdict, whom it names, and what each route did.

    `tags` are the routes the verdict is about: the blamed ones, or those it was asked about. `classes`
    are the precision classes it blames. `bound` is the share that a route which seems clean may still
    have (95 %), `seen` the smallest that would have stood out four times in five. `few` says that too
    few answers counted.
    """

    kind: Kind
    standings: tuple[Standing, ...]
    tags: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    bound: float | None = None
    seen: float | None = None
    few: bool = False

    def standing(self, tag: str) -> Standing:
        """What a route did; KeyError if it was not asked."""
        for found in self.standings:
            if found.route.tag == tag:
                return found
        raise KeyError(tag)

    @property
    def blamed(self) -> tuple[str, ...]:
        """The routes that the fault follows."""
        return self.tags if self.kind in {Kind.ENDPOINT, Kind.PROMPT} else ()


def conclude(routes: Sequence[RouteCounts], draw: Draw) -> Conclusion:
    """The verdict on what was counted; `draw` gives the bootstrap its chance.

    The questions in their order: can anything be told? does a precision class fail? do routes stand out?
    does the whole model fail? is a suspicion left? Otherwise nothing was reproduced.
    """
    found = standings(routes, draw)
    asked = [s for s in found if s.route.suspect] or list(found)
    judged = [s for s in asked if _tellable(s)]
    if not judged:
        return _few(found, asked)
    classes = failing_classes(routes)
    guilty = [s for s in judged if s.stands_out]
    if classes and (not guilty or all(s.route.known_precision in classes for s in guilty)):
        return Conclusion(Kind.CLASS, found, tuple(_members(routes, classes)), classes)
    if guilty:
        return Conclusion(Kind.ENDPOINT, found, tuple(s.route.tag for s in guilty))
    partly = [s for s in judged if s.of_some_prompts]
    if partly:
        return Conclusion(Kind.PROMPT, found, tuple(s.route.tag for s in partly))
    return _of_the_model(routes, found) or _nothing(found, judged)


def _tellable(standing: Standing) -> bool:
    """Whether the route would stand out if all its answers had failed, and its peers' had not."""
    clean = Count(0, standing.peers.counted)
    return fewest(standing.count.counted, clean, standing.family) is not None


def _few(found: tuple[Standing, ...], asked: Sequence[Standing]) -> Conclusion:
    return Conclusion(Kind.UNDECIDED, found, tuple(s.route.tag for s in asked), few=True)


def _members(routes: Sequence[RouteCounts], classes: Sequence[str]) -> list[str]:
    return [r.tag for r in routes if r.known_precision in classes and r.total.counted]


def _of_the_model(routes: Sequence[RouteCounts], found: tuple[Standing, ...]) -> Conclusion | None:
    """Peers fail alike: more often than healthy routes do, most of them, even without the worst provider."""
    counted = [r for r in routes if r.total.counted]
    failing = [r for r in counted if r.total.failed]
    if len({r.provider for r in failing}) < 2 or len(failing) * 2 <= len(counted):  # noqa: PLR2004  alike takes two
        return None
    worst = max(failing, key=lambda r: r.total.share).provider
    rest = of_routes(r for r in counted if r.provider != worst)
    if clopper_pearson(rest.failed, rest.counted).low <= COMMON:
        return None
    own, others = [r for r in counted if r.own], [r for r in counted if not r.own]
    kind = Kind.SERVING if own and worse(of_routes(others), of_routes(own)) else Kind.MODEL
    return Conclusion(kind, found, tuple(r.tag for r in (others if kind is Kind.SERVING else counted)))


def _nothing(found: tuple[Standing, ...], judged: Sequence[Standing]) -> Conclusion:
    """Nothing stands out: a suspicion is left, or nothing was reproduced, within what could be seen."""
    suspicious = [s for s in judged if s.above and s.corrected is not None and s.corrected <= POSSIBLE]
    tags = tuple(s.route.tag for s in suspicious or judged)
    bound = max(at_most(s.count.failed, s.count.counted) for s in judged)
    shares = [detectable(s.count.counted, s.peers, s.family) for s in judged]
    known = [share for share in shares if share is not None]
    seen = max(known) if len(known) == len(shares) else None
    if suspicious:
        return Conclusion(Kind.UNDECIDED, found, tags, bound=bound, seen=seen)
    if len(judged) == 1 and bound > HALF:
        return Conclusion(Kind.UNDECIDED, found, tags, bound=bound, seen=seen, few=True)
    return Conclusion(Kind.NOT_REPRODUCED, found, tags, bound=bound, seen=seen)
