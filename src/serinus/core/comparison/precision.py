"""Whether a fault follows the precision that routes run the model in, rather than one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from serinus.core.comparison.counts import RouteCounts, of_routes
from serinus.core.comparison.standing import ALPHA, test, worse
from serinus.core.exact import holm

_TWO: Final = 2  # a class of one provider cannot be told from that provider


def failing_classes(routes: Sequence[RouteCounts]) -> tuple[str, ...]:
    """The precision classes that fail as classes, in alphabetical order.

    Such a class has routes of two providers or more; it fails more often than the routes of all other
    known classes, corrected for the classes tested; it does so without its worst provider too; and none
    of its routes is a clean exception. Routes of an unknown class say nothing here.
    """
    known = [r for r in routes if r.known_precision and r.total.counted]
    names = sorted({r.known_precision for r in known if r.known_precision})
    tests = [(name, *_split(known, name)) for name in names]
    able = [(name, inside, outside) for name, inside, outside in tests if inside and outside]
    values = holm([test(of_routes(inside), of_routes(outside)) for _, inside, outside in able])
    return tuple(
        name
        for (name, inside, outside), value in zip(able, values, strict=True)
        if value <= ALPHA and _as_one(inside, outside)
    )


def peers_of_class(route: RouteCounts, routes: Sequence[RouteCounts]) -> list[RouteCounts]:
    """Other routes of the same known precision that have answers."""
    return [
        r
        for r in routes
        if r.tag != route.tag
        and r.total.counted
        and r.known_precision is not None
        and r.known_precision == route.known_precision
    ]


def _split(known: Sequence[RouteCounts], name: str) -> tuple[list[RouteCounts], list[RouteCounts]]:
    return [r for r in known if r.known_precision == name], [r for r in known if r.known_precision != name]


def _as_one(inside: Sequence[RouteCounts], outside: Sequence[RouteCounts]) -> bool:
    rest = of_routes(outside)
    if len({r.provider for r in inside}) < _TWO or not worse(of_routes(inside), rest):
        return False
    worst = max(inside, key=lambda r: r.total.share).provider
    if not worse(of_routes(r for r in inside if r.provider != worst), rest):
        return False
    return not any(_exception(r, inside, outside) for r in inside)


def _exception(route: RouteCounts, inside: Sequence[RouteCounts], outside: Sequence[RouteCounts]) -> bool:
    """Whether a route of the class does better than the class and no worse than the rest."""
    mates = of_routes(r for r in inside if r.tag != route.tag)
    return worse(mates, route.total) and not worse(route.total, of_routes(outside))
