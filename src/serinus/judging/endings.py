"""How a text ends: whole, in the middle of a word, or without an end mark (`faults.md` F089).

A word is cut when it is no common word itself and common words begin with it: `expl` is none, while
`explain` and its kin come 360 times in a million words.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from math import exp
from typing import Final

from serinus.text.languages import known
from serinus.text.words import table


class Ending(Enum):
    """How a text ends."""

    WHOLE = "whole"
    CUT = "cut"  # in the middle of a word
    OPEN = "open"  # at the end of a word or phrase, where a sentence should go on or have its mark


@dataclass(frozen=True, slots=True)
class Ended:
    """How a text ends, and its last word."""

    ending: Ending
    last: str = ""


RARE: Final = 5e-6  # per word; the rarest words of the tables stand at 2e-6 to 5e-6
KIN: Final = 5.0  # how much commoner the longer words must be together
SHORTEST: Final = 2  # letters of a fragment that says anything
PROSE: Final = 6  # words from which a last line is prose and not a title, signature or list
DENSE_PROSE: Final = 30  # the same in characters, for scripts without blanks
_GOES_ON: Final = frozenset(",;:，、；：([{（„")
_SENTENCE_END: Final = re.compile(r"[.!?…。！？؟।]")
_LAST_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*\Z")
_DENSE: Final = frozenset({"ja", "zh-Hans", "zh-Hant"})
# Thai has no full stop; a mark of vowel or tone at the very end often waits for its consonant. These
# common words end in one and are whole.
_THAI_WHOLE: Final = re.compile(
    r"(?:นี้|ที่|ได้|ดี|มี|สู่|อยู่|คู่|ปี|สี|กี่|ผู้|รู้|ดู|หนี|ชี้|นี่|พี่|กู้|สู้|หมู่|ครู่|ค่ะ|จ้ะ|จ๊ะ|ล่ะ|น่ะ|สิ|หน้าที่|ทันที)\Z",
)


def ending_of(text: str, language: str | None) -> Ended:
    """How the text ends, by the words of its language.

    A last line that is short and stands alone (a title, a signature, a list) is whole as it stands.
    """
    body = text.rstrip()
    spoken = known(language)
    code = spoken.code if spoken else None
    if not body:
        return Ended(Ending.WHOLE)
    last = body[-1]
    if last in _GOES_ON:
        return Ended(Ending.OPEN, last)
    if code == "th":
        return _thai(body)
    if not unicodedata.category(last).startswith(("L", "M")) or not _is_prose(body, code):
        return Ended(Ending.WHOLE)
    word = _LAST_WORD.search(body[-60:])
    fragment = word.group() if word else last
    whole = spoken is None or not spoken.words or code in _DENSE or not _is_cut(fragment, spoken.code)
    return Ended(Ending.OPEN if whole else Ending.CUT, fragment)


def _thai(body: str) -> Ended:
    marked = unicodedata.category(body[-1]) == "Mn" or "\u0e40" <= body[-1] <= "\u0e44"
    if not marked or _THAI_WHOLE.search(body) or len(body) < DENSE_PROSE:
        return Ended(Ending.WHOLE)
    return Ended(Ending.OPEN, body[-6:])


def _is_prose(body: str, language: str | None) -> bool:
    """Whether the last line is running text, which ends with a mark when it is whole."""
    paragraph = body.rsplit("\n", 1)[-1].strip()
    if paragraph.startswith(("- ", "* ", "• ", "— ", "– ", "#")) and not _SENTENCE_END.search(paragraph):
        return False
    if language in _DENSE:
        return len(paragraph) >= DENSE_PROSE
    return len(paragraph.split()) >= PROSE


def _is_cut(fragment: str, code: str) -> bool:
    """Whether the last word is none of its language, and commoner words begin with it."""
    if len(fragment) < SHORTEST or (fragment[0].isupper() and code != "de"):
        return False  # a name may end anywhere
    words = table(code)
    low = re.split(r"['’]", fragment.lower())[-1]  # of "d'appr" the part that may be cut
    if len(low) < SHORTEST:
        return False
    own = exp(words[low]) if low in words else 0.0
    if own >= RARE:
        return False
    kin = sum(exp(value) for word, value in words.items() if word.startswith(low) and word != low)
    return kin >= RARE and kin >= KIN * own
