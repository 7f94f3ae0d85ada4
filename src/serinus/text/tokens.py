"""Words of a text in the script of a language, with their places, as the token model reads them.

In a language without blanks between words a token is one character.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from serinus.text.languages import Language
from serinus.text.scripts import own_letter, own_words

# Chinese and Japanese are told apart by the letters of both.
LETTERED: Final = frozenset({"Hani", "Kana"})
# `I` is the capital of `ı` in Turkish. Both readings of a word are kept, since foreign words stand there too.
DOTTED: Final = str.maketrans({"I": "ı", "İ": "i"})
_APOSTROPHES: Final = str.maketrans({"’": "'", "ʼ": "'"})
# Marks of pronunciation that Arabic may carry or not; the word table has none.
_HARAKAT: Final = dict.fromkeys((*range(0x64B, 0x660), 0x670, 0x640))


@dataclass(frozen=True)
class Tokens:
    """The words of a text: as written, in lower case, and where they stand.

    `letters` says that they are single characters. `own` is the lower case by the rules of the language
    (Turkish), `low` that of all others.
    """

    forms: list[str]
    own: list[str]
    low: list[str]
    spans: list[tuple[int, int]]
    letters: bool = False

    def __len__(self) -> int:
        return len(self.forms)

    @cached_property
    def nth(self) -> list[int]:
        """For each word the how-manieth of its kind it is, counted from 1."""
        seen: Counter[str] = Counter()
        order = []
        for word in self.low:
            seen[word] += 1
            order.append(seen[word])
        return order


def _stuttered(text: str, start: int, end: int) -> bool:
    """Whether a single letter stands beside a hyphen: `i-i-it` is no word `i`."""
    return text[start - 1 : start] == "-" or text[end : end + 1] == "-"


def _numbered(text: str, start: int, end: int) -> bool:
    """Whether a digit touches the letters: `20th`, `v2` and `h3ll0` are no words of any language."""
    return text[start - 1 : start].isdigit() or text[end : end + 1].isdigit()


def tokens(text: str, language: Language) -> Tokens:
    """The tokens of this text that are written in a script of the language; of Chinese, kana too."""
    pattern = own_letter(LETTERED) if language.letters else own_words(language.scripts)
    found = [m.span() for m in pattern.finditer(text)]
    if not language.letters:
        found = [(a, b) for a, b in found if b - a > 1 or not _stuttered(text, a, b)]
        found = [(a, b) for a, b in found if not _numbered(text, a, b)]
    forms = [text[a:b].translate(_APOSTROPHES) for a, b in found]
    low = [form.lower() for form in forms]
    own = low
    if language.code == "tr":
        own = [form.translate(DOTTED).lower() for form in forms]
    elif "Arab" in language.scripts:
        low = own = [form.translate(_HARAKAT) for form in low]
    return Tokens(forms, own, low, found, letters=language.letters)
