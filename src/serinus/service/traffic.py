"""What user traffic met, by the route ledger, beside what the canary knows: shown and never scored.

Traffic is no probe. Its prompts are its callers', its errors often their own, and a conversation stays on
one host for a while. So a figure here is a reason to look and no verdict, and nothing that decides reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, Final

from serinus.core.model import Word
from serinus.service.desk import Desk
from serinus.service.ledger import Traffic
from serinus.service.names import Names
from serinus.service.standing import ModelStanding, RouteStanding

P50: Final = 0.5
P95: Final = 0.95


@dataclass(frozen=True, slots=True)
class Figures:
    """What a provider, or a route where the gateway named it, served of a model in a period.

    `errors` and `cut` are shares of `requests`; the times are in seconds, None where nothing was timed.
    `routes` are those that the name may stand for, each with how it stands and the contracts it fails.
    """

    provider: str | None
    tag: str | None
    requests: int
    errors: float
    cut: float
    first_token_p50: float | None
    first_token_p95: float | None
    routes: tuple[RouteStanding, ...] = ()


def quantile(rising: Sequence[float], share: float) -> float | None:
    """The time that so many of these did not exceed: of 20, the p95 is the 19th. None of nothing."""
    if not rising:
        return None
    return rising[max(0, ceil(share * len(rising)) - 1)]


def traffic(desk: Desk, model: str, length: timedelta, known: ModelStanding | None = None) -> list[Figures]:
    """What was served of a model lately, the most asked first; `known` is where it stands, if at hand."""
    served = desk.store.ledger.traffic(model, desk.at - length, desk.at)
    if not served:
        return []
    known = known or desk.sight().model(model)
    standing = {r.tag: r for r in known.routes}
    (names,) = desk.names([model])
    found = [_figures(one, _routes(one, standing, names)) for one in served]
    return sorted(found, key=lambda f: (-f.requests, f.provider or "", f.tag or ""))


def _routes(one: Traffic, standing: Mapping[str, RouteStanding], names: Names) -> tuple[RouteStanding, ...]:
    """The routes that may have served it: the one that was named, or all of that display name."""
    return tuple(standing[tag] for tag in names.served(one.tag, one.provider) if tag in standing)


def _figures(one: Traffic, routes: tuple[RouteStanding, ...]) -> Figures:
    return Figures(
        provider=one.provider,
        tag=one.tag,
        requests=one.requests,
        errors=one.errors / one.requests if one.requests else 0.0,
        cut=one.cut / one.requests if one.requests else 0.0,
        first_token_p50=quantile(one.first_token, P50),
        first_token_p95=quantile(one.first_token, P95),
        routes=routes,
    )


def of_route(found: Sequence[Figures], tag: str) -> list[Figures]:
    """The figures that are a route's own, or those of a name that may stand for it."""
    return [f for f in found if any(r.tag == tag for r in f.routes)]


def failing(route: RouteStanding) -> list[str]:
    """The contracts whose last finding on a route is a failure."""
    return [c.contract for c in route.contracts if c.latest is not None and c.latest.word == Word.FAIL]


def document(figures: Figures) -> dict[str, Any]:
    """The figures as JSON."""
    return {
        "provider": figures.provider,
        "route": figures.tag,
        "requests": figures.requests,
        "errors": round(figures.errors, 4),
        "cut": round(figures.cut, 4),
        "first_token_p50": figures.first_token_p50,
        "first_token_p95": figures.first_token_p95,
        "routes": [{"route": r.tag, "excluded": r.out, "failing": failing(r)} for r in figures.routes],
    }
