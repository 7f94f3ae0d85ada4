"""What clients that others wrote are asked, and what their chunks say: two of them name it all alike."""

from __future__ import annotations

from typing import Any

from serinus.wire.request import chat_body
from simulated import MODEL, probe

ASKED = ("model", "messages", "max_tokens", "tools", "tool_choice", "response_format")


def body(kind: str) -> dict[str, Any]:
    """A probe as arguments that a client takes."""
    found = chat_body(MODEL.id, probe(kind, "pt", 3))
    return {name: found[name] for name in ASKED if name in found}


def said(chunks: list[Any]) -> str:
    """The text of all chunks."""
    return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)


def finish(chunks: list[Any]) -> list[str]:
    """Each finish reason."""
    return [choice.finish_reason for chunk in chunks for choice in chunk.choices if choice.finish_reason]
