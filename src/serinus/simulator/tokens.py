"""Text in pieces of about a token: what streams carry and what usage counts."""

from __future__ import annotations

import json
import re
from typing import Any, Final

# Cut so that passages of every language take about as many tokens as real vocabularies take on average
# (the table of docs/reference/probes.md: 0.24 a character in English, 0.85 in Chinese), within a fifth.
# Native counts differ by model; what matters is that all healthy hosts agree.
_PIECE: Final = re.compile(
    r"\s?[a-zA-Z]{1,6}"
    r"|\s?[^\W\d_\u0900-\u097f\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,3}"
    r"|\s?\d{1,3}"
    r"|[\u3040-\u30ff]{1,2}"
    r"|[\u3400-\u9fff]"
    r"|[\u0e00-\u0e7f]{1,2}"
    r"|\s?[\u0900-\u097f]{1,2}"
    r"|[\uac00-\ud7af]{1,2}"
    r"|\s?.",
    re.DOTALL,
)
# Vocabularies hold runs of brackets, quotes and colons as one token: 0.27 a character of compact JSON.
_JSON_PIECE: Final = re.compile(r"[a-zA-Z]{1,8}|[^\W_]{1,4}|[^a-zA-Z0-9\s]{1,3}|.", re.DOTALL)
_PER_MESSAGE: Final = 4  # role and separators of a chat template
_REPLY_HEADER: Final = 3


def pieces(text: str) -> list[str]:
    """The text in order, cut into tokens; joined they give the text again."""
    return _PIECE.findall(text)


def count(text: str) -> int:
    """How many tokens the text has."""
    return len(pieces(text))


def count_prompt(texts: list[str]) -> int:
    """How many tokens a conversation of these message texts has, with its template."""
    return sum(count(text) + _PER_MESSAGE for text in texts) + _REPLY_HEADER


def clip(text: str, limit: int) -> str:
    """At most `limit` tokens from the start of the text."""
    return "".join(pieces(text)[:limit])


def count_json(value: Any) -> int:
    """How many tokens a schema or a tool adds to the prompt of a template that prints it."""
    return len(_JSON_PIECE.findall(json.dumps(value, ensure_ascii=False, separators=(",", ":"))))
