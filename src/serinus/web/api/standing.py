"""Where everything stands, and why."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from serinus.core.instants import format_instant
from serinus.core.policy import Lane
from serinus.service.desk import Desk
from serinus.service.explaining import explained
from serinus.service.records import explanation, time
from serinus.service.records.standing import document, model_document
from serinus.service.standing import ModelStanding, troubles
from serinus.web.access import Reader
from serinus.web.api.shapes.standing import ExplanationShape, ModelShape, ModelsShape, StatusShape
from serinus.web.documents import answer
from serinus.web.problems import Problem, documented

_PROBLEMS: Final = documented(401, 403, 404, 422, 503)
Name = Annotated[str, Path(min_length=1, max_length=512)]
Models = Annotated[
    list[Annotated[str, Query(min_length=1, max_length=512)]],
    Query(alias="model", max_length=100, description="Only these; all where none is named."),
]
Tag = Annotated[
    str, Query(min_length=1, max_length=256, description="The gateway's tag, such as deepinfra/fp8.")
]


def standing(desk: Desk) -> APIRouter:
    """The routes that show where everything stands."""
    router = APIRouter(tags=["standing"], responses=_PROBLEMS)

    @router.get("/status", response_model=StatusShape)
    def status(_: Reader, models: Models = []) -> Response:  # noqa: B006  FastAPI copies it
        """Models, routes, contracts, money, and what needs a look: as `serinus status --json`."""
        found = desk.standing(models)
        return answer(document(found, troubles(found)))

    @router.get("/models", response_model=ModelsShape)
    def list_models(_: Reader) -> Response:
        """Every model in a line."""
        sight = desk.sight()
        found = [_summary(sight.model(name, findings=False), desk) for name in desk.models()]
        return answer({"at": format_instant(sight.at), "models": found})

    @router.get("/routes/{model:path}", response_model=ModelShape)
    def routes(_: Reader, model: Name) -> Response:
        """One model with every route."""
        return answer(model_document(desk.sight().model(*desk.models([model]))))

    @router.get("/explanations/{model:path}", response_model=ExplanationShape)
    def explain(_: Reader, model: Name, route: Tag) -> Response:
        """Why a route is in production or out of it, what would change that, on which evidence."""
        sight = desk.sight()
        found = sight.model(*desk.models([model]), only=route)
        for each in found.routes:
            if each.tag == route:
                return answer(explanation.document(explained(sight, found, each)))
        tags = ", ".join(r.tag for r in found.routes) or "none yet"
        raise Problem(404, f"{route!r} is no known route of {model}; known: {tags}.", kind="unknown_name")

    return router


def _summary(model: ModelStanding, desk: Desk) -> dict[str, Any]:
    return {
        "model": model.model,
        "configured": model.model in desk.configured,
        "capacity": model.capacity,
        "floor": model.floor,
        "routes": len(model.routes),
        "live": sum(r.live for r in model.routes),
        "production": sum(r.live and not r.out for r in model.routes),
        "suspended": sum(r.suspended(Lane.REAL) is not None for r in model.routes),
        "last_round": time(model.last.at) if model.last else None,
        "next_round": time(model.next),
        "stale": model.stale,
    }
