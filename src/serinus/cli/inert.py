"""Hostile text made harmless for a terminal: answers of hosts are shown, never obeyed."""

from __future__ import annotations

from serinus.text.inert import escape, unsafe


def inert(text: str, limit: int = 240) -> str:
    """The text on one line, every unsafe character as an escape, cut to `limit` characters.

    Joiners that Thai, Hindi and emoji need are shown as escapes too: a diagnosis must see them.
    """
    shown = "".join(escape(c) if unsafe(c) else c for c in text[: limit + 1])
    return shown if len(text) <= limit else shown[:limit] + "…"
