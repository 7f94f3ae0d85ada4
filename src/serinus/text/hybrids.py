"""Words that two scripts share, and wrong tokens that look like a character: a vocabulary's slips."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from serinus.text.languages import Language
from serinus.text.scripts import LETTERS, MARKS
from serinus.text.signs import Sign
from serinus.text.spans import Span

HYBRIDS: Final = 2  # one may be a typing error or a pun
LONGEST: Final = 60  # letters of a word
SYLLABLE: Final = 6  # Latin letters in the place of a Korean syllable or two
FRAGMENT: Final = 4  # Latin letters inside Thai, which parts no words: longer runs may be a loan

# Latin letters that look like Cyrillic or Greek ones: typists mix them up, and nobody sees it.
_LOOKALIKES: Final = frozenset("aceiopsxyABCEHIKMOPTX")

# In one vocabulary the token of 极 stands beside that of an ellipsis and comes in its place (reported of many
# hosts of DeepSeek V3). It ends no phrase in Chinese but in these words.
_WRONG_TOKEN: Final = re.compile(
    r"(?<![积積终終南北太两兩之至登无無罪阳陽阴陰消正负負好])极(?=[，。！？、；：”」』\"\s…)）]|$)"
)
WRONG_TOKENS: Final = 2


@cache
def _hybrid(scripts: frozenset[str]) -> re.Pattern[str] | None:
    """Matches where Latin touches the language's own script inside a word."""
    own = "".join(LETTERS[s] for s in sorted(scripts))
    latin = LETTERS["Latn"]
    if scripts & {"Cyrl", "Grek"}:
        return re.compile(f"[{own}{MARKS}](?=[{latin}])|[{latin}](?=[{own}])")
    if scripts & {"Arab", "Deva"}:  # an article or preposition may be written before a Latin name
        return re.compile(f"[{latin}](?=[{own}])")
    if "Thai" in scripts:
        return re.compile(f"(?<=[{own}{MARKS}])[a-z]{{1,{FRAGMENT}}}(?=[{own}])")
    if (
        "Hang" in scripts
    ):  # a particle follows a Latin word directly, but no Latin letters follow a Korean stem
        return re.compile(f"(?<=[{own}])[a-z]{{2,{SYLLABLE}}}(?=[{own}])")
    return None


def _words(text: str, touches: Iterable[Span]) -> list[Span]:
    """The words in which those places stand, each once."""
    found: list[Span] = []
    for start, end in touches:
        if found and end <= found[-1][1]:
            continue
        a, b = start, end
        while a > 0 and text[a - 1].isalpha() and b - a < LONGEST:
            a -= 1
        while b < len(text) and text[b].isalpha() and b - a < LONGEST:
            b += 1
        found.append((a, b))
    return found


def _slip(word: str) -> bool:
    """Whether the Latin letters of a word of two scripts are more than an abbreviation or a lookalike."""
    latin = re.findall(r"[A-Za-z]", word)
    return any(letter.islower() for letter in latin) and not _LOOKALIKES.issuperset(latin)


def find_hybrids(text: str, language: Language) -> Iterator[Sign]:
    """Latin letters inside words of another script, and wrong tokens inside Chinese."""
    pattern = _hybrid(language.scripts)
    if pattern is not None:
        thai = "Thai" in language.scripts
        touches = [m.span() for m in pattern.finditer(text)]
        spans = touches if thai else [(a, b) for a, b in _words(text, touches) if _slip(text[a:b])]
        if spans:
            yield Sign(
                "language_mixed",
                len(spans) >= HYBRIDS,
                f"{len(spans)} words are written in two scripts.",
                spans,
                {"words": len(spans), "needed": HYBRIDS},
            )
    if language.code.startswith("zh"):
        spans = [m.span() for m in _WRONG_TOKEN.finditer(text)]
        if spans:
            yield Sign(
                "wrong_token",
                len(spans) >= WRONG_TOKENS,
                f"{len(spans)} times a character stands where a pause belongs.",
                spans,
                {"count": len(spans), "needed": WRONG_TOKENS},
            )
