"""Recorded answers written by hand, in the form that `serinus judge` reads, and what is said of them."""

from __future__ import annotations

import json
from typing import Any

from serinus.contracts import contracts
from serinus.core.model import Limits, Verdict
from serinus.service.cases.case import CaseReader
from serinus.service.cases.hints import Fixtures
from serinus.service.cases.judgements import judgements

ROUTE = {"pin": "host-a", "model": "acme/roleplay-70b"}
SCENE = (
    "The miller's daughter opens the half-door and holds her candle against the rain. “You came over the "
    "ridge in this weather?” she asks, and makes room at the hearth. There is barley broth in the pot and a "
    "dry blanket on the bench, and the wheel outside turns slowly in the dark. She waits for you to speak."
)
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "open_gate",
            "parameters": {
                "type": "object",
                "additionalProperties": False,
                "required": ["gate"],
                "properties": {
                    "gate": {"type": "string", "enum": ["east", "west"]},
                    "slowly": {"type": "boolean"},
                },
            },
        },
    },
    {
        "type": "function",
        "function": {"name": "ring_bell", "parameters": {"type": "object", "properties": {}}},
    },
]
FORMAT = {
    "name": "inn_v1",
    "strict": True,
    "schema": {
        "type": "object",
        "additionalProperties": False,
        "required": ["mood", "room", "guests", "doors"],
        "properties": {
            "mood": {"type": "string", "enum": ["calm", "tense"]},
            "room": {"type": "string", "minLength": 1},
            "guests": {"type": "integer", "minimum": 0},
            "doors": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        },
    },
}
FIXTURES = {"inn_v1": FORMAT, "tools": TOOLS}
INN = '{"mood":"calm","room":"A low room with a fire.","guests":2,"doors":["front","cellar"]}'


def said(response: dict[str, Any], contract: str = "*", **hint: Any) -> dict[str, Verdict]:
    """What each contract that was asked says of a response."""
    reader = CaseReader(Fixtures(FIXTURES), lambda _: Limits())
    case = reader.read({"id": "x", "contract": contract, "request_hint": hint, "response": response})
    return dict(judgements(case, contracts()))


def verdict(contract: str, response: dict[str, Any], **hint: Any) -> Verdict:
    """What one contract says of a response."""
    return said(response, contract, **hint)[contract]


def told(contract: str, response: dict[str, Any], **hint: Any) -> tuple[str, str]:
    """Word and reason of one contract."""
    found = verdict(contract, response, **hint)
    return found.word.value, found.reason


def text(words: str | None, finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    """A complete answer without times."""
    return {"type": "text", "text": words, "finish_reason": finish, **more}


def samples(*items: dict[str, Any] | str) -> dict[str, Any]:
    """Several answers to one probe."""
    return {"type": "samples", "items": [text(i) if isinstance(i, str) else i for i in items]}


def usage(prompt: int | None = 60, completion: int | None = 80, **more: Any) -> dict[str, Any]:
    """A usage object."""
    total = (prompt or 0) + (completion or 0)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": total, **more}


def body(message: dict[str, Any] | None, finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    """A whole body with status 200; keys of a choice may be given as `choice`."""
    choice = {"index": 0, "message": message, "finish_reason": finish, **more.pop("choice", {})}
    value = {"id": "gen-1", "model": "acme/roleplay-70b", "provider": "Host A", "choices": [choice], **more}
    return {"type": "body", "status": 200, "body": value}


def calls(*entries: tuple[str | None, Any, str | None], **more: Any) -> dict[str, Any]:
    """A body with tool calls, each (id, name, arguments)."""
    listed = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in entries]
    return body(
        {"role": "assistant", "content": None, "tool_calls": listed}, more.pop("finish", "tool_calls"), **more
    )


def error(status: int, value: Any) -> dict[str, Any]:
    """An HTTP error with its body."""
    return {"type": "http_error", "status": status, "body": value}


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    """One event of a stream: a delta, or whatever else is named."""
    choice: dict[str, Any] = {"index": 0, "delta": {} if delta is None else delta, "finish_reason": finish}
    choice |= more.pop("choice", {})
    return {"id": "gen-1", "model": "acme/roleplay-70b", "provider": "Host A", "choices": [choice]} | more


def stream(*events: tuple[float, Any], end: str = "close", **more: Any) -> dict[str, Any]:
    """A stream of (milliseconds, event); an event is an object, or the text of an event as it stands."""
    lines = [{"t": t, "sse": e if isinstance(e, str) else f"data: {json.dumps(e)}"} for t, e in events]
    return {"type": "chunks", "events": lines, "end": end, **more}


def words(start: float = 700, step: float = 45, of: str = SCENE, size: int = 6) -> list[tuple[float, Any]]:
    """The events of a scene, `size` words each."""
    parts = of.split(" ")
    pieces = [" ".join(parts[i : i + size]) + " " for i in range(0, len(parts), size)]
    return [(start + n * step, chunk({"content": piece})) for n, piece in enumerate(pieces)]


def ending(at: float, finish: str = "stop", counts: dict[str, Any] | None = None) -> list[tuple[float, Any]]:
    """The events that end a stream: the finish reason, usage if any, the terminator."""
    counted = [] if counts is None else [(at + 5, {"choices": [], "usage": counts})]
    return [(at, chunk(finish=finish)), *counted, (at + 10, "data: [DONE]")]


def scene(start: float = 700, **more: Any) -> dict[str, Any]:
    """A healthy stream whose first text comes at `start` milliseconds."""
    flow = words(start)
    return stream(*flow, *ending(flow[-1][0] + 50, counts=usage()), **more)
