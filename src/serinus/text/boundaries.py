"""A few strange tokens at line starts, again and again over several answers (a fault of 4-bit kernels)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from serinus.text.languages import Language
from serinus.text.scripts import LETTERS
from serinus.text.signs import Sign
from serinus.text.words import rivals, table

TIMES: Final = 3  # line starts in all
ANSWERS: Final = 2  # different answers
LETTERS_LEAST: Final = 3

_FIRST_WORD: Final = re.compile(
    rf"^[ \t]*([{LETTERS['Latn']}{LETTERS['Cyrl']}]{{{LETTERS_LEAST},}})\b", re.MULTILINE
)


def find_boundary_words(texts: Sequence[str], language: Language) -> Sign | None:
    """Words of no known language, without a capital, that begin lines of several of these answers."""
    if not language.words or language.letters:
        return None
    tables = [table(language.code), *(words for _, words in rivals(language.code))]
    seen: defaultdict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        for match in _FIRST_WORD.finditer(text):
            word = match[1]
            if word.islower() and not any(word in words for words in tables):
                seen[word].append(number)
    strange = {w: n for w, n in seen.items() if len(n) > 1}
    times = sum(len(n) for n in strange.values())
    answers = {number for numbers in strange.values() for number in numbers}
    if times < TIMES or len(answers) < ANSWERS:
        return None
    return Sign(
        "boundary_words",
        True,
        f"Words of no language begin {times} lines of {len(answers)} answers.",
        (),
        {"words": sorted(strange)[:5], "times": times, "answers": len(answers)},
    )
