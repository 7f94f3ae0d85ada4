"""GET /v1/decisions: the log, page by page."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response

from serinus.core.instants import FIRST
from serinus.service.desk import Desk
from serinus.service.logbook import Wanted, known_kinds, lines
from serinus.service.records.loglines import document
from serinus.web.access import Reader
from serinus.web.api.shapes.acts import When
from serinus.web.api.shapes.log import LinesShape
from serinus.web.documents import answer
from serinus.web.problems import documented

MOST: Final = 1000
KINDS: Final = tuple(sorted(known_kinds()))


def log(desk: Desk) -> APIRouter:
    """The route that shows the log."""
    router = APIRouter(tags=["log"], responses=documented(401, 403, 422, 503))

    @router.get("/decisions", response_model=LinesShape)
    def decisions(  # noqa: PLR0913, PLR0917  each is a filter
        _: Reader,
        model: Annotated[str | None, Query(min_length=1, max_length=512)] = None,
        route: Annotated[str | None, Query(min_length=1, max_length=256)] = None,
        kind: Annotated[list[Literal[*KINDS]], Query(max_length=50)] = [],  # type: ignore[valid-type]  # noqa: B006
        since: Annotated[When | None, Query()] = None,
        after: Annotated[int, Query(ge=0, le=2**53, description="Only those with a greater number.")] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST)] = 100,
    ) -> Response:
        """What was decided and what operators did, oldest first; what concerns all models is there too."""
        wanted = Wanted(since or FIRST, model, route, frozenset(kind), after)
        found = list(islice(lines(desk.store, wanted), limit + 1))
        page = found[:limit]
        return answer(
            {
                "decisions": [document(line) for line in page],
                "next": page[-1].seq if len(found) > limit else None,
            }
        )

    return router
