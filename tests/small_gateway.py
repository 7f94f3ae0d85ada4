"""A gateway in a few lines: answers by path, and what was asked of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Reply = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Asked:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class SmallGateway:
    """Replies by `/path`; anything else is a 404. `asked` is what came, in order."""

    replies: Mapping[str, Reply]
    asked: list[Asked] = field(default_factory=list)
    url: str = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.json() if request.can_read_body else None
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.asked.append(Asked(request.path_qs.removeprefix("/api/v1"), headers, body))
        reply = self.replies.get(request.path.removeprefix("/api/v1"))
        return await reply(request) if reply else web.json_response({"error": {"code": 404}}, status=404)


def json_reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    async def reply(_request: web.Request) -> web.Response:
        return web.json_response(value, status=status, headers=headers)

    return reply


def text_reply(text: str, status: int = 200, content_type: str = "text/html") -> Reply:
    async def reply(_request: web.Request) -> web.Response:
        return web.Response(text=text, status=status, content_type=content_type)

    return reply


def in_turn(*replies: Reply) -> Reply:
    """The first reply first, and so on; the last one stays."""
    left = list(replies)

    async def reply(request: web.Request) -> web.StreamResponse:
        return await (left.pop(0) if len(left) > 1 else left[0])(request)

    return reply


@asynccontextmanager
async def small_gateway(replies: Mapping[str, Reply]) -> AsyncIterator[SmallGateway]:
    """Serve on a free port."""
    gateway = SmallGateway(replies)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", gateway.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    gateway.url = f"http://{host}:{port}/api/v1"
    try:
        yield gateway
    finally:
        await runner.cleanup()
