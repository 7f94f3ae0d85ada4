"""Asks an ASGI application in this process: one request after the other, cookies kept, as a browser would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    """Asks `app` from the address `peer`; `headers` go with each request."""

    app: Any
    peer: str = "127.0.0.1"
    host: str = "127.0.0.1:7717"
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    left: asyncio.Event = field(default_factory=asyncio.Event)

    def get(self, path: str, **headers: str) -> Answer:
        return asyncio.run(self.ask("GET", path, headers=named(headers)))

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        """A body as JSON."""
        sent = {"content-type": "application/json", **named(headers)}
        return asyncio.run(self.ask("POST", path, json.dumps(body).encode(), sent))

    def delete(self, path: str, body: Any = None, **headers: str) -> Answer:
        sent = {"content-type": "application/json", **named(headers)}
        return asyncio.run(self.ask("DELETE", path, json.dumps(body).encode(), sent))

    def submit(self, path: str, fields: Mapping[str, str], **headers: str) -> Answer:
        """A form, as a browser sends it."""
        sent = {"content-type": "application/x-www-form-urlencoded", **named(headers)}
        return asyncio.run(self.ask("POST", path, urlencode(fields).encode(), sent))

    async def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        *,
        leaves: bool = False,
    ) -> Answer:
        """One request, answered whole; with `leaves` whoever asks hangs up once `left` is set."""
        sent = {"host": self.host, **self.headers, **(headers or {})}
        if body:
            sent.setdefault("content-length", str(len(body)))
        if self.cookies:
            sent["cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        plain, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": plain,
            "raw_path": plain.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(k.lower().encode(), v.encode("latin-1")) for k, v in sent.items()],
            "client": (self.peer, 50_000),
            "server": ("127.0.0.1", 7717),
        }
        parts = [{"type": "http.request", "body": body, "more_body": False}]
        found: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            if parts:
                return parts.pop(0)
            await (self.left if leaves else asyncio.Event()).wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            found.append(message)

        try:
            await self.app(scope, receive, send)
        except Exception:
            if not found:
                raise
        return self._answer(found)

    def _answer(self, found: list[dict[str, Any]]) -> Answer:
        headers = [(k.decode("latin-1").lower(), v.decode("latin-1")) for k, v in found[0]["headers"]]
        for name, value in headers:
            if name == "set-cookie":
                for cookie in SimpleCookie(value).values():
                    self.cookies[cookie.key] = cookie.value
                    if cookie["max-age"] == "0" or not cookie.value:
                        del self.cookies[cookie.key]
        body = b"".join(m.get("body", b"") for m in found[1:])
        return Answer(found[0]["status"], dict(headers), body)


def named(headers: Mapping[str, str]) -> dict[str, str]:
    """`x_csrf_token` is the header x-csrf-token."""
    return {k.replace("_", "-"): v for k, v in headers.items()}


@asynccontextmanager
async def started(app: Any) -> AsyncIterator[None]:
    """While the application lives, its own tasks too."""
    asked: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    async with asyncio.TaskGroup() as group:
        group.create_task(
            app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, asked.get, said.put)
        )
        await asked.put({"type": "lifespan.startup"})
        assert (await said.get())["type"] == "lifespan.startup.complete"
        try:
            yield
        finally:
            await asked.put({"type": "lifespan.shutdown"})
            await said.get()
