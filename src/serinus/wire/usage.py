"""Token counts and cost out of a `usage` object (`openrouter-facts.md` §8)."""

from __future__ import annotations

from typing import Any

from serinus.core.transcript import Usage
from serinus.wire.json_text import as_count, as_mapping, as_number


def usage_of(raw: Any) -> Usage | None:
    """The counts that were reported; None if this is no usage object. Nothing is computed or defaulted."""
    if not isinstance(raw, dict):
        return None
    prompt = as_mapping(raw.get("prompt_tokens_details"))
    completion = as_mapping(raw.get("completion_tokens_details"))
    byok = raw.get("is_byok")
    return Usage(
        prompt_tokens=as_count(raw.get("prompt_tokens")),
        completion_tokens=as_count(raw.get("completion_tokens")),
        total_tokens=as_count(raw.get("total_tokens")),
        reasoning_tokens=as_count(completion.get("reasoning_tokens", raw.get("reasoning_tokens"))),
        cached_tokens=as_count(prompt.get("cached_tokens", raw.get("cached_tokens"))),
        cost=as_number(raw.get("cost")),
        is_byok=byok if isinstance(byok, bool) else None,
    )
