"""The pieces of a delta or message: content in its shapes, reasoning in its fields, filter annotations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from serinus.wire.json_text import as_list, as_mapping, as_text

THOUGHT: Final = ("thinking", "reasoning")  # types of a content part that is reasoning


def content_of(content: Any) -> tuple[str | None, str | None, str | None]:
    """Text, reasoning and an oddity code, each None where there is none.

    Content is a string, null, or a list of `{"type", "text"}` parts (`faults.md` F144).
    """
    if content is None or isinstance(content, str):
        return content, None, None
    if not isinstance(content, list):
        return None, None, "unknown_shape"
    texts: list[str] = []
    thoughts: list[str] = []
    for part in content:
        text, is_thought = _part(part)
        (thoughts if is_thought else texts).append(text)
    return "".join(texts), "".join(thoughts) or None, "content_list"


def _part(part: Any) -> tuple[str, bool]:
    if isinstance(part, str):
        return part, False
    fields = as_mapping(part)
    is_thought = fields.get("type") in THOUGHT
    text = as_text(fields.get("text"))
    if text is None:
        text = as_text(fields.get("thinking") if is_thought else fields.get("content"))
    return text or "", is_thought


def reasoning_of(delta: dict[str, Any]) -> str | None:
    """The reasoning of a delta; hosts send one text in up to three fields, which is read once."""
    for key in ("reasoning", "reasoning_content"):
        text = as_text(delta.get(key))
        if text:
            return text
    details = [_detail(as_mapping(d)) for d in as_list(delta.get("reasoning_details"))]
    if any(details):
        return "".join(details)
    empty = (as_text(delta.get(key)) for key in ("reasoning", "reasoning_content"))
    return next((text for text in empty if text is not None), None)


def _detail(detail: dict[str, Any]) -> str:
    return as_text(detail.get("text")) or as_text(detail.get("summary")) or ""


def filtered_in(holder: Any) -> Iterator[str]:
    """Categories that a choice's or a prompt's content-filter annotations call filtered or blocked."""
    fields = as_mapping(holder)
    for key in ("content_filter_results", "content_filter_result"):
        for category, result in as_mapping(fields.get(key)).items():
            if as_mapping(result).get("filtered") is True:
                yield str(category)
    for rating in as_list(fields.get("safety_ratings")):
        if as_mapping(rating).get("blocked") is True:
            yield str(as_mapping(rating).get("category", "blocked"))
