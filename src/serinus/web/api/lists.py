"""GET /v1/exclusions: what applications poll, with entity tags and long polls."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import Response

from serinus.web.access import Reader
from serinus.web.api.shapes.lists import ListShape, ListsShape
from serinus.web.bulletin import Bulletin, Edition, Leaf
from serinus.web.documents import JSON
from serinus.web.leaving import while_there
from serinus.web.live import Changes
from serinus.web.problems import documented
from serinus.web.threads import Quick

LONGEST_WAIT: Final = 60.0
A_MOMENT: Final = timedelta(milliseconds=1)  # an entry that ends is out of the list just after its `until`

Wait = Annotated[
    float,
    Query(
        ge=0,
        le=LONGEST_WAIT,
        allow_inf_nan=False,
        description="Wait so many seconds at most for a list other than the one of If-None-Match.",
    ),
]
Tag = Annotated[
    str | None,
    Header(alias="If-None-Match", max_length=2000, description="The ETag of the list that is already there."),
]
ModelName = Annotated[
    str, Path(min_length=1, max_length=512, description="As the gateway names it, slashes and all.")
]

_MODIFIED: Final = {
    "description": "The list, or lists.",
    "headers": {"ETag": {"description": "What the list says.", "schema": {"type": "string"}}},
}
_NOT_MODIFIED: Final = {"description": "It is still the list of If-None-Match."}
_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: _MODIFIED,
    304: _NOT_MODIFIED,
    **documented(401, 403, 422, 503),
}


def lists(bulletin: Bulletin, changes: Changes) -> APIRouter:
    """The routes that applications poll."""
    router = APIRouter(tags=["exclusions"])
    desk = _Counter(bulletin, changes)

    @router.get("/exclusions", response_model=ListsShape, responses=_RESPONSES)
    async def published_lists(request: Request, _: Reader, wait: Wait = 0, etag: Tag = None) -> Response:
        """The ignore list of every model, with its provenance.

        With `If-None-Match` and `wait` it is answered as soon as any list is another one.
        """
        return await desk.hand_out(request, None, wait, etag)

    @router.get("/exclusions/{model:path}", response_model=ListShape, responses=_RESPONSES)
    async def published_list(
        request: Request, _: Reader, model: ModelName, wait: Wait = 0, etag: Tag = None
    ) -> Response:
        """The ignore list of one model; of a model that is not known, what holds for all."""
        return await desk.hand_out(request, model, wait, etag)

    return router


class _Counter:
    """Hands documents out, at once or when they change."""

    def __init__(self, bulletin: Bulletin, changes: Changes) -> None:
        self.bulletin = bulletin
        self.changes = changes
        self._quick = Quick()

    async def hand_out(self, request: Request, model: str | None, wait: float, etag: str | None) -> Response:
        """The document, or 304 if it is still the one that is there."""
        if etag is None:
            leaf = (await self._quick.look(partial(self._newest, model)))[1]
        else:
            leaf = await while_there(request, self._other(model, wait, etag))
        headers = {"ETag": leaf.etag, "Cache-Control": "private, no-cache"}
        if etag is not None and matches(etag, leaf.etag):
            return Response(status_code=304, headers=headers)
        return Response(leaf.body, headers=headers, media_type=JSON)

    async def _other(self, model: str | None, wait: float, etag: str) -> Leaf:
        """The document as soon as it is another one, or as it is after so many seconds."""
        loop = asyncio.get_running_loop()
        until = loop.time() + wait
        while True:
            edition, leaf = await self._quick.look(partial(self._newest, model))
            left = until - loop.time()
            if left <= 0 or self.changes.closed or not matches(etag, leaf.etag):
                return leaf
            ends_in = edition.until - self.bulletin.desk.at + A_MOMENT
            await self.changes.after(edition.seen, min(left, max(ends_in, A_MOMENT).total_seconds()))

    def _newest(self, model: str | None) -> tuple[Edition, Leaf]:
        edition = self.bulletin.edition()
        return edition, self.bulletin.leaf(edition, model)


def matches(given: str, etag: str) -> bool:
    """Whether an If-None-Match header names this tag; weak ones count (RFC 9110 §13.1.2)."""
    tags = [tag.strip().removeprefix("W/") for tag in given.split(",")]
    return "*" in tags or etag in tags
