"""One examination of an answer for the language contract: what is wrong with it, the surest first.

The order is that of cost and certainty: traces of encoding, marks and blanks, other scripts, other words
of the same script, legibility. The first proof ends it; doubts are kept until then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from serinus.text.artefacts import find_artefacts
from serinus.text.hybrids import find_hybrids
from serinus.text.languages import Language
from serinus.text.legibility import find_salad
from serinus.text.marks import find_lost_blanks, find_mark_defects
from serinus.text.mentions import asks_for_invention
from serinus.text.mixing import find_other_scripts, find_other_words
from serinus.text.mojibake import find_mojibake
from serinus.text.signs import Sign, first
from serinus.text.spans import mask_code, quotations
from serinus.text.strays import own_units
from serinus.text.tokens import tokens

LEAST_SOUND: Final = 8.0  # words of the language from which an answer without a flaw is sound
LONGEST: Final = 20_000  # characters examined: an answer to a probe has some 2,000

_LINK: Final = re.compile(
    r"\b(?:https?://|www\.)\S{1,400}|\b[\w.-]{1,64}@[\w-]{1,64}\.\w+\b|\b[\w-]{1,64}\.(?:com|org|net|io|dev)\b\S*"
)


@dataclass(frozen=True, slots=True)
class Examination:
    """What an answer showed: the decisive sign if there is one, and how many words of its language it has."""

    sign: Sign | None
    units: float

    @property
    def short(self) -> bool:
        """Whether there is too little text to say anything of its language."""
        return self.units < LEAST_SOUND


def prepared(text: str) -> str:
    """The text as it is examined: capped, its code spans and links blanked, every offset unchanged."""
    return _LINK.sub(lambda m: " " * len(m.group()), mask_code(text[:LONGEST]))


def examine(text: str, language: Language, prompt: str = "") -> Examination:
    """Examine an answer that was asked for in this language."""
    text = prepared(text)
    doubts: list[Sign] = []
    for step in _steps(text, language, prompt):
        signs = list(step())
        proof = next((sign for sign in signs if sign.sure), None)
        if proof is not None:
            return Examination(proof, own_units(text, language))
        doubts += signs
    return Examination(first(doubts), own_units(text, language))


def _steps(text: str, language: Language, prompt: str) -> Iterator[Callable[[], Iterator[Sign]]]:
    quoted = quotations(text)
    yield lambda: _encoding(text, language, prompt)
    yield lambda: find_mark_defects(text, language)
    yield lambda: find_lost_blanks(text, language)
    if (
        language.letters
    ):  # kana are a script of their own, yet tell Japanese from Chinese best in their context
        yield lambda: find_other_words(text, language, quoted)
    yield lambda: find_other_scripts(text, language, quoted)
    yield lambda: find_hybrids(text, language)
    if language.words:
        if not language.letters:
            yield lambda: find_other_words(text, language, quoted)
        if not asks_for_invention(prompt):
            yield lambda: find_salad(text, tokens(text, language), language)


def _encoding(text: str, language: Language, prompt: str) -> Iterator[Sign]:
    mojibake = find_mojibake(text, language)
    if mojibake is not None:
        yield mojibake
    yield from find_artefacts(text, prompt)
