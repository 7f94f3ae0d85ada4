"""Exclusions in requests of the openai SDK, by one hook of its HTTP client or by hand.

    from openai import DefaultHttpxClient, OpenAI

    http_client = DefaultHttpxClient(event_hooks=event_hooks(exclusions))
    client = OpenAI(base_url="https://openrouter.ai/api/v1", http_client=http_client)

The request is taken as it is, whichever of httpx2 and httpx made it; neither is imported here.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

from serinus.traffic.client import Exclusions
from serinus.traffic.client.telling import failed

GATEWAY: Final = "openrouter.ai"  # and its regions: eu.openrouter.ai, us.openrouter.ai
ENDPOINTS: Final = ("/chat/completions", "/responses", "/messages", "/completions", "/embeddings")

Hook = Callable[[Any], None]
AsyncHook = Callable[[Any], Awaitable[None]]


def event_hooks(exclusions: Exclusions, host: str | None = None) -> dict[str, list[Hook]]:
    """The `event_hooks` of a synchronous client (`DefaultHttpxClient`, `httpx2.Client`).

    Requests to the gateway get the names in their `provider.ignore`, beside the caller's own. `host` is
    the gateway's host with its port where that is not OpenRouter, such as `127.0.0.1:8765`: other servers
    refuse a field that they do not know, so that requests to them are left as they are.
    """

    def hook(request: Any) -> None:
        if not exclusions.nothing:
            _edit(exclusions, host, request)

    return {"request": [hook]}


def async_event_hooks(exclusions: Exclusions, host: str | None = None) -> dict[str, list[AsyncHook]]:
    """The `event_hooks` of an asynchronous client (`DefaultAsyncHttpxClient`); as `event_hooks`."""

    async def hook(request: Any) -> None:
        if not exclusions.nothing:
            _edit(exclusions, host, request)

    return {"request": [hook]}


def extra_body(
    exclusions: Exclusions, model: str, extra: dict[str, Any] | None = None
) -> dict[str, Any] | None:
    """The `extra_body` of one call: what the caller has there, and the names beside it.

    The same object comes back where nothing is to be added. It is quicker than the hook, which has to
    read what the SDK wrote.
    """
    if exclusions.nothing:
        return extra
    asked = {} if extra is None else extra
    applied = exclusions.apply(asked, model)
    return extra if applied is asked else applied


def _edit(exclusions: Exclusions, host: str | None, request: Any) -> None:
    """Put the names into a request, in its place; whatever goes wrong, it is sent as it was."""
    try:
        if request.method == "POST" and _is_ours(request.url, host):
            content = request.content
            edited = edited_body(exclusions, content)
            if edited is not content:
                _replace(request, edited)
    except Exception as error:  # noqa: BLE001  a request is never lost to us: it may be a stream, or another shape
        failed("a request was sent without exclusions", error)


def edited_body(exclusions: Exclusions, content: bytes) -> bytes:
    """A body with the names in it; the same object where nothing is to be added.

    Without a `provider` of the caller's own, everything else stays byte for byte.

    Raises:
        ValueError: it is no JSON.
    """
    body = json.loads(content.decode())
    if not isinstance(body, dict):
        return content
    applied = exclusions.apply(body)
    if applied is body:
        return content
    if "provider" in body:
        return _written(applied)
    start = content.index(b"{") + 1
    field = _written({"provider": applied["provider"]})[1:-1]
    return b"".join((content[:start], field, b"," if body else b"", content[start:]))


def _is_ours(url: Any, host: str | None) -> bool:
    """Whether a request goes to an endpoint of the gateway that reads `provider`."""
    if not url.path.endswith(ENDPOINTS):
        return False
    if host is not None:
        return bool(url.netloc.decode("ascii") == host)
    return bool(url.host == GATEWAY or url.host.endswith(f".{GATEWAY}"))


def _written(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate: it can only be sent as an escape
        return json.dumps(value, separators=(",", ":")).encode()


def _replace(request: Any, content: bytes) -> None:
    """Give a request another body, with all that follows from it, as its own class makes one."""
    headers = [(name, value) for name, value in request.headers.raw if name.lower() != b"content-length"]
    fresh = type(request)(
        request.method, request.url, headers=headers, content=content, extensions=request.extensions
    )
    vars(request).update(vars(fresh))
