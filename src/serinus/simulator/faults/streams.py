"""Where the visible text of a stream stands among its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from serinus.simulator.steps import Chunk, Open, Step


def delta(step: Step) -> Mapping[str, Any]:
    """The delta of a chunk; empty for any other step and for a chunk without choices."""
    if not isinstance(step, Chunk) or not step.data.get("choices"):
        return {}
    found = step.data["choices"][0].get("delta")
    return found if isinstance(found, Mapping) else {}


def says(step: Step) -> bool:
    """Whether the step carries something that a user would get: text, refusal or a tool call."""
    found = delta(step)
    return bool(found.get("content") or found.get("tool_calls") or found.get("refusal"))


def said(steps: Sequence[Step]) -> list[int]:
    """The positions of the steps that carry something, in order."""
    return [i for i, step in enumerate(steps) if says(step)]


def share(steps: Sequence[Step], part: float) -> int:
    """The position after that share of the answer's steps; for a body, after its headers."""
    places = said(steps)
    if not places:
        return next((i + 1 for i, step in enumerate(steps) if isinstance(step, Open)), 0)
    return places[min(int(len(places) * part), len(places) - 1)]


def before_text(steps: Sequence[Step]) -> int:
    """The position of the first step that carries something, or of the body."""
    return share(steps, 0.0)


def finishing(steps: Sequence[Step]) -> int | None:
    """The position of the chunk with the finish reason; None in a body."""
    for i, step in enumerate(steps):
        if (
            isinstance(step, Chunk)
            and step.data.get("choices")
            and step.data["choices"][0].get("finish_reason")
        ):
            return i
    return None
