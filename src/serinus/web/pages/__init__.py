"""The pages that operators see and touch: server-rendered, working without JavaScript, live with it."""

from __future__ import annotations

from fastapi import APIRouter

from serinus.service.boards import Boards
from serinus.web.pages.acting import acting
from serinus.web.pages.comparison import comparison
from serinus.web.pages.comparisons import comparisons
from serinus.web.pages.decisions import decisions
from serinus.web.pages.doors import doors
from serinus.web.pages.exclusions import exclusions
from serinus.web.pages.feed import feed
from serinus.web.pages.observe import observe
from serinus.web.pages.operators import operators
from serinus.web.pages.overview import overview
from serinus.web.pages.paper import Paper
from serinus.web.pages.password import password
from serinus.web.pages.plan import plan
from serinus.web.pages.probe import probe
from serinus.web.pages.reports import reports
from serinus.web.pages.route import route
from serinus.web.pages.statics import statics_router
from serinus.web.pages.theme import theme
from serinus.web.pages.traffic import traffic


def pages(paper: Paper) -> APIRouter:
    """Every page, and what the pages load."""
    office = paper.office
    boards = Boards(office.desk)
    router = APIRouter(include_in_schema=False)
    for page in (
        statics_router(paper.statics),
        feed(office),
        theme(paper),
        doors(paper),
        overview(paper, boards),
        route(paper, boards),
        decisions(paper),
        exclusions(paper),
        acting(paper),
        observe(paper),
        plan(paper),
        reports(paper),
        comparisons(paper),
        comparison(paper),
        probe(paper),
        traffic(paper),
        operators(paper),
        password(paper),
    ):
        router.include_router(page)
    return router
