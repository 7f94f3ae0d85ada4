"""Pinned comparisons (R27): begun here, watched and stopped."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from serinus.service.comparing.documents import comparison_of as read
from serinus.service.comparing.documents import document, plan_document, summary
from serinus.service.comparing.request import ComparisonRequest
from serinus.web.access import Prober, Reader
from serinus.web.api.shapes.acts import ModelName
from serinus.web.api.shapes.traffic import CompareBody, CompareShape, ComparisonShape, ComparisonsShape
from serinus.web.documents import answer
from serinus.web.office import Office
from serinus.web.problems import Problem, documented

MOST: Final = 200
Name = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")]


def comparing(office: Office) -> APIRouter:
    """The routes of comparisons."""
    router = APIRouter(prefix="/comparisons", tags=["comparisons"], responses=documented(401, 403, 422, 503))
    store, laboratory = office.desk.store, office.laboratory

    @router.post("", response_model=CompareShape, responses=documented(400, 409, 413))
    async def compare(caller: Prober, body: CompareBody) -> Response:
        """Ask a route and its peers the same prompts, which costs money; with `dry_run` say only what.

        It is refused above what the day's budget has left, or above `budget`, and while another runs.
        It goes on when this is answered: `GET` its name tells how it stands.
        """
        request = ComparisonRequest(
            model=body.model,
            contract=body.contract,
            by=caller.name,
            routes=body.routes,
            answers=body.answers,
            peer_answers=body.peer_answers,
            languages=body.languages,
            leave=body.budget,
        )
        found = await (laboratory.foresee(request) if body.dry_run else laboratory.begin(request))
        return answer({**plan_document(found), "started": not body.dry_run})

    @router.get("", response_model=ComparisonsShape)
    def comparisons(
        _: Reader,
        model: Annotated[ModelName | None, Query()] = None,
        limit: Annotated[int, Query(ge=1, le=MOST)] = 50,
    ) -> Response:
        """Comparisons, newest first."""
        return answer({"comparisons": [summary(row) for row in store.comparisons.latest(model, limit=limit)]})

    @router.get("/{name}", response_model=ComparisonShape, responses=documented(404))
    def comparison(_: Reader, name: Name) -> Response:
        """One comparison, running or ended: counts by route, and what follows."""
        row = store.comparisons.get(name)
        if row is None:
            raise Problem(404, f"There is no comparison {name}.")
        return answer(document(read(row)))

    @router.post("/{name}/stop", status_code=204, response_class=Response, responses=documented(409))
    async def stop(_: Prober, name: Name) -> Response:
        """End a comparison after the requests in flight; what was measured is kept."""
        laboratory.stop(name)
        return Response(status_code=204)

    return router
