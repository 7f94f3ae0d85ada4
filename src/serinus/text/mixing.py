"""Whether an answer left the expected language: for another one wholly, or again and again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from serinus.text.islands import STRONG, Islands, find_islands
from serinus.text.languages import Language, languages
from serinus.text.mentions import explained
from serinus.text.signs import Sign
from serinus.text.spans import Span, inside
from serinus.text.strays import Stray, find_strays, own_units
from serinus.text.tokens import Tokens, tokens

# An answer shorter than this (in words; a Han character is 0.6) is never judged.
LEAST_UNITS: Final = 12.0

# Of quotations that are wholly foreign, phrases of this many words (a title, a motto) are let pass, and one
# longer one, if it is the only foreign thing in the answer and no larger part of it than this. The healthy
# quotations measured come up to 0.22 of a short text.
PHRASE: Final = 5.0
NAME: Final = 2.0  # words of a quoted name, which is no foreign thing at all
ONE_QUOTATION: Final = 0.22
WHOLLY: Final = 0.5  # of its words: names in it belong to no language

# Whole answer: this part in another language.
SWITCH_SHARE: Final = 0.6
SWITCH_GAIN: Final = 10.0
SWITCH_SCRIPT: Final = 0.7

# Islands: gain in nats, different strong words, and enough runs for their share. Of 2,177 clean passages the
# highest gain is 7.1; research saw 7 of 20,756 above 14, each a real foreign phrase, none with these runs. A
# single run must say more.
MIX_WORDS: Final = 25
MIX_GAIN: Final = 11.0
LONE_GAIN: Final = 20.0
MIX_DISTINCT: Final = 4
# Among characters of Chinese and Japanese the gain of 856 clean passages is never above 0.
LETTER_GAIN: Final = 7.0
LETTER_DISTINCT: Final = 3
MIX_RUNS: Final = ((3, 0.03), (2, 0.04), (1, 0.12))
# A short island that fills all between two marks (`Ay, mi amor, …`) is an interjection: some characters speak
# so. A fault changes the language in mid-clause, or for whole sentences.
INTERJECTION: Final = 6  # words
TITLE: Final = 0.5  # of its words begin with a capital; German, which writes its nouns so, has no titles
MANY_INTERJECTIONS: Final = 0.25  # of the words: then it is no flavour any more
DOUBTS: Final = ((4.0, 3), (5.5, 2))  # nats and different strong words; 99.7 % of clean passages stay below
NEAR_DOUBT: Final = 8.0  # nats, for a neighbour that shares half of the words

# Strays of other scripts: how many, and their least share of the text's units.
STRAY_RUNS: Final = ((4, 0.0), (3, 0.02), (2, 0.06), (1, 0.12))
# Korean scholars write Han characters of old; a fault puts them in the place of everyday words.
STRAY_RUNS_KOREAN: Final = ((4, 0.04), (3, 0.05), (2, 0.08), (1, 0.12))
STRAY_UNITS: Final = 8.0  # a single one must be this long
GLUED: Final = 2  # words that two scripts share
DECORATION: Final = "の"  # in the names of shops and brands all over East Asia
ITEM_MARKS: Final = frozenset(",;，、；،")  # between the items of a list
FEW_EXPLAINED: Final = 3  # words of another script that the text may speak about
LONE_HAN: Final = 2  # single Han characters, as one wrong token leaves them
SALAD_SCRIPTS: Final = 3  # other scripts than its own in one answer
# Latin strays in a text of another script: runs that hold grammar, and their function words in all.
LATIN_RUNS: Final = ((3, 4), (2, 6), (1, 12))
LATIN_SHARE: Final = 0.1
# Sentences need no grammar that we know: two runs of so many words without a capital, or one long one.
LATIN_SENTENCES: Final = ((2, 5), (1, 9))
LATIN_WORDS: Final = 8
LATIN_DOUBT: Final = 4
LATIN_DOUBT_FEW: Final = 3  # where they stand in a short text
LATIN_DOUBT_SHARE: Final = 0.05


def _runs(count: int) -> str:
    return "There is one run" if count == 1 else f"There are {count} runs"


def _name(code: str | None) -> str:
    known = languages().get(code or "")
    return known.name if known else "another language"


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A foreign piece: its size in words, how many of them are no names, and the quotation that holds it."""

    size: float
    plain: float
    quoted: Span | None


def _exempt(chunks: Sequence[_Chunk], total: float, words_in: Callable[[Span], float]) -> list[Span]:
    """Which quotations with foreign words are let pass."""
    sizes: defaultdict[Span, float] = defaultdict(float)
    for chunk in chunks:
        if chunk.quoted is not None:
            sizes[chunk.quoted] += chunk.size
    plain: defaultdict[Span | None, float] = defaultdict(float)
    for chunk in chunks:
        plain[chunk.quoted] += chunk.plain
    wholly = {span: size for span, size in sizes.items() if size >= WHOLLY * words_in(span)}
    phrases = [span for span, size in wholly.items() if size <= PHRASE or plain[span] <= TITLE * size]
    longer = [span for span in wholly if span not in phrases]
    beside = sum(chunk.plain for chunk in chunks if chunk.quoted not in longer)
    if len(longer) == 1 and beside <= NAME and wholly[longer[0]] <= ONE_QUOTATION * total:
        return phrases + longer
    return phrases


# --- other scripts


def find_other_scripts(text: str, language: Language, quotations: Sequence[Span]) -> Iterator[Sign]:
    """Letters of scripts that the language is not written in."""
    strays = find_strays(text, language, quotations)
    if not strays:
        return
    own = own_units(text, language)
    foreign = sum(stray.units for stray in strays)
    total = own + foreign
    if total >= LEAST_UNITS and foreign > SWITCH_SCRIPT * total:
        yield _switched_script(strays, foreign / total)
        return
    chunks = [_Chunk(s.units, s.lower if s.script == "Latn" else s.units, s.quoted) for s in strays]

    def words_in(span: Span) -> float:
        return own_units(text[span[0] : span[1]], language) + sum(s.units for s in strays if s.quoted == span)

    exempt = _exempt(chunks, total, words_in)
    open_ones = [s for s in strays if s.quoted is None or s.quoted not in exempt]
    if "Latn" not in language.scripts:
        yield from _latin([s for s in open_ones if s.script == "Latn"], total)
    others = [s for s in open_ones if s.script != "Latn" and not _ornament(text, s)]
    if len(others) <= FEW_EXPLAINED:
        others = [s for s in others if not explained(text, s.start, s.end)]
    yield from _others(others, total, language)


def _ornament(text: str, stray: Stray) -> bool:
    """Whether a stray is an ornament: a letter of a formula, a shop's の, an item of a quoted list.

    A wrong token stands in the place of a word; these stand beside the words.
    """
    written = text[stray.start : stray.end]
    if stray.script == "Grek":
        return len(written) == 1
    if stray.quoted is None:
        return False
    if written == DECORATION:
        return True
    before = text[: stray.start].rstrip()[-1:]
    after = text[stray.end :].lstrip()[:1]
    opened, closed = (stray.quoted[0] + 1, stray.quoted[1] - 1)
    first = text[opened : stray.start].strip() == ""
    last = text[stray.end : closed].strip() == ""
    return (first or before in ITEM_MARKS) and (last or after in ITEM_MARKS) and not (first and last)


def _switched_script(strays: Sequence[Stray], share: float) -> Sign:
    scripts: Counter[str] = Counter()
    for stray in strays:
        scripts[stray.script] += stray.units  # type: ignore[assignment]  # a Counter of floats
    if len(scripts) > SALAD_SCRIPTS:
        return Sign(
            "word_salad",
            True,
            "The answer is a salad of scripts.",
            [(s.start, s.end) for s in strays],
            {"scripts": len(scripts), "share": round(share, 3)},
        )
    return Sign(
        "language_switched",
        True,
        f"{share:.0%} of the answer is written in another script.",
        [(s.start, s.end) for s in strays],
        {"share": round(share, 3), "needed": SWITCH_SCRIPT, "script": max(scripts, key=lambda k: scripts[k])},
    )


def _latin(strays: Sequence[Stray], total: float) -> Iterator[Sign]:
    """Latin words in a text of another script, by their grammar."""
    grammatical = [s for s in strays if s.grammar and s.lower * 2 > s.words]
    function = sum(s.grammar for s in grammatical)
    lower = sum(s.lower for s in strays)
    share = lower / total
    spans = [(s.start, s.end) for s in grammatical or strays]
    values = {"runs": len(grammatical), "function_words": function, "share": round(share, 3)}
    sentences = any(
        sum(s.lower >= words for s in strays) >= runs and share >= LATIN_SHARE
        for runs, words in LATIN_SENTENCES
    )
    phrases = any(len(grammatical) >= runs and function >= words for runs, words in LATIN_RUNS)
    if sentences or phrases or (share >= LATIN_SHARE and lower >= LATIN_WORDS and function >= LATIN_DOUBT):
        yield Sign("language_mixed", True, "Phrases in Latin letters stand in the text.", spans, values)
    elif (
        function >= LATIN_DOUBT
        or (function >= LATIN_DOUBT_FEW and share >= LATIN_DOUBT_SHARE)
        or (share >= LATIN_SHARE and lower >= LATIN_WORDS)
    ):
        yield Sign("language_mixed", False, "Words in Latin letters stand in the text.", spans, values)


def _others(strays: Sequence[Stray], total: float, language: Language) -> Iterator[Sign]:
    """Runs of other scripts, wherever Latin letters do not explain them."""
    if not strays:
        return
    size = sum(s.units for s in strays)
    share = size / total
    scripts = {s.script for s in strays}
    spans = [(s.start, s.end) for s in strays]
    values = {"runs": len(strays), "share": round(share, 3), "scripts": sorted(scripts)}
    korean = "Hang" in language.scripts and scripts == {"Hani"}
    lone = 0 if korean else sum(s.script == "Hani" and s.end - s.start == 1 for s in strays)
    glued = 0 if korean else sum(s.glued for s in strays)
    enough = lone >= LONE_HAN or any(
        len(strays) >= runs and share >= least and (runs > 1 or size >= STRAY_UNITS)
        for runs, least in (STRAY_RUNS_KOREAN if korean else STRAY_RUNS)
    )
    if enough or glued >= GLUED:
        code = "word_salad" if len(scripts) >= SALAD_SCRIPTS else "language_mixed"
        yield Sign(code, True, f"{_runs(len(strays))} of other scripts in the text.", spans, values)
    else:
        yield Sign("foreign_script", False, "A word of another script stands in the text.", spans, values)


# --- the same script


def _quoted_parts(words: Tokens, found: Islands, quotations: Sequence[Span]) -> list[_Chunk]:
    """The islands, cut where quotations begin and end: a list of titles is one island and many quotations."""
    chunks: list[_Chunk] = []
    for first, last in found.islands:
        sizes: Counter[Span | None] = Counter(
            inside(*words.spans[i], quotations) for i in range(first, last + 1)
        )
        chunks += [_Chunk(size, size, quotation) for quotation, size in sizes.items()]
    return chunks


def _silenced(words: Tokens, spans: Sequence[Span]) -> frozenset[int]:
    return frozenset(i for i, (a, b) in enumerate(words.spans) if inside(a, b, spans) is not None)


def find_other_words(text: str, language: Language, quotations: Sequence[Span]) -> Iterator[Sign]:
    """Words of another language in the same script."""
    words = tokens(text, language)
    found = find_islands(words, language)
    if found.rival is None or found.gain < DOUBTS[0][0]:
        return
    share = _share(found)
    if len(words) >= LEAST_UNITS and share >= SWITCH_SHARE and found.gain >= SWITCH_GAIN:
        yield Sign(
            "language_switched",
            found.rival not in language.near,
            f"The answer is {_name(found.rival)}, {language.name} was asked for.",
            found.spans,
            {"language": found.rival, "share": round(share, 3), "gain": round(found.gain, 1)},
        )
        return
    chunks = _quoted_parts(words, found, quotations)
    quoted = _exempt(chunks, len(words), lambda span: len(_silenced(words, [span])))
    if quoted:
        found = find_islands(words, language, _silenced(words, quoted))
    yield from _islands(text, words, found, language)


def _share(found: Islands) -> float:
    return found.decisive if found.letters else found.share


def _interjected(text: str, words: Tokens, found: Islands, first: int, last: int) -> bool:
    """Whether a short island fills all between two marks, up to words that no language claims (names)."""
    while first > 0 and found.evidence[first - 1] > -STRONG and _joined(text, words, first - 1):
        first -= 1
    while last + 1 < len(words) and found.evidence[last + 1] > -STRONG and _joined(text, words, last):
        last += 1
    if last - first >= INTERJECTION:
        return False
    before = first == 0 or not _joined(text, words, first - 1)
    after = last + 1 == len(words) or not _joined(text, words, last)
    return before and after


def _joined(text: str, words: Tokens, i: int) -> bool:
    """Whether no mark stands between a word and the next."""
    return text[words.spans[i][1] : words.spans[i + 1][0]].isspace()


def _islands(text: str, words: Tokens, found: Islands, language: Language) -> Iterator[Sign]:
    runs = sum(
        words.letters
        or found.share >= MANY_INTERJECTIONS
        or not _interjected(text, words, found, first, last)
        for first, last in found.islands
    )
    needed, distinct = (LETTER_GAIN, LETTER_DISTINCT) if found.letters else (MIX_GAIN, MIX_DISTINCT)
    values = {
        "language": found.rival,
        "gain": round(found.gain, 1),
        "needed": needed,
        "share": round(found.share, 3),
        "runs": runs,
    }
    near = found.rival in language.near
    if near and found.gain < NEAR_DOUBT:
        return
    if not found.islands or not any(found.gain >= gain and found.distinct >= least for gain, least in DOUBTS):
        return
    sure = (
        not near
        and found.words >= MIX_WORDS
        and found.gain >= needed
        and found.distinct >= distinct
        and (len(found.islands) > 1 or found.gain >= LONE_GAIN)
        and any(runs >= least and found.share >= share for least, share in MIX_RUNS)
    )
    yield Sign(
        "language_mixed",
        sure,
        f"{_runs(len(found.islands))} of {_name(found.rival)} in the {language.name} text.",
        found.spans,
        values,
    )
