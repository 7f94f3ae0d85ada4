"""Which script a letter belongs to, and where a text leaves the scripts of its language.

The ranges are written out, as escapes, rather than asked of `unicodedata`: every Python says the same, and
no editor that normalises text can widen one.
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
        "Latn": r"A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1d00-\u1d25\u1e00-\u1eff"
        r"\u2c60-\u2c7f\ua722-\ua787\uab30-\uab5a\ufb00-\ufb06",
        "Cyrl": r"\u0400-\u0481\u048a-\u052f\u1c80-\u1c88\ua640-\ua66e\ua680-\ua69d",
        "Grek": r"\u0370-\u0373\u0376-\u037d\u037f\u0386\u0388-\u03e1\u03f0-\u03ff\u1f00-\u1ffc",
        "Hani": r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd",
        "Kana": r"\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d",
        "Hang": r"\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb",
        "Thai": r"\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46",
        "Arab": r"\u0620-\u064a\u066e\u066f\u0671-\u06d3\u06d5\u06ee\u06ef\u06fa-\u06ff\u0750-\u077f"
        r"\u08a0-\u08c7\ufb50-\ufbb1\ufbd3-\ufd3d\ufd50-\ufdfb\ufe70-\ufefc",
        "Deva": r"\u0904-\u0939\u093d\u0950\u0958-\u0961\u0971-\u097f",
        "Hebr": r"\u05d0-\u05f2",
        "Othr": r"\u0531-\u0556\u0560-\u0588\u10a0-\u10ff\u0980-\u0dff\u0e80-\u0eff\u0f00-\u0fff\u1000-\u109f"
        r"\u1200-\u137f\u13a0-\u13ff\u1780-\u17ff\u1820-\u18aa",
    }
)
# Marks that continue a word: combining diacritics, joiners, vowel signs of Thai, Arabic and Devanagari.
MARKS: Final = (
    r"\u0300-\u036f\u200c\u200d\u0483-\u0487\u05b0-\u05bd\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8"
    r"\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
)

# How many words one letter is worth in scripts that put no blank between words (None: a run is a word).
WORDS_A_LETTER: Final = MappingProxyType({"Hani": 0.6, "Kana": 0.5, "Thai": 0.25})
LEAST_UNIT: Final = 0.5

_ANY_RUN: Final = re.compile(
    "|".join(f"(?P<{code}>[{letters}][{letters}{MARKS}]*)" for code, letters in LETTERS.items())
)


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
