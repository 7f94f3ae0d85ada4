"""What the prompt asked for, and where a text speaks about a foreign word instead of using it."""

from __future__ import annotations

from typing import Final

from serinus.text.phrases import phrase

NEAR: Final = 64  # characters around a foreign word in which the text may explain it


def explained(text: str, start: int, end: int) -> bool:
    """Whether the words around a foreign one name or explain it."""
    around = text[max(0, start - NEAR) : start] + " \n " + text[end : end + NEAR]
    return phrase("explaining").search(around) is not None


def asks_for_translation(prompt: str) -> bool:
    """Whether the prompt asks for another language."""
    return phrase("translate").search(prompt) is not None


def asks_for_invention(prompt: str) -> bool:
    """Whether the prompt asks for words that no language has."""
    return phrase("invention").search(prompt) is not None


def asks_for_script(prompt: str) -> bool:
    """Whether the prompt asks for lines with speakers' names: a play, a dialogue, a chat log."""
    return phrase("script").search(prompt) is not None


def about_tokens(prompt: str) -> bool:
    """Whether the prompt is about tokens, tags or templates, so that an answer may name them."""
    return phrase("tokens").search(prompt) is not None
