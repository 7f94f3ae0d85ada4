"""A comparison as a JSON object, for the store, programs and packs, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from serinus.core.comparison.counts import Count, RouteCounts
from serinus.core.comparison.standing import Standing
from serinus.core.explain import comparisons as told
from serinus.core.instants import format_instant, parse_instant
from serinus.core.model import Word
from serinus.service.comparing.plan import Plan
from serinus.service.comparing.result import Asked, Comparison, Sample
from serinus.service.comparing.tally import Progress
from serinus.service.comparisons import ComparisonRow, ComparisonState

VERSION: Final = 1


def document(found: Comparison) -> dict[str, Any]:
    """The whole of it: what was asked, the verdict in words and numbers, routes, samples."""
    asked = found.asked
    return {
        "version": VERSION,
        **asdict(asked),
        "at": format_instant(asked.at),
        "ended": None if found.ended is None else format_instant(found.ended),
        "state": found.state.value,
        "why": found.why,
        "done": found.done,
        "cost": round(found.cost, 8),
        "tokens": found.tokens,
        **(_counts(found) if found.state is ComparisonState.RUNNING else _concluded(found)),
        "samples": [_sample(s) for s in found.samples],
    }


def _counts(found: Comparison) -> dict[str, Any]:
    """What is counted so far: conclusions take their time, and come at the end."""
    return {"verdict": None, "routes": [_counted(route) for route in found.routes]}


def _concluded(found: Comparison) -> dict[str, Any]:
    return {"verdict": verdict(found), "routes": [_route(s) for s in found.conclusion.standings]}


def verdict(found: Comparison) -> dict[str, Any]:
    """What follows, for programs and for people."""
    conclusion = found.conclusion
    return {
        "kind": conclusion.kind.value,
        "sentence": told.of_comparison(conclusion),
        "notes": [*notes(found)],
        "routes": list(conclusion.tags),
        "blamed": list(conclusion.blamed),
        "classes": list(conclusion.classes),
        "bound": conclusion.bound,
        "detectable": conclusion.seen,
    }


def notes(found: Comparison) -> tuple[str, ...]:
    """What goes with the verdict: that it is partial first, then what the counts say."""
    rest = told.of_comparison_notes(found.conclusion)
    if found.why is None:
        return rest
    return (told.of_partial(found.done, found.asked.wanted, found.why), *rest)


def _counted(route: RouteCounts) -> dict[str, Any]:
    return {
        "tag": route.tag,
        "provider": route.provider,
        "precision": route.precision,
        "authors_own": route.own,
        "suspect": route.suspect,
        "failed": route.total.failed,
        "counted": route.total.counted,
        "apart": {word.value: n for word, n in route.apart.items()},
        "by_prompt": {key: [c.failed, c.counted] for key, c in route.by_prompt.items()},
    }


def _route(standing: Standing) -> dict[str, Any]:
    difference = standing.difference
    return {
        **_counted(standing.route),
        "interval": list(standing.interval),
        "peers": {"failed": standing.peers.failed, "counted": standing.peers.counted},
        "p": standing.p,
        "corrected": standing.corrected,
        "weighed": standing.weighed,
        "family": standing.family,
        "difference": None if difference is None else list(difference),
        "difference_over_prompts": standing.over_prompts,
        "stands_out": standing.stands_out,
    }


def _sample(sample: Sample) -> dict[str, Any]:
    return {**asdict(sample), "at": format_instant(sample.at)}


def comparison_of(row: ComparisonRow) -> Comparison:
    """The comparison that was kept; its state is the row's, which may know of a crash.

    What another release kept of it beyond this one's fields is passed over.
    """
    kept = row.document
    names = (set(Asked.__dataclass_fields__) & set(kept)) - {"at", "suspects", "languages"}
    asked = Asked(
        **{name: kept[name] for name in names},
        at=row.at,
        suspects=tuple(kept["suspects"]),
        languages=tuple(kept["languages"]),
    )
    return Comparison(
        asked=asked,
        state=row.state,
        routes=tuple(_route_of(r) for r in kept["routes"]),
        done=kept["done"],
        cost=row.cost,
        tokens=kept["tokens"],
        ended=None if kept["ended"] is None else parse_instant(kept["ended"]),
        why=kept["why"] or ("its process ended" if row.state is ComparisonState.FAILED else None),
        samples=tuple(_sample_of(s) for s in kept["samples"]),
    )


def _sample_of(kept: Mapping[str, Any]) -> Sample:
    known = {name: value for name, value in kept.items() if name in Sample.__dataclass_fields__}
    return Sample(**{**known, "at": parse_instant(kept["at"])})


def _route_of(kept: Mapping[str, Any]) -> RouteCounts:
    return RouteCounts(
        tag=kept["tag"],
        provider=kept["provider"],
        precision=kept["precision"],
        own=kept["authors_own"],
        suspect=kept["suspect"],
        by_prompt={key: Count(*counts) for key, counts in kept["by_prompt"].items()},
        apart={Word(word): n for word, n in kept["apart"].items()},
    )


def plan_document(found: Plan) -> dict[str, Any]:
    """What will be asked and what it costs; an operator's prompts are not in it."""
    return {
        "name": found.name,
        "seed": found.seed,
        "model": found.request.model,
        "contract": found.contract.name,
        "routes": [o.route.tag for o in found.offers],
        "suspects": sorted(found.suspects),
        "left_out": dict(found.left_out),
        "languages": list(found.languages),
        "requests": found.estimate.requests,
        "tokens": found.estimate.tokens,
        "usd": round(found.estimate.usd, 6),
        "usd_at_most": round(found.estimate.most, 6),
        "unpriced": list(found.estimate.unpriced),
        "detectable": found.detectable,
        "notes": list(found.notes),
    }


def progress_document(progress: Progress) -> dict[str, Any]:
    """One more answer of a running comparison, for a stream of events."""
    tag, word, reason = progress.last or (None, None, None)
    return {
        "name": progress.name,
        "done": progress.done,
        "wanted": progress.wanted,
        "cost": round(progress.cost, 8),
        "route": tag,
        "verdict": word,
        "reason": reason,
        "counts": {t: {"failed": c.failed, "counted": c.counted} for t, c in progress.counts.items()},
        "apart": dict(progress.apart),
    }


def summary(row: ComparisonRow) -> dict[str, Any]:
    """One line of a list."""
    kept = row.document
    return {
        "name": row.name,
        "at": format_instant(row.at),
        "by": row.by,
        "model": row.model,
        "contract": kept["contract"],
        "state": row.state.value,
        "done": kept["done"],
        "wanted": kept["wanted"],
        "cost": row.cost,
        "verdict": kept["verdict"] and kept["verdict"]["kind"],
        "sentence": kept["verdict"] and kept["verdict"]["sentence"],
    }
