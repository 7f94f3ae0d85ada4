"""How a phrase is looked for in an answer, however a host wrote it."""

from __future__ import annotations

from unicodedata import normalize


def folded(text: str) -> str:
    """The text without differences of case, form, width and blanks."""
    return " ".join(normalize("NFKC", text).casefold().split())
