"""Inference servers in a few lines, in the shapes of llama.cpp and vLLM, each with its own way to fail."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from aiohttp import web

SCENE = (
    "The miller's daughter opens the half-door and holds her candle against the rain. “You came over the "
    "ridge in this weather?” she asks, and makes room at the hearth. There is barley broth in the pot and a "
    "dry blanket on the bench, and the wheel outside turns slowly in the dark."
)
IDS = count(1)


@dataclass
class Host:
    """One server. `fault` is None or a name of `FAULTS`; `asked` are the bodies that came."""

    fault: str | None = None
    serves: str = "story-70b"
    asked: list[dict[str, Any]] = field(default_factory=list)
    key: str | None = None
    url: str = ""

    async def models(self, request: web.Request) -> web.StreamResponse:
        if self.fault == "listing_500":
            return web.json_response(
                {"error": {"message": "out of order", "type": "server_error"}}, status=500
            )
        if self.fault == "listing_html":
            return web.Response(text="<html>It works!</html>", content_type="text/html")
        if self.fault == "listing_empty":
            return web.json_response({"error": {"message": "Loading model", "code": 503}}, status=503)
        if self.key is not None and request.headers.get("Authorization") != f"Bearer {self.key}":
            return web.json_response({"error": {"message": "Invalid API Key", "code": 401}}, status=401)
        if self.fault == "no_models":
            return web.json_response({"error": {"message": "File Not Found", "code": 404}}, status=404)
        return web.json_response({"object": "list", "data": [{"id": self.serves, "object": "model"}]})

    async def chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(body)
        return await answered(request, body, self.fault, model=self.serves)


async def answered(
    request: web.Request,
    body: Mapping[str, Any],
    fault: str | None,
    *,
    model: str,
    headers: Mapping[str, str] | None = None,
    usage_choice: bool = False,
) -> web.StreamResponse:
    """The answer to a chat request; `usage_choice` puts an empty choice beside the usage, as LiteLLM does."""
    head = dict(headers or {})
    if fault == "busy":
        error = {"message": "Too many requests", "type": "rate_limit_error", "code": 429}
        return web.json_response({"error": error}, status=429, headers=head)
    if fault == "silence":
        await asyncio.sleep(30)
    about = {"id": f"chatcmpl-{next(IDS)}", "created": 1_796_000_000, "model": model}
    if not body.get("stream"):
        choice = {"index": 0, "message": {"role": "assistant", **_said(body)}, "finish_reason": _finish(body)}
        whole = {**about, "object": "chat.completion", "choices": [choice], "usage": _usage()}
        return web.json_response(whole, headers=head)
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", **head})
    await response.prepare(request)
    if fault == "comments_only":
        while True:
            await response.write(b": keep-alive\n\n")
            await asyncio.sleep(0.1)
    await _stream(request, response, body, fault, about, usage_choice=usage_choice)
    return response


async def _stream(request, response, body, fault, about, *, usage_choice):
    about = {**about, "object": "chat.completion.chunk"}

    async def send(delta, finish=None, **more):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        event = {**about, "choices": [choice], **more}
        await response.write(f"data: {json.dumps(event)}\n\n".encode())
        await asyncio.sleep(0)

    await send({"role": "assistant", "content": None})
    said = _said(body)
    if "tool_calls" in said:
        calls = [{**call, "index": n} for n, call in enumerate(said["tool_calls"])]
        await send({"tool_calls": calls})
    words = (said["content"] or "").split(" ")
    for n, word in enumerate(words):
        await send({"content": word + " " * (n + 1 < len(words))})
        if n == 8 and fault == "error_in_stream":
            error = {"error": {"message": "the engine died", "type": "server_error", "code": 500}}
            await response.write(f"data: {json.dumps(error)}\n\n".encode())
            return
        if n == 8 and fault == "reset":
            sock = request.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            request.transport.abort()
            return
    await send({}, _finish(body))
    choices = [{"index": 0, "delta": {}}] if usage_choice else []
    await response.write(f"data: {json.dumps({**about, 'choices': choices, 'usage': _usage()})}\n\n".encode())
    await response.write(b"data: [DONE]\n\n")


def _said(body: Mapping[str, Any]) -> dict[str, Any]:
    if body.get("tools"):
        function = {"name": body["tools"][0]["function"]["name"], "arguments": '{"q": "harbour"}'}
        return {"content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    if body.get("response_format"):
        return {"content": '{"a": "harbour"}'}
    return {"content": SCENE}


def _finish(body: Mapping[str, Any]) -> str:
    return "tool_calls" if body.get("tools") else "stop"


def _usage() -> dict[str, int]:
    return {"prompt_tokens": 43, "completion_tokens": 64, "total_tokens": 107}


@asynccontextmanager
async def served(app: web.Application) -> AsyncIterator[str]:
    """The application on a free port; yields its address."""
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def small_host(host: Host) -> AsyncIterator[Host]:
    """Serve a host; its `url` is the address of its API."""
    app = web.Application()
    app.router.add_get("/v1/models", host.models)
    app.router.add_post("/v1/chat/completions", host.chat)
    app.router.add_get("/health", _alive)
    async with served(app) as address:
        host.url = f"{address}/v1"
        yield host


async def _alive(_request: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


@asynccontextmanager
async def small_hosts(hosts: Mapping[str, Host]) -> AsyncIterator[Mapping[str, Host]]:
    """Serve several."""
    async with AsyncExitStack() as stack:
        for host in hosts.values():
            await stack.enter_async_context(small_host(host))
        yield hosts
