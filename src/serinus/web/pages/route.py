"""One route: where it stands and why, what would change that, its rounds, its answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, get_args

from fastapi import APIRouter, Request
from fastapi.responses import Response

from serinus.contracts import FIRST
from serinus.core.durations import parse_duration
from serinus.core.model import Limits, Word
from serinus.core.policy import Lane
from serinus.core.policy.ladder import next_level
from serinus.service.board import RouteBoard
from serinus.service.boards import Boards
from serinus.service.evidence import evidence, facts
from serinus.service.explaining import explained
from serinus.service.planning import round_name
from serinus.service.standing import RouteStanding, Sight
from serinus.service.timeline import timeline
from serinus.web.access import Reader
from serinus.web.pages import chart
from serinus.web.pages.bars import bar
from serinus.web.pages.fields import Name
from serinus.web.pages.marks import LETTER_OF
from serinus.web.pages.overview import span_of
from serinus.web.pages.paper import Paper
from serinus.web.pages.past import past_of
from serinus.web.pages.traffic import served_by

Period = Literal["24h", "7d", "30d", "90d"]


def route(paper: Paper, boards: Boards) -> APIRouter:
    """The page of a route, and the evidence of one of its rounds."""
    router = APIRouter(include_in_schema=False)
    desk = paper.office.desk
    paper.environment.globals.update(facts=facts)

    @router.get("/route")
    def show(request: Request, _caller: Reader, model: Name, tag: Name, period: Period = "24h") -> Response:
        sight = desk.sight()
        standing = sight.model(*desk.models([model]), only=tag)
        of = known(standing.routes, tag, model)
        found = explained(sight, standing, of)
        past = timeline(desk.store, model, tag, sight.at, parse_duration(period))
        board = boards.board([model])
        limits = paper.office.plans[model].limits if model in paper.office.plans else Limits()
        worst = next((run.latest for run in past.anomalies if run.latest.word == Word.FAIL), None)
        on_board = next((r for r in board.models[0].routes if r.standing.tag == tag), None)
        values = {
            "place": "/",
            "contracts": _ordered(on_board),
            "watched": board.seen,
            "m": standing,
            "r": of,
            "found": found,
            "past": [past_of(p) for p in found.past],
            "board": on_board,
            "span": span_of(board),
            "period": period,
            "periods": get_args(Period),
            "line": past,
            "latest": evidence(desk.store, model, tag, worst.round, worst.at) if worst else None,
            "ladder": _ladder(sight, of),
            "picture": chart.times(past.points, limits.first_text, past.since, past.at),
            "chart_said": chart.said(past.points, limits.first_text),
            "points": chart.data(past.points),
            "limit": limits.first_text,
            "days": _day_bars(past.days),
            "served": served_by(desk, standing, of.tag),
        }
        return paper.page(request, "route.html", values)

    @router.get("/evidence")
    def of_round(request: Request, _caller: Reader, model: Name, tag: Name, at: datetime) -> Response:
        desk.models([model])
        found = evidence(desk.store, model, tag, round_name(model, at), at)
        return paper.page(request, "evidence.html", {"place": "/", "e": found, "model": model, "tag": tag})

    return router


def known(routes: Sequence[RouteStanding], tag: str, model: str) -> RouteStanding:
    """The route that an address names; what no address can hold is written there as an escape.

    Raises:
        LookupError: there is none.
    """
    for found in routes:
        if tag in {found.tag, found.tag.encode("utf-8", "backslashreplace").decode()}:
            return found
    message = f"{model} has no route {tag!r} of which anything is known."
    raise LookupError(message)


def _ordered(on_board: RouteBoard | None) -> list[str]:
    """The contracts of a route: the first four, then those that were broken, then the others."""
    if on_board is None:
        return []
    rank = {name: n for n, name in enumerate(FIRST)}
    return sorted(on_board.contracts, key=lambda c: (rank.get(c, len(rank) + (c not in on_board.broken)), c))


def _ladder(sight: Sight, of: RouteStanding) -> list[dict[str, Any]]:
    """The steps of the ladder: which one stands, which one is next."""
    policy = sight.policy
    current = of.suspended(Lane.REAL) or of.suspended(Lane.SHADOW)
    lane = Lane.REAL if of.suspended(Lane.REAL) or Lane.REAL in of.rungs else Lane.SHADOW
    following = next_level(policy, of.rungs.get(lane), sight.at)
    return [
        {
            "level": n,
            "length": policy.length(n),
            "stands": current is not None and current.level == n,
            "next": current is None and following == n,
        }
        for n in range(1, len(policy.suspensions) + 1)
    ]


def _day_bars(days: Any) -> list[tuple[str, Any, int]]:
    """Each contract's days as a bar, and how often it failed in them."""
    return [
        (
            contract,
            bar("".join(LETTER_OF.get(d.worst, " ") for d in row), f"{len(row)} days"),
            sum(d.words.get("fail", 0) for d in row),
        )
        for contract, row in days.items()
    ]
