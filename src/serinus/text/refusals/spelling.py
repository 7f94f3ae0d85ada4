"""How a word of a signal may be written: Arabic with or without vowel signs and hamza, Hindi without nukta.

Patterns are written in the plain spelling; letters never stand in a class of characters there.
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

# Arabic vowel signs, dagger alef, and the stroke that only stretches a word.
_SIGNS: Final = "\u0640\u064b-\u065f\u0670"
_ARABIC: Final = re.compile("[\u0621-\u063a\u0641-\u064a]")
_SAME: Final = {
    "\u0627": "\u0627\u0623\u0625\u0622\u0671",  # alef, with any hamza, madda or wasla
    "\u0629": "\u0629\u0647",  # teh marbuta, often written as heh
    "\u0649": "\u0649\u064a",  # alef maqsura, yeh
    "\u064a": "\u064a\u0649",
}
# Devanagari letters that take a nukta, with the code point that has it built in.
_NUKTA: Final = dict(zip("कखगजडढफय", map(chr, range(0x0958, 0x0960)), strict=True))
_DOTTED: Final = re.compile("([कखगजडढफय])\u093c?")
# The letters and signs of a Hindi word, of which `\w` and `\b` know the letters only; not the danda.
_DEVANAGARI: Final = "\u0900-\u0963\u0971-\u097f"

# What stands before a signal. "And" and "so" are written together with the next Arabic word.
STARTS: Final = {
    "ar": f"(?<![\\w{_SIGNS}])(?:[وف][{_SIGNS}]*)?",
    "hi": f"(?<![\\w{_DEVANAGARI}])",
}


def spelled(language: str, pattern: str) -> str:
    """The pattern, such that it finds its words in each of their spellings."""
    if language == "ar":
        return _ARABIC.sub(lambda m: f"(?:[{_SAME.get(m.group(), m.group())}][{_SIGNS}]*)", pattern)
    if language == "hi":
        dotted = _DOTTED.sub(lambda m: f"(?:[{m[1]}{_NUKTA[m[1]]}]\u093c?)", normalize("NFC", pattern))
        return re.sub("[\u0901\u0902]", "[\u0901\u0902]", dotted).replace(r"\b", f"(?![{_DEVANAGARI}])")
    return pattern
