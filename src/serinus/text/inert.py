"""Text of hosts made harmless to look at: what has no shape, or changes the shape of others, as an escape."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Cc: controls and ANSI escapes; Cf: bidirectional overrides, zero-width characters; Cs: surrogates;
# Zl, Zp: line and paragraph separators; Co, Cn: what no font knows.
UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS: Final = "\u200c\u200d"
_VISIBLE: Final = {"\n": "⏎", "\r": "␍", "\t": "␉"}
_NOT_ASCII: Final = re.compile(r"[^\x20-\x7e]")


def unsafe(character: str) -> bool:
    """Whether a character may not be shown as itself."""
    return unicodedata.category(character) in UNSAFE


def escape(character: str) -> str:
    """How an unsafe character is shown."""
    if character in _VISIBLE:
        return _VISIBLE[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004  the three widths of an escape


def joins(text: str, n: int) -> bool:
    """Whether the joiner at `n` stands where its script needs it: between letters, marks or emoji parts.

    Persian, Hindi and most Indic scripts write with them; between Latin letters they only hide.
    """
    return text[n] in _JOINERS and 0 < n < len(text) - 1 and _needs(text[n - 1]) and _needs(text[n + 1])


def _needs(character: str) -> bool:
    # Arabic to Myanmar, the scripts that join; emoji and their selectors.
    return (
        "\u0600" <= character <= "\u109f"
        or character > "\U0001f000"
        or character in "\ufe0f\u2640\u2642\u2764"
    )


def inert(text: str, limit: int) -> str:
    """The text on one line, every unsafe character as an escape, cut to `limit` characters."""
    cut = text if len(text) <= limit else text[:limit]
    if not (cut.isascii() and cut.isprintable()):
        cut = _NOT_ASCII.sub(lambda m: _shown(m.string, m.start()), cut)
    return cut if len(text) <= limit else f"{cut}…"


def _shown(text: str, n: int) -> str:
    character = text[n]
    return escape(character) if unsafe(character) and not joins(text, n) else character
