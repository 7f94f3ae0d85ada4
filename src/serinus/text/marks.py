"""Orthography that no speller breaks by accident: marks of Thai and Vietnamese, blanks between words.

vLLM with reduced precision showed 12-18 such defects per 1,000 Thai characters where another engine showed
none, while other languages looked clean.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from serinus.text.languages import Language
from serinus.text.scripts import own_letter, own_words
from serinus.text.signs import Sign
from serinus.text.spans import Span

DEFECTS: Final = 2  # in one answer
TOLERATED: Final = 1  # Markdown inside a word, or a text cut in the middle of one
DEFECT_RATE: Final = 4.0  # per 1,000 letters

_TONES: Final = "\u0e48-\u0e4b"
_UPPER: Final = "\u0e31\u0e34-\u0e37\u0e47\u0e4d"  # vowel signs above
_LOWER: Final = "\u0e38-\u0e3a"
_CONSONANT: Final = "\u0e01-\u0e2e"
_THAI: Final = re.compile(
    f"[{_TONES}][{_TONES}{_UPPER}{_LOWER}]"  # tone doubled, or before the vowel it belongs on
    f"|[{_UPPER}{_LOWER}][{_UPPER}{_LOWER}]"  # two vowel signs on one consonant
    f"|(?<![{_CONSONANT}{_TONES}{_UPPER}{_LOWER}\u0e4c\u0e4e])[{_TONES}{_UPPER}{_LOWER}\u0e4c]"  # on nothing
    f"|(?<![{_CONSONANT}{_TONES}{_UPPER}{_LOWER}\u0e32])[\u0e30\u0e33]"  # a vowel that follows nothing
    f"|[\u0e41-\u0e44](?![{_CONSONANT}])"  # a leading vowel that leads nothing
)

# Blanks: letters a word on average, and words so long that they are many. German words average 6 letters,
# Finnish 8, Korean 3 syllables; the longest common ones have 20 and 8.
BLANK_LETTERS: Final = 80
MEAN_WORD: Final = 13.0
LONG_WORD: Final = 21
LONG_SHARE: Final = 0.4
# Marks with a word on either side and no blank: so many, and such a part of all marks that end a word.
UNPARTED_MARKS: Final = 4
UNPARTED_SHARE: Final = 0.4
RATHER_LONG: Final = 8.0  # letters a word: chat without blanks after commas stays below
_ENDING_MARK: Final = re.compile(r"(?<=[^\W\d_][^\W\d_])[.,;!?](?:(?P<word>[^\W\d_]{2})|\s|$)")
SYLLABLE: Final = 0.45  # of these lengths, where a letter is a syllable
_PARTED: Final = frozenset({"Latn", "Cyrl", "Grek", "Arab", "Deva", "Hang"})

_VIETNAMESE_TONES: Final = frozenset("\u0300\u0301\u0303\u0309\u0323")
_LOOSE_MARK: Final = re.compile("(?<![A-Za-z\u00c0-\u1eff\u0300-\u036f])[\u0300-\u036f]")


def find_mark_defects(text: str, language: Language) -> Iterator[Sign]:
    """Impossible sequences of marks in Thai and Vietnamese."""
    spans: list[Span] = []
    if language.code == "th":
        spans = [m.span() for m in _THAI.finditer(text)]
    elif language.code == "vi":
        spans = [m.span() for m in _LOOSE_MARK.finditer(text)] + _double_tones(text, language)
    if len(spans) <= TOLERATED:
        return
    letters = len(own_letter(language.scripts).findall(text))
    rate = 1000 * len(spans) / max(1, letters)
    sure = len(spans) >= DEFECTS and rate >= DEFECT_RATE
    yield Sign(
        "broken_marks",
        sure,
        f"{len(spans)} impossible sequences of marks, {rate:.0f} per 1,000 letters.",
        sorted(spans),
        {"defects": len(spans), "rate": round(rate, 1), "needed": DEFECTS, "needed_rate": DEFECT_RATE},
    )


def _double_tones(text: str, language: Language) -> list[Span]:
    """Words with two tones: a Vietnamese syllable has one."""
    found = []
    for match in own_words(language.scripts).finditer(text):
        parts = unicodedata.normalize("NFD", match.group())
        if sum(c in _VIETNAMESE_TONES for c in parts) > 1 and match.group().islower():
            found.append(match.span())
    return found


def find_lost_blanks(text: str, language: Language) -> Iterator[Sign]:
    """Words that run into each other, in languages that part them."""
    if not language.scripts & _PARTED:
        return
    spans = [m.span() for m in own_words(language.scripts).finditer(text)]
    letters = sum(b - a for a, b in spans)
    scale = SYLLABLE if "Hang" in language.scripts else 1.0
    if letters < BLANK_LETTERS * scale:
        return
    mean = letters / len(spans)
    long = [(a, b) for a, b in spans if b - a >= LONG_WORD * scale]
    share = sum(b - a for a, b in long) / letters
    if mean >= MEAN_WORD * scale or (len(long) > 1 and share >= LONG_SHARE):
        yield Sign(
            "blanks_lost",
            True,
            f"Words have {mean:.0f} letters on average: the blanks between them are gone.",
            long,
            {"mean": round(mean, 1), "needed": round(MEAN_WORD * scale, 1), "long_share": round(share, 3)},
        )
    elif mean >= RATHER_LONG * scale:
        yield from _unparted_marks(text)


def _unparted_marks(text: str) -> Iterator[Sign]:
    """Marks with no blank after them, in a text of rather long words."""
    marks = list(_ENDING_MARK.finditer(text))
    unparted = [m.span() for m in marks if m["word"]]
    if len(unparted) >= UNPARTED_MARKS and len(unparted) >= UNPARTED_SHARE * len(marks):
        detail = f"After {len(unparted)} of {len(marks)} marks the blank is gone."
        yield Sign("blanks_lost", True, detail, unparted, {"marks": len(unparted), "needed": UNPARTED_MARKS})
