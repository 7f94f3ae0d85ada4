"""A proxy before a gateway that says what a test scripts, and callers that speak raw HTTP to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from yarl import URL

from raw_server import Script, raw_server
from serinus.service.ledger import Served
from serinus.traffic.proxy.bookkeeper import Bookkeeper
from serinus.traffic.proxy.server import Proxy, listening, serving
from serinus.traffic.proxy.settings import Bounds, Gateway

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
KEY = "sk-or-v1-canary-in-the-key"
PROMPT = "canary-in-the-prompt"
CHAT = {"model": "acme/story-70b", "stream": True, "messages": [{"role": "user", "content": PROMPT}]}


@dataclass(frozen=True)
class Listed:
    """Exclusions that stand still."""

    names: tuple[str, ...] = ("cedar/fp4",)
    by_people: tuple[str, ...] = ()

    def ignore(self, model: str) -> tuple[str, ...]:
        return () if model.endswith("/free") else self.names

    def people(self, model: str) -> tuple[str, ...]:
        del model
        return self.by_people


class Heard:
    """A log that remembers."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def info(self, event: str, **facts: Any) -> None:
        self.lines.append(json.dumps([event, facts], default=str))

    warning = error = info


class Pages(Bookkeeper):
    """A ledger that stays in memory: rows are there as soon as they are handed over."""

    def __init__(self) -> None:
        super().__init__(_nowhere, lambda: NOW, Heard())
        self.rows: list[Served] = []

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def add(self, served: Served) -> None:
        self.rows.append(served)


def _nowhere() -> Any:
    raise AssertionError


@dataclass
class Rig:
    """A running proxy and what is around it."""

    proxy: Proxy
    books: Pages
    log: Heard
    port: int

    async def dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def say(self, request: bytes) -> bytes:
        """Everything that comes back until the proxy hangs up."""
        return await say(self.port, request)

    async def row(self) -> Served:
        """The next row of the ledger, waited for."""
        while not self.books.rows:  # noqa: ASYNC110  the ledger rings no bell
            await asyncio.sleep(0.01)
        return self.books.rows.pop(0)

    async def idle(self) -> None:
        """Wait until nothing is on its way."""
        while self.proxy.in_flight:  # noqa: ASYNC110  as above
            await asyncio.sleep(0.01)


async def say(port: int, request: bytes) -> bytes:
    """Everything that comes back until the other end hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        return await asyncio.wait_for(reader.read(), 20)
    finally:
        await hang_up(writer)


async def hang_up(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


@asynccontextmanager
async def proxied(
    base: str, *, exclusions: Any = None, bounds: Bounds | None = None, **gateway: Any
) -> AsyncIterator[Rig]:
    """A proxy before the gateway at this URL."""
    sock = listening("127.0.0.1", 0)
    books, log = Pages(), Heard()
    async with serving(
        sock,
        Gateway(URL(base), **gateway),
        bounds or Bounds(),
        exclusions or Listed(),
        now=lambda: NOW,
        log=log,
        books=books,
    ) as proxy:
        yield Rig(proxy, books, log, sock.getsockname()[1])


def against(script: Script, story: Callable[[Rig], Any], **settings: Any) -> Any:
    """Run a story of a caller against a proxy before a gateway with this script."""

    async def told() -> Any:
        async with raw_server(script) as base, proxied(f"{base}/api/v1", **settings) as rig:
            return await asyncio.wait_for(story(rig), 30)

    return asyncio.run(told())


def post(body: bytes, path: str = "/v1/chat/completions", *fields: str, close: bool = True) -> bytes:
    """A request as bytes."""
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: proxy",
        f"Authorization: Bearer {KEY}",
        f"Content-Length: {len(body)}",
        *fields,
        *(["Connection: close"] if close else []),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def chat(**more: Any) -> bytes:
    """The body of a chat request."""
    return json.dumps(CHAT | more).encode()


def split(answer: bytes) -> tuple[int, dict[bytes, bytes], bytes]:
    """Status, header fields and body of an answer, its chunks put together."""
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.split(b"\r\n")
    fields = dict(line.split(b": ", 1) for line in lines)
    if fields.get(b"transfer-encoding") == b"chunked":
        plain = b""
        while body:
            size, _, body = body.partition(b"\r\n")
            plain, body = plain + body[: int(size, 16)], body[int(size, 16) + 2 :]
        body = plain
    return int(status.split()[1]), fields, body
