"""A host that is a real OpenAI-compatible server: its answer, unbuffered, in the gateway's wire format."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, TCPConnector

from serinus.core.transcript import Event
from serinus.simulator.delivery import COMMENT_EVERY
from serinus.simulator.draft import Draft
from serinus.simulator.errors import ErrorReply
from serinus.simulator.framing import Framer
from serinus.simulator.response import Answered, Forwarded
from serinus.simulator.steps import DONE, Chunk, Comment, Open, Raw, Step
from serinus.wire.sse import EventReader

Json = Any
Send = Callable[[Step], Awaitable[None]]
# What a gateway keeps to itself: routing, plugins, and names of its own.
_OWN_FIELDS: Final = {
    *("provider", "plugins", "models", "route", "transforms", "preset", "session_id", "user", "usage"),
    *("reasoning", "debug", "trace", "metadata"),
}
_LONGEST: Final = 600.0  # seconds for a whole answer of an engine


class UpstreamError(Exception):
    """The engine could not be reached or answered with an error; `reply` is what the gateway says."""

    def __init__(self, reply: ErrorReply) -> None:
        super().__init__(reply.message)
        self.reply = reply


@dataclass(slots=True)
class _Seen:
    """What the engine said so far, for the bill and the record."""

    usage: Mapping[str, Json] | None = None
    finish: str | None = None
    done: bool = False


async def relay(forwarded: Forwarded, send: Send) -> tuple[Answered, dict[str, Json] | None]:
    """Ask the engine and send its answer on as it comes; what was answered and what is billed.

    Raises:
        UpstreamError: nothing has been sent, and the gateway shall answer with this error.
    """
    # A fresh connection each time: llama.cpp sometimes drops a reused one before any byte.
    async with ClientSession(
        connector=TCPConnector(force_close=True), timeout=ClientTimeout(total=_LONGEST)
    ) as session:
        return await _relayed(session, forwarded, send)


async def _relayed(
    session: ClientSession, forwarded: Forwarded, send: Send
) -> tuple[Answered, dict[str, Json] | None]:
    framer, seen = forwarded.framer, _Seen()
    response = await _opened(session, forwarded, send)
    async with response:
        if forwarded.ask.stream:
            await _stream(response, framer, seen, send)
        else:
            await _body(response, framer, seen, send)
    draft = Draft(framer.served, text=None, finish=seen.finish, native=seen.finish)
    return Answered(framer.id, forwarded.host, draft, framer, ()), _billed(framer, seen)


async def _opened(session: ClientSession, forwarded: Forwarded, send: Send) -> ClientResponse:
    """The engine's response once its status line is there; the gateway's comments go out meanwhile.

    Engines hold their status line until the first token, and so does their error: only a stream that
    had to be commented has been opened before it is known, and then the error comes inside it.
    """
    body = _request(forwarded)
    url = f"{forwarded.host.forward}/v1/chat/completions"
    async with asyncio.TaskGroup() as group:
        asked = group.create_task(_post(session, url, body, forwarded))
        while not asked.done():
            await asyncio.wait({asked}, timeout=COMMENT_EVERY)
            if not asked.done() and forwarded.ask.stream:
                await send(Comment())
    response = asked.result()
    if isinstance(response, ErrorReply):
        raise UpstreamError(response)
    return response


async def _post(
    session: ClientSession, url: str, body: Mapping[str, Json], forwarded: Forwarded
) -> ClientResponse | ErrorReply:
    provider = {"provider_name": forwarded.host.display}
    try:
        response = await session.post(url, json=body)
    except (ClientError, TimeoutError, OSError) as error:
        metadata = {**provider, "raw": str(error)}
        return ErrorReply(502, "Provider returned error", "provider_unavailable", metadata, upstream=True)
    if response.ok:
        return response
    async with response:
        metadata = {**provider, "raw": await response.text(errors="replace")}
    status = response.status if response.status < 500 else 502  # noqa: PLR2004  server errors are masked
    kind = "invalid_request" if status < 500 else "provider_unavailable"  # noqa: PLR2004  as above
    return ErrorReply(status, "Provider returned error", kind, metadata, upstream=status >= 500)  # noqa: PLR2004


def _request(forwarded: Forwarded) -> dict[str, Json]:
    ask = forwarded.ask
    body = {name: value for name, value in ask.body.items() if name not in _OWN_FIELDS}
    body["model"] = forwarded.host.forward_model or ask.model
    if ask.stream:
        body["stream_options"] = {"include_usage": True}
    return body


async def _stream(response: ClientResponse, framer: Framer, seen: _Seen, send: Send) -> None:
    await send(Open())
    await send(Comment())
    reader = EventReader()
    try:
        while data := await _read(response, send):
            for event in reader.feed(data, None):
                await _event(event, framer, seen, send)
        for event in reader.finish(None):
            await _event(event, framer, seen, send)
    except (ClientError, OSError):
        seen.done = False
    if seen.done:
        await send(Chunk(framer.last(_billed(framer, seen))))
        await send(DONE)


async def _read(response: ClientResponse, send: Send) -> bytes:
    """What the next read brings, empty at the end; a comment goes out whenever it takes long."""
    while True:
        try:
            return await asyncio.wait_for(response.content.readany(), COMMENT_EVERY)
        except TimeoutError:
            await send(Comment())


async def _event(event: Event, framer: Framer, seen: _Seen, send: Send) -> None:
    if event.data is None:
        return
    if event.data.strip() == "[DONE]":
        seen.done = True
        return
    try:
        data = json.loads(event.data)
    except ValueError:
        await send(Raw(f"data: {event.data}\n\n".encode()))
        return
    if "error" in data:
        await send(Chunk(framer.error(_typed(data["error"]))))
        return
    seen.usage = data.get("usage") or seen.usage
    for choice in data.get("choices") or ():
        finish = choice.get("finish_reason")
        seen.finish = finish or seen.finish
        await send(Chunk(framer.chunk(_delta(choice.get("delta") or {}), finish, finish)))


def _delta(delta: Mapping[str, Json]) -> dict[str, Json]:
    found: dict[str, Json] = {"content": delta.get("content") or ""}
    thought = delta.get("reasoning_content") or delta.get("reasoning")
    if thought:
        found["reasoning"] = thought
        found["reasoning_details"] = [{"type": "reasoning.text", "text": thought, "index": 0}]
    found.update({name: delta[name] for name in ("tool_calls", "refusal") if delta.get(name)})
    return found


def _typed(error: Json) -> dict[str, Json]:
    """The engine's error as the gateway tells it: its type is what the strict client needs."""
    details = error if isinstance(error, Mapping) else {"message": str(error)}
    code = details.get("code")
    return {
        "code": code if isinstance(code, int) else 502,
        "message": str(details.get("message", "Provider returned error")),
        "metadata": {"error_type": "provider_unavailable", "raw": json.dumps(error)},
    }


async def _body(response: ClientResponse, framer: Framer, seen: _Seen, send: Send) -> None:
    raw = await response.read()
    try:
        document = json.loads(raw)
        choices = document["choices"]
    except (ValueError, KeyError, TypeError):
        await send(Raw(raw))
        return
    seen.usage = document.get("usage")
    seen.finish = choices[0].get("finish_reason") if choices else None
    whole = framer.body(Draft(framer.served))
    whole["choices"] = [{**c, "native_finish_reason": c.get("finish_reason")} for c in choices]
    billed = _billed(framer, seen)
    whole.pop("usage", None)
    await send(Raw(json.dumps({**whole, **({"usage": billed} if billed else {})}).encode()))


def _billed(framer: Framer, seen: _Seen) -> dict[str, Json] | None:
    if seen.usage is None:
        return None
    cached = (seen.usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    asked, said = seen.usage.get("prompt_tokens") or 0, seen.usage.get("completion_tokens") or 0
    return framer.bill(asked, said, cached=cached)
