"""What a user would see: text without blanks, control and format characters (R5, `faults.md` F003, F075)."""

from __future__ import annotations

import unicodedata
from typing import Final

from serinus.core.transcript import Answer, Transcript

# Letters and symbols by category that show nothing: Hangul fillers, the blank Braille cell, joiners and
# variation selectors that only shape what stands before them.
_BLANKS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d") | frozenset(
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
)


def has_visible(text: str) -> bool:
    """Whether any character of the text shows; stops at the first that does."""
    return not text.isspace() and any(_shows(c) for c in text)


def _shows(character: str) -> bool:
    if "!" <= character <= "~":
        return True
    return unicodedata.category(character)[0] not in "ZC" and character not in _BLANKS


def first_output_at(answer: Answer) -> float | None:
    """When the first visible text or tool call arrived; None if none did or no time was recorded."""
    return next((d.at for d in answer.deltas if d.tool or has_visible(d.text)), None)


def first_reasoning_at(answer: Answer) -> float | None:
    """When the first reasoning arrived; None if none did or no time was recorded."""
    return next((d.at for d in answer.deltas if has_visible(d.reasoning)), None)


def has_output(answer: Answer) -> bool:
    """Whether the answer holds anything for the user: visible text or a tool call."""
    return bool(answer.tool_calls) or has_visible(answer.text or "")


def has_reasoning(answer: Answer) -> bool:
    """Whether the answer holds reasoning that shows."""
    return has_visible(answer.reasoning or "")


def is_complete(transcript: Transcript) -> bool:
    """Whether the answer said that it ended: a finish reason or the stream's own terminator."""
    return transcript.answer.done or transcript.answer.finish_reason is not None
