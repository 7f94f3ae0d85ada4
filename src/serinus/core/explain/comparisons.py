"""What a comparison found, as sentences: the verdict in one, and what goes with it (R27)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from serinus.core.comparison.clusters import FEW
from serinus.core.comparison.conclusion import COMMON, Conclusion, Kind
from serinus.core.comparison.counts import Count, RouteCounts, of_routes
from serinus.core.comparison.precision import peers_of_class
from serinus.core.comparison.standing import Standing, worse
from serinus.core.exact import clopper_pearson
from serinus.core.explain.phrases import counted, listed
from serinus.core.intervals import Interval
from serinus.core.model import Word

_TINY: Final = 0.001


def of_comparison(found: Conclusion) -> str:
    """The verdict in one sentence."""
    return _SENTENCES[found.kind](found)


def of_comparison_notes(found: Conclusion) -> tuple[str, ...]:
    """What whoever reads the verdict must know as well, a sentence each."""
    notes = [*_about_classes(found), *_about_authors(found), *_about_peers(found), *_about_others(found)]
    return (*notes, *_about_prompts(found), *_about_power(found), *_about_apart(found))


def of_count(count: Count) -> str:
    """Failures of what counted: `19/20`."""
    return f"{count.failed}/{count.counted}"


def of_chance_value(value: float) -> str:
    """A p-value: `p = 0.0029`, `p = 5e-15`."""
    return f"p = {value:.0e}" if value < _TINY else f"p = {value:.2g}"


def of_percent(share: float) -> str:
    """A share in percent, as exact as it is worth: `14 %`, `0.7 %`."""
    return f"{share * 100:.2g} %" if 0 < share < 0.1 else f"{share * 100:.0f} %"  # noqa: PLR2004  two figures below ten percent


def of_percents(interval: Interval) -> str:
    """An interval of a share: `75 to 100 %`."""
    return f"{of_percent(interval.low).removesuffix(' %')} to {of_percent(interval.high)}"


def of_apart(words: Mapping[Word, int]) -> str:
    """Answers that do not count, by why: `8 transport, 4 inconclusive`."""
    return ", ".join(f"{n} {word.value}" for word, n in words.items() if n)


def of_partial(done: int, wanted: int, why: str) -> str:
    """A comparison that ended early; the rounds of prompts were shuffled, so what is there is balanced."""
    return f"Partial: {done} of {counted(wanted, 'request')} were made, then {why}."


def _endpoint(found: Conclusion) -> str:
    blamed = [found.standing(tag) for tag in found.tags]
    rest = [r for r in _counted(found) if r.tag not in found.tags]
    others = _on(rest, "other")
    asked = {key for s in blamed for key in s.route.by_prompt}
    scope = " This holds for the one prompt that was asked." if len(asked) == 1 else ""
    if len(blamed) == 1:
        one = blamed[0]
        here = f"{of_count(one.count)} here, {others}"
        return f"The fault follows the endpoint {one.route.tag}: {here}, {_corrected(one)}.{scope}"
    each = listed([f"{s.route.tag} ({of_count(s.count)}, {_corrected(s)})" for s in blamed])
    return f"The fault follows the endpoints {each}: {others}.{scope}"


def _prompt(found: Conclusion) -> str:
    each = listed([f"{s.route.tag} ({_few_prompts(s)})" for s in map(found.standing, found.tags)])
    rest = [r for r in _counted(found) if r.tag not in found.tags]
    return (
        f"The fault shows at {each} with some prompts alone, against {_on(rest, 'other')}: "
        "ask with more prompts before it is called the endpoint's."
    )


def _few_prompts(standing: Standing) -> str:
    prompts = standing.failing_prompts
    asked = len(standing.route.by_prompt)
    return f"{of_count(standing.count)}, with {len(prompts)} of {asked} prompts: {listed(prompts)}"


def _class(found: Conclusion) -> str:
    inside = [r for r in _counted(found) if r.known_precision in found.classes]
    outside = [r for r in _counted(found) if r.known_precision not in found.classes]
    noun = "class" if len(found.classes) == 1 else "classes"
    return (
        f"The fault follows the precision {noun} {listed(found.classes)}: "
        f"{_on(inside, 'route')}, {_on(outside, 'other')}. No endpoint alone is to blame."
    )


def _model(found: Conclusion) -> str:
    return f"The fault is in the model, or in what it was asked: peers fail alike, {_here_and_there(found)}."


def _serving(found: Conclusion) -> str:
    own = [r for r in _counted(found) if r.own]
    others = [r for r in _counted(found) if not r.own]
    return (
        f"The fault is in how others serve the model: {_on(others, 'route')}, {of_count(of_routes(own))} on "
        f"the author's own ({listed([r.tag for r in own])}). No endpoint alone is to blame."
    )


def _not_reproduced(found: Conclusion) -> str:
    bound = of_percent(found.bound or 0.0)
    whom = f"{found.tags[0]}'s" if len(found.tags) == 1 else "each route's"
    return (
        f"Not reproduced: {_here_and_there(found)}; with 95 % {whom} share of bad answers is below {bound}."
    )


def _undecided(found: Conclusion) -> str:
    if found.few:
        return f"It cannot be said: too few answers counted ({_here_and_there(found)})."
    each = listed([f"{s.route.tag} ({of_count(s.count)})" for s in map(found.standing, found.tags)])
    one = found.standing(found.tags[0])
    return (
        f"It cannot be said yet: {each} failed more often than its peers ({of_count(one.peers)}), but so it "
        f"may by chance, {_corrected(one)}. Ask for more answers."
    )


_SENTENCES: Final[Mapping[Kind, Callable[[Conclusion], str]]] = MappingProxyType(
    {
        Kind.ENDPOINT: _endpoint,
        Kind.PROMPT: _prompt,
        Kind.CLASS: _class,
        Kind.MODEL: _model,
        Kind.SERVING: _serving,
        Kind.NOT_REPRODUCED: _not_reproduced,
        Kind.UNDECIDED: _undecided,
    }
)


def _corrected(standing: Standing) -> str:
    value = standing.weighed if standing.weighed is not None else 1.0
    tests = f" (corrected for {standing.family} routes)" if standing.family > 1 else ""
    return f"{of_chance_value(value)}{tests}"


def _here_and_there(found: Conclusion) -> str:
    suspects = [s.route for s in found.standings if s.route.suspect]
    if not suspects:
        routes = _counted(found)
        return _on(routes, "route")
    rest = [r for r in _counted(found) if not r.suspect]
    here = "here" if len(suspects) == 1 else f"on the {len(suspects)} asked about"
    return f"{of_count(of_routes(suspects))} {here}, {_on(rest, 'other')}"


def _on(routes: Sequence[RouteCounts], noun: str) -> str:
    """What several routes did together: `0/49 on 14 others`."""
    return f"{of_count(of_routes(routes))} on {counted(len(routes), noun)}"


def _counted(found: Conclusion) -> list[RouteCounts]:
    return [s.route for s in found.standings if s.count.counted]


def _about(found: Conclusion) -> list[RouteCounts]:
    """The routes whose neighbourhood matters: the blamed ones, else those that were asked about."""
    if found.blamed:
        return [found.standing(tag).route for tag in found.blamed]
    return [s.route for s in found.standings if s.route.suspect]


def _about_classes(found: Conclusion) -> Iterable[str]:
    """What the peers of the same precision do (R27)."""
    if found.kind is Kind.CLASS:
        return
    routes = _counted(found)
    for route in _about(found):
        if route.known_precision is None:
            yield f"The precision of {route.tag} is not listed, so it has no peers of a class."
            continue
        peers = [p for p in peers_of_class(route, routes) if p.tag not in found.blamed]
        name = f"of its precision class ({route.known_precision})"
        if not peers:
            yield (
                f"{route.tag} has no peer {name}: "
                "a fault of the class and one of the endpoint would look alike."
            )
            continue
        same = of_routes(peers)
        one = len(peers) == 1
        agree = "do as it does" if not one else "does as it does"
        if worse(route.total, same):
            agree = "does not share it" if one else "do not share it"
        elif not route.total.failed and not same.failed:
            agree = "is clean as well" if one else "are clean as well"
        noun = counted(len(peers), "peer")
        whom = "it" if one else "they"
        yield f"The {noun} {name} {agree}: {route.tag} {of_count(route.total)}, {whom} {of_count(same)}."


def _about_authors(found: Conclusion) -> Iterable[str]:
    own = [r for r in _counted(found) if r.own]
    if own and found.kind is not Kind.SERVING:
        told = ", ".join(f"{r.tag} {of_count(r.total)}" for r in own)
        yield f"On the author's own host: {told}."


def _about_peers(found: Conclusion) -> Iterable[str]:
    rest = of_routes(r for r in _counted(found) if r.tag not in found.blamed)
    if found.blamed and clopper_pearson(rest.failed, rest.counted).low > COMMON:
        yield f"The peers are not clean either: {of_count(rest)}."


def _about_others(found: Conclusion) -> Iterable[str]:
    """Routes that nobody asked about and that stand out."""
    if any(s.route.suspect for s in found.standings):
        for s in found.standings:
            if not s.route.suspect and s.stands_out and s.route.tag not in found.tags:
                told = f"{of_count(s.count)}, {_corrected(s)}"
                yield f"{s.route.tag} was not asked about and stands out: {told}."


def _about_prompts(found: Conclusion) -> Iterable[str]:
    for tag in found.blamed:
        s = found.standing(tag)
        if s.over_prompts and len(s.route.by_prompt) < FEW:
            yield f"Only {len(s.route.by_prompt)} prompts were asked: with others {tag} may do otherwise."
        elif s.over_prompts and s.difference is not None:
            low, high = (f"{edge * 100:+.0f}" for edge in s.difference)
            yield (
                f"Prompts repeat, so they were drawn again as a whole: over other prompts {tag} is {low} to "
                f"{high} percentage points from its peers (95 %)."
            )


def _about_power(found: Conclusion) -> Iterable[str]:
    if found.kind in {Kind.NOT_REPRODUCED, Kind.UNDECIDED} and found.bound is not None:
        if found.seen is None:
            yield "No share of bad answers, however high, would have stood out surely: ask for more answers."
        else:
            yield (
                f"What could have been missed: a fault in less than {of_percent(found.seen)} of the answers "
                "stands out less than four times in five."
            )


def _about_apart(found: Conclusion) -> Iterable[str]:
    words: Counter[Word] = Counter()
    for standing in found.standings:
        words.update(standing.route.apart)
    if words:
        yield f"Not counted, as neither good nor bad: {of_apart(words)}."
    silent: Sequence[str] = [s.route.tag for s in found.standings if not s.count.counted]
    if silent:
        whom = "it" if len(silent) == 1 else "them"
        yield f"No answer counted on {listed(silent)}: nothing is said of {whom}."
