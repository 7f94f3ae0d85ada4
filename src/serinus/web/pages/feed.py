"""What tells open pages that the log grew: server-sent events, one a change, with the log's end as id."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse

from serinus.web.access import Reader
from serinus.web.office import Office

QUIET: Final = 15.0  # seconds after which a comment shows that the connection still stands
HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def feed(office: Office) -> APIRouter:
    """The feed. A page names the end of the log that it shows, a browser that comes again the last it got."""
    router = APIRouter(include_in_schema=False)

    @router.get("/live")
    async def live(
        _caller: Reader,
        since: Annotated[int, Query(ge=0)] = 0,
        last_event_id: Annotated[str, Header()] = "",
    ) -> StreamingResponse:
        seen = int(last_event_id) if last_event_id.isdecimal() else since
        return StreamingResponse(changes(office, seen), headers=HEADERS, media_type="text/event-stream")

    return router


async def changes(office: Office, seen: int) -> AsyncIterator[str]:
    """An event each time the log goes beyond what was seen; a comment while it does not."""
    yield "retry: 2000\n: serinus\n\n"
    while not office.changes.closed:
        newest = await office.changes.after(seen, QUIET)
        if newest > seen:
            seen = newest
            yield f"event: changed\nid: {seen}\ndata: {seen}\n\n"
        else:
            yield ": still here\n\n"
