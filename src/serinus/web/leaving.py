"""Work for somebody who may leave before it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request

_T = TypeVar("_T")


class LeftError(Exception):
    """Whoever asked has gone: nobody reads an answer."""


async def while_there(request: Request, work: Coroutine[Any, Any, _T]) -> _T:
    """The work's result; it is cancelled when whoever asked leaves.

    Raises:
        LeftError: they left.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise LeftError
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
