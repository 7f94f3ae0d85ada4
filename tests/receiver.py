"""A web server that keeps what it is sent: the other end of channels and heartbeats."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class Receiver:
    """Answers with the status that `answer` gives for the n-th request (from 1) to a path."""

    answer: Callable[[str, int], int] = lambda path, n: 204  # noqa: ARG005  the plainest answer
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    base: str = ""

    def at(self, path: str) -> list[dict[str, Any]]:
        """The JSON bodies posted to a path."""
        return [json.loads(body) for where, _, body in self.got if where == path]

    def notices(self, path: str) -> list[dict[str, Any]]:
        return [notice for body in self.at(path) for notice in body["notices"]]

    def calls(self, path: str) -> int:
        return sum(where == path for where, _, _ in self.got)

    async def _take(self, request: web.Request) -> web.Response:
        self.got.append((request.path, dict(request.headers), await request.read()))
        status = self.answer(request.path, self.calls(request.path))
        return web.Response(status=status, headers={"Location": f"{self.base}/elsewhere"})

    @asynccontextmanager
    async def served(self) -> AsyncIterator[Receiver]:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._take)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self
        finally:
            await runner.cleanup()


@contextmanager
def beside(*opened: Any) -> Iterator[list[Any]]:
    """Async contexts, open in a thread of their own while the block runs; yields what they gave."""
    ready, over, found = threading.Event(), threading.Event(), list[Any]()

    async def hold() -> None:
        async with AsyncExitStack() as stack:
            found.extend([await stack.enter_async_context(one) for one in opened])
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(hold()), daemon=True)
    thread.start()
    assert ready.wait(30)
    try:
        yield found
    finally:
        over.set()
        thread.join(20)
