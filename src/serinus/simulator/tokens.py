"""Text in pieces of about a token: what streams carry and what usage counts."""

from __future__ import annotations

import re
from typing import Final

# About 4.5 letters to a token in Latin scripts, 3 in Cyrillic and other alphabets, 2 to 3 in Thai, up
# to two characters in CJK and Hangul. Native counts differ by model; what matters is
# that all healthy hosts agree.
_PIECE: Final = re.compile(
    r"\s?[a-zA-Z]{1,6}"
    r"|\s?[^\W\d_\u0900-\u097f\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,4}"
    r"|\s?\d{1,3}"
    r"|[\u3040-\u30ff\u3400-\u9fff]{1,2}"
    r"|[\u0e00-\u0e7f]{1,3}"
    r"|\s?[\u0900-\u097f]{1,3}"
    r"|[\uac00-\ud7af]{1,2}"
    r"|\s?.",
    re.DOTALL,
)
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
