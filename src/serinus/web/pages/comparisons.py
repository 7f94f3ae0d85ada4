"""Pinned comparisons: what one would cost, how it goes, what it shows (R27)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from serinus.core import explain
from serinus.core.explain.comparisons import of_percent
from serinus.probes.languages import available
from serinus.service.comparing.asked import known_contracts
from serinus.service.comparing.plan import Plan
from serinus.service.comparing.price import refusal
from serinus.service.comparisons import ComparisonRow
from serinus.service.documents import offers_of
from serinus.service.reporting import contract_of, suspects_of
from serinus.service.reports import ReportRow
from serinus.web.access import Prober, Reader
from serinus.web.laboratory import NO_GATEWAY
from serinus.web.pages.paper import Paper
from serinus.web.pages.wanted import Wanted, request_of
from serinus.web.problems import Problem
from serinus.web.threads import aside

MOST: Final = 30
HERE: Final = {"place": "/compare", "here": "/compare"}


def comparisons(paper: Paper) -> APIRouter:
    """The form, and what a comparison would ask and cost before it is begun."""
    router = APIRouter(include_in_schema=False)
    desk, laboratory = paper.office.desk, paper.office.laboratory

    @router.get("/compare")
    def ask(request: Request, _caller: Reader, wanted: Annotated[Wanted, Query()]) -> Response:
        return _form(paper, request, _of_report(paper, wanted))

    @router.post("/compare/look")
    async def look(request: Request, caller: Prober, wanted: Annotated[Wanted, Form()]) -> Response:
        try:
            asked = request_of(wanted, caller.name)
            plan = await laboratory.foresee(asked)
        except Problem as problem:
            return await aside(partial(_form, paper, request, wanted, problem))
        return await aside(lambda: _look(paper, request, wanted, plan))

    @router.post("/compare")
    async def begin(request: Request, caller: Prober, wanted: Annotated[Wanted, Form()]) -> Response:
        try:
            plan = await laboratory.begin(request_of(wanted, caller.name))
        except Problem as problem:
            return await aside(partial(_form, paper, request, wanted, problem))
        number = int(wanted.report) if wanted.report.isdecimal() else None
        if number is not None and await aside(lambda: desk.store.reports.one(number)) is not None:
            await aside(lambda: desk.store.reports.link(number, plan.name))
        return paper.to(f"/comparisons/{plan.name}")

    return router


def _form(paper: Paper, request: Request, wanted: Wanted, problem: Problem | None = None) -> Response:
    desk = paper.office.desk
    models = desk.models()
    if wanted.model not in models:
        wanted = wanted.model_copy(update={"model": models[0] if models else ""})
    offers = {o.route.tag: o for o in offers_of(desk.store.listing(wanted.model))} if wanted.model else {}
    rows = desk.store.comparisons.latest(limit=MOST)
    running = paper.office.laboratory.running
    values = {
        **HERE,
        "w": wanted,
        "models": models,
        "offers": list(offers.values()),
        "controls": desk.controls.get(wanted.model, frozenset()),
        "others": [tag for tag in wanted.route if tag not in offers],
        "contracts": known_contracts(),
        "languages": available(),
        "left": explain.of_day(desk.store.spent(desk.at.date()), desk.budget),
        "able": paper.office.laboratory.able,
        "no_gateway": NO_GATEWAY,
        "running": running.name if running else None,
        "trouble": problem.detail if problem else None,
        "lines": [Line.of(row) for row in rows],
    }
    return paper.page(request, "compare.html", values, problem.status if problem else 200)


def _look(paper: Paper, request: Request, wanted: Wanted, plan: Plan) -> Response:
    desk = paper.office.desk
    spent = desk.store.spent(desk.at.date())
    found = plan.estimate
    seen = None if plan.detectable is None else of_percent(plan.detectable)
    values = {
        **HERE,
        "w": wanted,
        "plan": plan,
        "said": [
            explain.of_price(found.requests, found.tokens, found.usd, found.most),
            explain.of_day(spent, desk.budget),
            explain.of_power(seen),
            *plan.notes,
            *([explain.of_unpriced(found.unpriced)] if found.unpriced else []),
        ],
        "refused": refusal(plan.request, found.usd, spent, desk.budget),
    }
    return paper.page(request, "compare_look.html", values)


def _of_report(paper: Paper, wanted: Wanted) -> Wanted:
    """The form filled in from a kept report; raises Problem where there is none of that number."""
    if not wanted.report:
        return wanted
    row = paper.office.desk.store.reports.one(int(wanted.report)) if wanted.report.isdecimal() else None
    if row is None:
        raise Problem(404, f"There is no report {wanted.report}.")
    return wanted.model_copy(update=_filled(row))


def _filled(row: ReportRow) -> Mapping[str, Any]:
    return {"model": row.model, "route": suspects_of(row), "contract": contract_of(row) or ""}


@dataclass(frozen=True, slots=True)
class Line:
    """One comparison in the list."""

    row: ComparisonRow
    contract: str
    done: int
    wanted: int
    sentence: str | None

    @classmethod
    def of(cls, row: ComparisonRow) -> Line:
        """The line of a kept comparison."""
        kept = row.document
        verdict = kept["verdict"]
        return cls(row, kept["contract"], kept["done"], kept["wanted"], verdict and verdict["sentence"])
