"""What each word looks like: a shape and a colour, so that neither is needed to read the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from serinus.core.model import Word
from serinus.service.glances import LETTERS


@dataclass(frozen=True, slots=True)
class Mark:
    """A word on a page: its class, the sign beside it, what it is called there."""

    css: str
    sign: str
    called: str


MARKS: Final[Mapping[Word, Mark]] = MappingProxyType(
    {
        Word.PASS: Mark("p", "✓", "kept"),
        Word.FAIL: Mark("f", "✕", "broken"),
        Word.ALARM: Mark("f", "✕", "not obeyed"),
        Word.WEAK: Mark("w", "!", "probe weak"),
        Word.WARN: Mark("w", "!", "worth a look"),
        Word.INCONCLUSIVE: Mark("i", "?", "undecided"),
        Word.TRANSPORT: Mark("t", "~", "no scorable answer"),
        Word.VOID: Mark("t", "∅", "not this route’s answer"),
        Word.NOT_APPLICABLE: Mark("n", "–", "not asked"),
    }
)
LETTER_OF: Final[Mapping[str, str]] = MappingProxyType(
    {word.value: letter for word, letter in LETTERS.items()}
)
BY_LETTER: Final[Mapping[str, Mark]] = MappingProxyType({LETTERS[word]: mark for word, mark in MARKS.items()})
NO_FINDING: Final = Mark("n", "–", "not asked")


def mark(word: str | Word | None) -> Mark:
    """The mark of a word; of none, that of what was not asked."""
    return MARKS[Word(word)] if word else NO_FINDING
