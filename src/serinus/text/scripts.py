"""Which script a letter belongs to, and where a text leaves the scripts of its language.

The ranges are written out rather than asked of `unicodedata`, so that every Python says the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

# Letters by ISO 15924 code, as the inside of a character class. Full-width Latin is left out: it is
# typography of Japanese and Chinese. `Othr` stands for all scripts that no language of ours is written in.
LETTERS: Final = MappingProxyType(
    {
        "Latn": "A-Za-zªºÀ-ÖØ-öø-ʯᴀ-ᴥᵫ-ᵷḀ-ỿⱠ-ⱿꜢ-ꞇꬰ-ꭚﬀ-ﬆ",
        "Cyrl": "Ѐ-ҁҊ-ԯᲀ-ᲈꙀ-ꙮꚀ-ꚝ",
        "Grek": "Ͱ-ͳͶ-ͷͻ-ͽΆΈ-ϡϰ-Ͽἀ-ῼ",
        "Hani": "々〇㐀-䶿一-鿿豈-﫿\U00020000-\U0003fffd",
        "Kana": "ぁ-ゖゝ-ゟァ-ヺー-ヿㇰ-ㇿｦ-ﾝ",
        "Hang": "ᄀ-ᇿㄱ-ㆎꥠ-ꥼ가-힣ힰ-ퟻ",
        "Thai": "ก-ะาำเ-ๆ",
        "Arab": "ؠ-يٮ-ۓەۮۯۺ-ۿݐ-ݿࢠ-ࣇﭐ-ﯿﵐ-ﷻﹰ-ﻼ",
        "Deva": "ऄ-हऽॐक़-ॡॱ-ॿ",
        "Hebr": "א-ײ",
        "Othr": "Ա-Ֆՠ-ֈႠ-ჿঀ-෿຀-࿿က-႟ሀ-፿Ꭰ-᏿ក-៿᠀-ᢪ",
    }
)
# Marks that continue a word: combining diacritics, joiners, vowel signs of Thai, Arabic and Devanagari.
MARKS: Final = "\u0300-\u036f\u200c\u200d\u0483-\u0487\u05b0-\u05bd\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"

# How many words one letter is worth in scripts that put no blank between words (None: a run is a word).
WORDS_A_LETTER: Final = MappingProxyType({"Hani": 0.6, "Kana": 0.5, "Thai": 0.25})
LEAST_UNIT: Final = 0.5

_ANY_RUN: Final = re.compile("|".join(f"(?P<{code}>[{letters}][{letters}{MARKS}]*)" for code, letters in LETTERS.items()))


@dataclass(frozen=True, slots=True)
class Run:
    """Letters of one script in a row: where they stand, and how many words they are worth."""

    script: str
    start: int
    end: int
    units: float


def units(script: str, letters: int) -> float:
    """How many words so many letters of a script are worth."""
    rate = WORDS_A_LETTER.get(script)
    return 1.0 if rate is None else max(LEAST_UNIT, rate * letters)


def runs(text: str) -> Iterator[Run]:
    """Every run of letters of one script, in order."""
    for match in _ANY_RUN.finditer(text):
        script = match.lastgroup or "Othr"
        start, end = match.span()
        yield Run(script, start, end, units(script, end - start))


@cache
def own_letter(scripts: frozenset[str]) -> re.Pattern[str]:
    """Matches one letter of these scripts."""
    return re.compile(f"[{''.join(LETTERS[s] for s in sorted(scripts))}]")


@cache
def own_words(scripts: frozenset[str]) -> re.Pattern[str]:
    """Matches one word of these scripts, with its marks and inner apostrophes."""
    letters = "".join(LETTERS[s] for s in sorted(scripts))
    return re.compile(f"[{letters}][{letters}{MARKS}]*(?:['’ʼ][{letters}{MARKS}]+)*")
