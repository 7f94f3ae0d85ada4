"""Strays: runs of letters of a script that the expected language is not written in.

Names, brands and loans are written in Latin letters all over the world, so a Latin stray in a non-Latin
text counts by its grammar: `the`, `of`, `und` are never borrowed, `weekend` is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from math import log
from typing import Final

from serinus.text.languages import Language, languages
from serinus.text.scripts import LETTERS, MARKS, own_letter, own_words, units
from serinus.text.spans import Span, inside
from serinus.text.words import table

# A word this frequent in its language is grammar rather than vocabulary: about the first 120 of each.
GRAMMAR: Final = log(1.1e-3)
LEAST_GRAMMAR: Final = 2  # letters: `a`, `e`, `o` are words of every language and letters of lists
NEAR_GAP: Final = 8  # characters between two runs that still belong together
CJK: Final = frozenset({"Hani", "Kana"})
BRIDGED: Final = 3  # own Han characters between kana that belong to the Japanese around them


@dataclass(frozen=True, slots=True)
class Stray:
    """One run of foreign letters.

    `units` is its length in words. For Latin, `lower` counts words without a capital and `grammar`
    those that are function words. `glued` says that it touches a letter of the language's own script.
    `quoted` is the quotation, gloss or title that holds it wholly.
    """

    script: str
    start: int
    end: int
    units: float
    words: int
    lower: int
    grammar: int
    glued: bool
    quoted: Span | None


@dataclass(slots=True)
class _Draft:
    script: str
    start: int
    end: int
    units: float = 0.0
    words: list[Span] = field(default_factory=list)


@cache
def _foreign(scripts: frozenset[str]) -> re.Pattern[str]:
    """Matches a run of one foreign script; the group's name is the script."""
    return re.compile(
        "|".join(
            f"(?P<{code}>[{letters}][{letters}{MARKS}]*(?:['’][{letters}]+)*)"
            for code, letters in LETTERS.items()
            if code not in scripts
        )
    )


@cache
def _grammar() -> frozenset[str]:
    """The function words of every language that is written in Latin letters."""
    return frozenset(
        word
        for language in languages().values()
        if language.words and "Latn" in language.scripts
        for word, frequency in table(language.code).items()
        if frequency > GRAMMAR and len(word) >= LEAST_GRAMMAR
    )


def _drafts(text: str, language: Language) -> list[_Draft]:
    own = own_letter(language.scripts)
    cjk = bool(language.scripts & CJK)
    drafts: list[_Draft] = []
    for match in _foreign(language.scripts).finditer(text):
        script = match.lastgroup or "Othr"
        start, end = match.span()
        kind = "Hani" if script == "Kana" and not cjk else script
        last = drafts[-1] if drafts else None
        if last is None or last.script != kind or not _belongs(text[last.end : start], own, kind, cjk=cjk):
            last = _Draft(kind, start, end)
            drafts.append(last)
        last.end = end
        last.units += units(script, end - start)
        last.words.append((start, end))
    return drafts


def _belongs(gap: str, own: re.Pattern[str], script: str, *, cjk: bool) -> bool:
    """Whether what stands between two runs of one script leaves them one."""
    if "\n" in gap or len(gap) > NEAR_GAP:
        return False
    letters = len(own.findall(gap))
    return letters == 0 or (cjk and script != "Latn" and letters <= BRIDGED)


def find_strays(text: str, language: Language, quotations: Sequence[Span]) -> list[Stray]:
    """Every stray of a text, in order."""
    own = own_letter(language.scripts)
    found = []
    for draft in _drafts(text, language):
        lower = grammar = 0
        if draft.script == "Latn":
            words = [text[a:b] for a, b in draft.words]
            lower = sum(word[0].islower() for word in words)
            grammar = sum(word.lower() in _grammar() for word in words) if lower else 0
        before = text[draft.start - 1 : draft.start]
        after = text[draft.end : draft.end + 1]
        found.append(
            Stray(
                draft.script,
                draft.start,
                draft.end,
                draft.units,
                len(draft.words),
                lower,
                grammar,
                glued=bool(own.match(before) or own.match(after)),
                quoted=inside(draft.start, draft.end, quotations),
            )
        )
    return found


def own_units(text: str, language: Language) -> float:
    """How many words of the language's own scripts a text holds."""
    total = 0.0
    counts: Counter[str] = Counter()
    for script in language.scripts:
        pattern = own_letter(frozenset({script}))
        if script in {"Hani", "Kana", "Thai"}:
            counts[script] += len(pattern.findall(text))
        else:
            total += len(own_words(frozenset({script})).findall(text))
    return total + sum(units(script, n) for script, n in counts.items() if n)
