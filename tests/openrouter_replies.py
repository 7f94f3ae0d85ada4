"""What a small OpenRouter says: its listing, a healthy stream, and the offer and probe that ask for it."""

from __future__ import annotations

import json

from aiohttp import web

from serinus.core.model import Message, Offer, Probe, Route
from small_gateway import json_reply

MODEL = "acme/story-70b"
ENDPOINTS = f"/models/{MODEL}/endpoints"
KEY = "sk-or-v1-0123456789"
OFFER = Offer(Route(MODEL, "deepinfra/fp8"), "deepinfra", "DeepInfra", frozenset({"max_tokens"}))
PROBE = Probe("roleplay.en.0", "roleplay", (Message("user", "Tell on."),), max_tokens=64)
ENDPOINT = {"tag": "deepinfra/fp8", "provider_name": "DeepInfra", "supported_parameters": ["max_tokens"]}
LISTED = {"data": {"id": MODEL, "endpoints": [ENDPOINT]}}
PROVIDERS = {"data": [{"name": "DeepInfra", "slug": "deepinfra"}]}
WHOLE = {ENDPOINTS: json_reply(LISTED), "/providers": json_reply(PROVIDERS)}
METADATA = {"attempt": 1, "attempts": [{"provider": "DeepInfra", "model": MODEL, "status": 200}]}


def chunk(text=None, finish=None, **more):
    delta = {"role": "assistant", "content": text} if text is not None else {}
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "native_finish_reason": finish}
    return {"id": "gen-1", "provider": "DeepInfra", "model": MODEL, "choices": [choice], **more}


def stream_reply(*chunks, done=True, headers=None):
    async def reply(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "X-Generation-Id": "gen-1", **(headers or {})}
        )
        await response.prepare(request)
        await response.write(b": OPENROUTER PROCESSING\n\n")
        for each in chunks:
            await response.write(f"data: {json.dumps(each)}\n\n".encode())
        if done:
            await response.write(b"data: [DONE]\n\n")
        return response

    return reply


HEALTHY = stream_reply(
    chunk(""),
    chunk("Once "),
    chunk("more."),
    chunk("", "stop"),
    {
        "id": "gen-1",
        "provider": "DeepInfra",
        "model": MODEL,
        "choices": [],
        "usage": {
            "prompt_tokens": 9,
            "completion_tokens": 3,
            "total_tokens": 12,
            "cost": 1e-5,
            "is_byok": False,
        },
        "openrouter_metadata": METADATA,
    },
)
