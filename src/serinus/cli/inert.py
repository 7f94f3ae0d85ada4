"""Hostile text made harmless for a terminal: answers of hosts are shown, never obeyed."""

from __future__ import annotations

import unicodedata
from typing import Final

# Cc: controls and ANSI escapes; Cf: bidirectional overrides, zero-width characters; Cs: surrogates;
# Zl, Zp: line and paragraph separators. Joiners that Thai, Hindi and emoji need are of Cf as well,
# and are shown as escapes too: a diagnosis must see them.
UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def inert(text: str, limit: int = 240) -> str:
    """The text on one line, every unsafe character as an escape, cut to `limit` characters."""
    shown = "".join(_escape(c) if unicodedata.category(c) in UNSAFE else c for c in text[: limit + 1])
    return shown if len(text) <= limit else shown[:limit] + "…"


def _escape(character: str) -> str:
    if character in "\n\r\t":
        return {"\n": "⏎", "\r": "␍", "\t": "␉"}[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004  the three widths of an escape
