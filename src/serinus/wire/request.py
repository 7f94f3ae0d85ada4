"""A probe as the body of an OpenAI-compatible chat request."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from serinus.core.model import Probe, Tool

DEFAULT_TOKENS: Final = 512
FEWEST_TOKENS: Final = 16  # some providers refuse less
REASONING_ROOM: Final = 2048  # tokens that thinking may take where it cannot be switched off
_CHOICES: Final = frozenset({"auto", "none", "required"})  # any other tool choice names a function


def as_sent(probe: Probe, *, reasons: bool) -> Probe:
    """The probe with the token limit that is really sent, for judges compare the answer with it.

    Where a model always `reasons` it gets room of its own: else it would use up the limit, and the
    empty answer would look like a refusal.
    """
    tokens = max(probe.max_tokens or DEFAULT_TOKENS, FEWEST_TOKENS)
    return replace(probe, max_tokens=tokens + (REASONING_ROOM if reasons else 0))


def chat_body(model: str, probe: Probe) -> dict[str, Any]:
    """The request body: what every OpenAI-compatible server understands, and nothing of a gateway's own.

    What the probe leaves open is left out. Its `parameters` are sent as they stand; the fields that
    a probe has of its own win over them.
    """
    body: dict[str, Any] = dict(probe.parameters)
    body["model"] = model
    body["messages"] = [{"role": m.role, "content": m.content} for m in probe.messages]
    body["stream"] = probe.stream
    if probe.stream:
        body["stream_options"] = {"include_usage": True}
    else:
        body.pop("stream_options", None)  # an error at strict servers
    if probe.max_tokens is not None:
        body["max_tokens"] = probe.max_tokens
    if probe.stop:
        body["stop"] = list(probe.stop)
    if probe.schema is not None:
        body["response_format"] = {"type": "json_schema", "json_schema": dict(probe.schema)}
    if probe.tools:
        body["tools"] = [_tool(tool) for tool in probe.tools]
    if probe.tool_choice is not None:
        body["tool_choice"] = _choice(probe.tool_choice)
    return body


def _tool(tool: Tool) -> dict[str, Any]:
    return {"type": "function", "function": {"name": tool.name, "parameters": dict(tool.parameters)}}


def _choice(choice: str) -> Any:
    return choice if choice in _CHOICES else {"type": "function", "function": {"name": choice}}
