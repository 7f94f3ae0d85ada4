"""A LiteLLM proxy in a few lines: answers in the shapes of 1.106.12, its deployments scripted.

`tests/litellm` holds the real one to the same claims.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

import small_hosts

VERSION = "1.106.12"
KEY = "sk-proxy-0123456789"


@dataclass
class SmallLiteLLM:
    """`faults` by deployment id, all of one group; `listing` is how the listing fails."""

    group: str
    faults: Mapping[str, str | None]
    info: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    listing: str | None = None
    asked: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    async def model_info(self, request: web.Request) -> web.StreamResponse:
        if refused := _refused(request):
            return refused
        if self.listing == "listing_500":
            return web.Response(text="Internal Server Error", status=500, content_type="text/plain")
        if self.listing == "listing_html":
            return web.Response(text="<html>nginx</html>", content_type="text/html")
        if self.listing == "listing_empty":
            return web.json_response({"data": []})
        return web.json_response({"data": [self._entry(tag) for tag in self.faults]})

    def _entry(self, tag: str) -> dict[str, Any]:
        known = {
            "id": tag,
            "db_model": False,
            "key": "openai/story-70b",
            "input_cost_per_token": None,
            "output_cost_per_token": None,
            "litellm_provider": "openai",
            "supports_response_schema": True,
            "supports_function_calling": True,
            "supported_openai_params": ["max_tokens", "stream", "tools", "response_format"],
        }
        params = {"api_base": "http://10.0.0.5:8000/v1", "model": "openai/story-70b"}
        return {
            "model_name": self.group,
            "litellm_params": params,
            "model_info": known | dict(self.info.get(tag, {})),
        }

    async def chat(self, request: web.Request) -> web.StreamResponse:
        if refused := _refused(request):
            return refused
        body = await request.json()
        self.asked.append(body)
        tag = body["model"]
        if tag not in self.faults:
            message = f"/chat/completions: Invalid model name passed in model={tag}."
            return _error(400, message, "invalid_request_error")
        fault = self.faults[tag]
        if fault == "busy":
            message = "litellm.RateLimitError: RateLimitError: OpenAIException - Too many requests"
            return _error(429, message, "throttling_error")
        if fault in {"error_in_stream", "reset"}:
            fault = "error_in_stream"  # it tells a host's reset as an error of its own inside the stream
        headers = _headers(tag) | _EXTRA.get(fault or "", {})
        named = {name: value for name, value in headers.items() if value is not None}
        return await small_hosts.answered(
            request, body, fault, model=tag, headers=named, usage_choice=bool(body.get("stream"))
        )


# What differs in the head of an answer that is not the pinned deployment's own.
_EXTRA: Mapping[str, dict[str, str | None]] = {
    "other_deployment": {"x-litellm-model-id": "somebody-else"},
    "fallback": {"x-litellm-attempted-fallbacks": "1"},
    "retry": {"x-litellm-attempted-retries": "1"},
    "cached": {"x-litellm-cache-key": "33229513c53465492b320ecf0ec8d04b"},
    "unnamed": {"x-litellm-model-id": None},
}


def _headers(tag: str) -> dict[str, str | None]:
    return {
        "x-litellm-call-id": "ab3f4929-fc41-4cbd-98f7-6e4f228a96ab",
        "x-litellm-model-id": tag,
        "x-litellm-model-name": "openai/story-70b",
        "x-litellm-version": VERSION,
        "x-litellm-model-group": tag,
        "x-litellm-attempted-retries": "0",
        "x-litellm-attempted-fallbacks": "0",
    }


def _refused(request: web.Request) -> web.Response | None:
    """What a proxy without a database says to a key that is not its own."""
    if request.headers.get("Authorization") == f"Bearer {KEY}":
        return None
    return _error(400, "No connected db.", "no_db_connection")


def _error(status: int, message: str, kind: str) -> web.Response:
    error = {"message": message, "type": kind, "param": None, "code": str(status)}
    return web.json_response({"error": error}, status=status)


@asynccontextmanager
async def small_litellm(proxy: SmallLiteLLM) -> AsyncIterator[SmallLiteLLM]:
    """Serve a proxy on a free port."""
    app = web.Application()
    for prefix in ("", "/v1"):
        app.router.add_get(f"{prefix}/model/info", proxy.model_info)
        app.router.add_post(f"{prefix}/chat/completions", proxy.chat)
    async with small_hosts.served(app) as address:
        proxy.url = address
        yield proxy
