"""Speech inside a text, blanked out: what a character says is no refusal of the host."""

from __future__ import annotations

import re
from typing import Final

MASK: Final = "\x00"  # one for each masked character, so that offsets stay true

# Closed quotations of the languages; a closing mark that is missing leaves its line quoted to the end.
_QUOTED: Final = re.compile(
    r"“[^”\n]*(?:”|$)|„[^“”\n]*(?:[“”]|$)|«[^»\n]*(?:»|$)|»[^«\n]*(?:«|$)"
    r"|「[^」\n]*(?:」|$)|『[^』\n]*(?:』|$)|《[^》\n]*》|\"[^\"\n]*(?:\"|$)"
    r"|(?<!\w)‘[^\n]*?’(?!\w)|(?<!\w)'[^'\n]{2,}?[,.!?…]'(?!\w)|\*[^*\n]+\*",
    re.MULTILINE,
)
# A line of dialogue opens with a dash; a hyphen opens one only before a capital, else an item of a list, or
# before a letter of a script that has no capitals and writes its dialogue so.
_DASHED: Final = re.compile(
    r"^[ \t]*(?:[—–―][ \t]*\w|-[ \t]+(?=[^\W\d_])(?-i:[A-ZÀ-ÞĀ-ŽА-ЯЁЄІЇҐ\u0621-\u064a\u0904-\u0939])).*$",
    re.MULTILINE,
)
_CLOSERS: Final = frozenset("”“»«」』》\"’'*")
# 1:1 replacements, for the same reason: typographic apostrophes and blanks, and the one capital whose
# lower case has two characters.
_PLAIN: Final = str.maketrans(
    {"İ": "i", "’": "'", "ʼ": "'", "´": "'", "`": "'", "\u00a0": " ", "\u202f": " ", "\u3000": " "}
)
# The abbreviation is written in capitals; "ai" is a preposition in Italian and "who" in Vietnamese.
_SMALL_AI: Final = re.compile(r"(?<!\w)(?<!\ban )ai(?!\w)")
_NO_AI: Final = "a\x01"


def unquoted(text: str) -> str:
    """The text in lower case with speech masked and apostrophes and blanks plain; offsets stay the same."""
    masked = _QUOTED.sub(lambda m: MASK * len(m.group()), text)
    masked = _DASHED.sub(lambda m: MASK * len(m.group()), masked)
    return plain(masked)


def plain(text: str) -> str:
    """The text in lower case with apostrophes and blanks plain, speech left; offsets stay the same."""
    return _SMALL_AI.sub(_NO_AI, text).translate(_PLAIN).lower()


def left_open(text: str) -> bool:
    """Whether the text ends inside a quotation that nothing closes."""
    quotations = list(_QUOTED.finditer(text))
    if not quotations or quotations[-1].end() != len(text.rstrip()):
        return False
    return quotations[-1].group()[-1] not in _CLOSERS
