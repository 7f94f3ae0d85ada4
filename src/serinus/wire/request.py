"""A probe as the body of an OpenAI-compatible chat request."""

from __future__ import annotations

from typing import Any, Final

from serinus.core.model import Probe, Tool

_CHOICES: Final = frozenset({"auto", "none", "required"})  # any other tool choice names a function


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
