"""The web application: the API, the pages, and the doors before them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import FastAPI

import serinus
from serinus.service.figures import Bookkeeper
from serinus.web.api import api
from serinus.web.api.health import health
from serinus.web.door import Door
from serinus.web.headers import SafeHeaders
from serinus.web.metrics import metrics
from serinus.web.office import Office
from serinus.web.pages import pages
from serinus.web.pages.doors import problem_page
from serinus.web.pages.paper import Paper
from serinus.web.problems import DescribedApp, answer_problems
from serinus.web.sessions import sessions
from serinus.web.sizes import SizeCap
from serinus.web.threads import few_threads


def make_app(office: Office) -> FastAPI:
    """The application over an office. Nothing is loaded from another host, not even by its documentation."""

    @asynccontextmanager
    async def watching(_app: FastAPI) -> AsyncIterator[None]:
        few_threads()
        async with office.changes.watching(), office.laboratory.opened():
            yield

    app = DescribedApp(
        title="serinus",
        summary="Which hosts of a model are kept from user traffic, why, and until when.",
        version=serinus.__version__,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=watching,
        redirect_slashes=False,
        separate_input_output_schemas=False,
    )
    app.state.office = office
    app.include_router(health(office))
    app.include_router(api(office))
    app.include_router(metrics(Bookkeeper(office.desk, office.channels), office.route_series))
    paper = Paper(office)
    app.include_router(pages(paper))
    app.include_router(sessions(office.gate, office.site))
    answer_problems(app, partial(problem_page, paper))
    # The last one is the first to be passed.
    app.add_middleware(Door, gate=office.gate, site=office.site)
    app.add_middleware(SizeCap)
    app.add_middleware(SafeHeaders)
    return app
