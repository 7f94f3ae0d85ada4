"""No body is read beyond a size that any honest request stays far below."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serinus.web.problems import Problem

MOST: Final = 256 * 1024  # bytes: a file of prompts for a comparison is the largest there is


class SizeCap:
    """Refuses a body of more than `most` bytes, said beforehand or found while reading."""

    def __init__(self, app: ASGIApp, most: int = MOST) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with status 413."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self.most:
            await Problem(413, self._said()).response()(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.most:
                raise HTTPException(413, self._said())  # what reads bodies lets only this kind pass
            return message

        await self.app(scope, counted, send)

    def _said(self) -> str:
        return f"The body is too large; at most {self.most} bytes are allowed."
