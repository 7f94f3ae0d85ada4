"""Whether a text is made of words at all: a language identifier calls a salad of words English, too.

Three measures. Words: the part of words (names keep out) that the language's table has. Grammar: the part
that are among its 150 commonest. Both against what the table itself predicts for running text; on 8,500 clean
passages grammar fell to 0.43 of it (Turkish; 0.55 elsewhere), while engines with 2-bit weights or a wild
sampler reach 0.00-0.17. Repairs: the part of words that are unknown, but known after one small repair: a
letter doubled, lost or put in, two words glued. Of 6,100 clean passages of news, forums and reference 99 %
stay below 0.06 (at most 0.107, in e-mails full of typing errors); text with half of its words damaged reaches
0.12, whatever the language.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from heapq import nlargest
from math import exp, log
from typing import Final

from serinus.text.languages import Language
from serinus.text.signs import Sign
from serinus.text.tokens import Tokens
from serinus.text.words import FLOOR, Table, rivals, table

COMMONEST: Final = 150
LEAST_WORDS: Final = 20  # that are no names
FEW_WORDS: Final = 12  # enough for a doubt
NO_GRAMMAR: Final = 0.3
SALAD_WORDS: Final = 0.85
NO_WORDS: Final = 0.5
# A list has marks or line ends between its words and needs no grammar.
LIST_GAPS: Final = 0.35
_LIST_GAP: Final = re.compile(
    r"[\s,;:.!?•*\"“”„«»'’()/–—-]*[,;:.!?•*\"“”„«»()\n/–—][\s,;:.!?•*\"“”„«»'’()/–—-]*"
)

BROKEN_REPAIRS: Final = 0.12
BROKEN_LEAST: Final = 5  # repairs
DOUBTFUL_REPAIRS: Final = 0.085
DOUBTFUL_LEAST: Final = 4
COMMON_PART: Final = log(1e-4)  # each part of a glued word is at least this common
GLUED_PART: Final = 2  # letters of the shortest part
GLUED_LONGEST: Final = 14
REPAIRABLE: Final = 3  # letters
# In Arabic and Devanagari one letter more or less makes another word too often: clean passages reach 0.14.
_ALPHABETS: Final = frozenset({"Latn", "Cyrl", "Grek"})

# Letters that the language does not have, in the place of those that it has: one 8-bit code page read as
# another. So many of them, as a part of all letters beyond a-z, while so many words are unknown.
STRANGE_LETTERS: Final = 8
STRANGE_SHARE: Final = 0.4
STRANGE_WORDS: Final = 0.8
LEAST_ALPHABET: Final = 4  # letters beyond a-z: English or Indonesian have none of their own to lose
RARE_LETTER: Final = 2e-4  # of the running text's words hold it

# The last third of a long answer, for those that begin well and decay.
THIRD_LEAST: Final = 75
THIRD_GRAMMAR: Final = 0.2
THIRD_WORDS: Final = 0.6
# Characters instead of words: the mean logarithm of their frequency. Clean passages reach -7.5, Chinese or
# Japanese in a wrong code page -11.2 at best.
LETTERS_LEAST: Final = 40
GARBLED: Final = -9.5


@cache
def _prediction(code: str) -> tuple[frozenset[str], float, float]:
    """The commonest words of a language, the part of running text they are, and the part the table is."""
    words = table(code)
    common = frozenset(nlargest(COMMONEST, words, key=lambda w: (words[w], w)))
    return common, sum(exp(words[w]) for w in common), sum(exp(v) for v in words.values())


@cache
def _beheaded(code: str) -> frozenset[str]:
    """Every word of a language without its last letter."""
    return frozenset(word[:-1] for word in table(code))


def find_salad(text: str, words: Tokens, language: Language) -> Iterator[Sign]:
    """Text that is no running text of the language."""
    if words.letters:
        yield from _garbled(words, language)
        return
    indices = [i for i, form in enumerate(words.forms) if not _name(form)]
    if len(indices) < FEW_WORDS:
        return
    known, grammar = _measures(words, indices, language)
    unknown = [i for i in indices if _unknown(words, i, language)]
    spans = [words.spans[i] for i in unknown]
    values = {"words": round(known, 3), "grammar": round(grammar, 3), "counted": len(indices)}
    if grammar < NO_GRAMMAR:
        enough = len(indices) >= LEAST_WORDS and known < SALAD_WORDS
        sure = (enough or known < NO_WORDS) and not _list(text, words)
        yield Sign(
            "word_salad", sure, "The words make no text: those that join words are missing.", spans, values
        )
        return
    if known < STRANGE_WORDS:
        yield from _strange(words, language)
    yield from _broken(words, unknown, values, language)
    if len(indices) >= THIRD_LEAST:
        yield from _decayed(text, words, indices[-len(indices) // 3 :], language)


def _name(form: str) -> bool:
    """Whether a word is written like a name; one all in capitals is shouted."""
    return form[0].isupper() and not (form.isupper() and len(form) > 1)


def _list(text: str, words: Tokens) -> bool:
    """Whether marks or line ends stand between the words as in a list."""
    gaps = [text[a[1] : b[0]] for a, b in zip(words.spans, words.spans[1:], strict=False)]
    return sum(_LIST_GAP.fullmatch(gap) is not None for gap in gaps) >= LIST_GAPS * len(gaps)


def _unknown(words: Tokens, i: int, language: Language) -> bool:
    own = table(language.code)
    word = words.low[i]
    if word in own or words.own[i] in own:
        return False
    return "'" not in word or any(own.get(part, FLOOR) <= FLOOR for part in word.split("'") if part)


def _measures(words: Tokens, indices: list[int], language: Language) -> tuple[float, float]:
    common, common_mass, mass = _prediction(language.code)
    known = sum(not _unknown(words, i, language) for i in indices) / len(indices)
    grammar = sum(words.low[i] in common or words.own[i] in common for i in indices) / len(indices)
    return known / mass, grammar / (common_mass / mass)


@cache
def _accented(code: str) -> frozenset[str]:
    """The letters beyond a-z that running text of a language holds."""
    masses: defaultdict[str, float] = defaultdict(float)
    for word, frequency in table(code).items():
        for letter in set(word):
            if not letter.isascii():
                masses[letter] += exp(frequency)
    return frozenset(letter for letter, mass in masses.items() if mass > RARE_LETTER)


def _strange(words: Tokens, language: Language) -> Iterator[Sign]:
    alphabet = _accented(language.code)
    if "Latn" not in language.scripts or len(alphabet) < LEAST_ALPHABET:
        return
    beyond = [letter for word in words.low for letter in word if not letter.isascii() and letter.isalpha()]
    strange = [letter for letter in beyond if letter not in alphabet]
    if len(strange) >= STRANGE_LETTERS and len(strange) >= STRANGE_SHARE * len(beyond):
        yield Sign(
            "mojibake",
            True,
            f"{len(strange)} letters are none of {language.name}, and stand where its own belong.",
            [span for span, word in zip(words.spans, words.low, strict=True) if set(word) & set(strange)],
            {"letters": "".join(sorted(set(strange))[:12]), "count": len(strange), "needed": STRANGE_LETTERS},
        )


def _broken(
    words: Tokens, unknown: list[int], values: Mapping[str, object], language: Language
) -> Iterator[Sign]:
    if not language.scripts & _ALPHABETS:
        return
    own = table(language.code)
    broken = [i for i in unknown if _repairable(words.own[i], own, language.code)]
    share = len(broken) / max(1, int(str(values["counted"])))
    if len(broken) < DOUBTFUL_LEAST or share < DOUBTFUL_REPAIRS:
        return
    yield Sign(
        "broken_words",
        share >= BROKEN_REPAIRS and len(broken) >= BROKEN_LEAST,
        f"{len(broken)} words are {language.name} words with a letter lost or put in, or glued together.",
        [words.spans[i] for i in broken],
        {**values, "repairs": round(share, 3), "needed": BROKEN_REPAIRS},
    )


def _repairable(word: str, own: Table, code: str) -> bool:
    """Whether one small repair makes a word known: a letter out, its last letter back, a blank in."""
    if len(word) < REPAIRABLE:
        return False
    if word in _beheaded(code):
        return True
    if any(word[:i] + word[i + 1 :] in own for i in range(1, len(word) - 1)):
        return True
    if word[-1] == word[-2] and word[:-1] in own:
        return True
    return _glued(word, own)


def _glued(word: str, own: Table) -> bool:
    """Whether a word is common words without the blanks between them."""
    reached = [True] + [False] * len(word)
    for end in range(GLUED_PART, len(word) + 1):
        reached[end] = any(
            reached[start] and own.get(word[start:end], FLOOR) > COMMON_PART
            for start in range(max(0, end - GLUED_LONGEST), end - GLUED_PART + 1)
        )
    return reached[-1]


def _decayed(text: str, words: Tokens, last: list[int], language: Language) -> Iterator[Sign]:
    known, grammar = _measures(words, last, language)
    if grammar < THIRD_GRAMMAR and known < THIRD_WORDS and not _list(text, words):
        spans = [words.spans[i] for i in last if _unknown(words, i, language)]
        values = {"words": round(known, 3), "grammar": round(grammar, 3), "counted": len(last)}
        yield Sign("word_salad", True, "The last third of the answer makes no text.", spans, values)


def _garbled(words: Tokens, language: Language) -> Iterator[Sign]:
    """Chinese or Japanese in characters that nobody uses: one code page read as another."""
    han = [word for word in words.low if word >= "\u3400"]
    if len(han) < LETTERS_LEAST:
        return
    tables = [table(language.code), *(rival for _, rival in rivals(language.code))]
    mean = max(sum(own.get(word, FLOOR) for word in han) / len(han) for own in tables)
    if mean < GARBLED:
        yield Sign(
            "mojibake",
            True,
            "The characters are too rare to be running text of any language that writes them.",
            (),
            {"mean_log": round(mean, 2), "needed": GARBLED},
        )
