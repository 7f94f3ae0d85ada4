"""Whether an answer left the expected language: for another one wholly, or again and again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from serinus.text.islands import Islands, find_islands
from serinus.text.languages import Language, languages
from serinus.text.mentions import explained
from serinus.text.signs import Sign
from serinus.text.spans import Span, inside
from serinus.text.strays import Stray, find_strays, own_units
from serinus.text.tokens import Tokens, tokens

# An answer shorter than this (in words; a Han character is 0.6) is never judged.
LEAST_UNITS: Final = 12.0

# A quotation of this many words is a name, a title or a phrase; of longer ones one may stand in an answer
# unless it is too large a part of it. The longest healthy quotation that research built was 0.13 of a text.
PHRASE: Final = 5.0
ONE_QUOTATION: Final = 0.15

# Whole answer: this part in another language.
SWITCH_SHARE: Final = 0.6
SWITCH_GAIN: Final = 10.0
SWITCH_SCRIPT: Final = 0.7

# Islands (the research's strict policy): gain in nats, different strong words, and enough runs for their share.
MIX_WORDS: Final = 25
MIX_GAIN: Final = 14.0
NEAR_FACTOR: Final = 1.5  # more of it against a language that shares half of the words
MIX_DISTINCT: Final = 4
MIX_RUNS: Final = ((3, 0.03), (2, 0.08), (1, 0.15))
DOUBT_GAIN: Final = 6.0
DOUBT_DISTINCT: Final = 3

# Strays of other scripts: how many, and their least share of the text's units.
STRAY_RUNS: Final = ((4, 0.0), (3, 0.02), (2, 0.06), (1, 0.12))
STRAY_UNITS: Final = 8.0  # a single one must be this long
GLUED: Final = 2  # words that two scripts share
SALAD_SCRIPTS: Final = 3  # other scripts than its own in one answer
# Latin strays in a text of another script: runs that hold grammar, and their function words in all.
LATIN_RUNS: Final = ((3, 4), (2, 6), (1, 12))
LATIN_SHARE: Final = 0.12
LATIN_WORDS: Final = 8
LATIN_DOUBT: Final = 3


def _name(code: str | None) -> str:
    known = languages().get(code or "")
    return known.name if known else "another language"


def _exempt(spans: Sequence[tuple[Span, float]], total: float) -> list[Span]:
    """Which quotations with foreign words are let pass: all phrases, and one longer one."""
    phrases = [span for span, size in spans if size <= PHRASE]
    longer = [span for span, size in spans if size > PHRASE]
    if len(longer) == 1 and dict(spans)[longer[0]] <= ONE_QUOTATION * total:
        phrases += longer
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
    sizes: Counter[Span] = Counter()
    for stray in strays:
        if stray.quoted:
            sizes[stray.quoted] += stray.units  # type: ignore[assignment]  # a Counter of floats
    exempt = _exempt(list(sizes.items()), total)
    open_ones = [s for s in strays if s.quoted is None or s.quoted not in exempt]
    if "Latn" not in language.scripts:
        yield from _latin(text, [s for s in open_ones if s.script == "Latn"], total)
    yield from _others(text, [s for s in open_ones if s.script != "Latn"], total)


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


def _latin(text: str, strays: Sequence[Stray], total: float) -> Iterator[Sign]:
    """Latin words in a text of another script, by their grammar."""
    del text
    glued = [s for s in strays if s.glued and s.lower and s.lower == s.words]
    grammatical = [s for s in strays if s.grammar and s.lower * 2 > s.words]
    function = sum(s.grammar for s in grammatical)
    lower = sum(s.lower for s in strays)
    share = lower / total
    spans = [(s.start, s.end) for s in grammatical or strays]
    values = {"runs": len(grammatical), "function_words": function, "share": round(share, 3)}
    if any(len(grammatical) >= runs and function >= words for runs, words in LATIN_RUNS) or (
        share >= LATIN_SHARE and lower >= LATIN_WORDS and function >= LATIN_DOUBT
    ):
        yield Sign("language_mixed", True, "Phrases in Latin letters stand in the text.", spans, values)
    elif function >= LATIN_DOUBT or (share >= LATIN_SHARE and lower >= LATIN_WORDS):
        yield Sign("language_mixed", False, "Words in Latin letters stand in the text.", spans, values)
    del glued


def _others(text: str, strays: Sequence[Stray], total: float) -> Iterator[Sign]:
    """Runs of other scripts, wherever Latin letters do not explain them."""
    if not strays:
        return
    size = sum(s.units for s in strays)
    share = size / total
    scripts = {s.script for s in strays}
    glued = sum(s.glued for s in strays)
    spans = [(s.start, s.end) for s in strays]
    values = {"runs": len(strays), "share": round(share, 3), "scripts": sorted(scripts)}
    enough = any(
        len(strays) >= runs and share >= least and (runs > 1 or size >= STRAY_UNITS)
        for runs, least in STRAY_RUNS
    )
    if enough or glued >= GLUED:
        code = "word_salad" if len(scripts) >= SALAD_SCRIPTS else "language_mixed"
        yield Sign(code, True, f"{len(strays)} runs of other scripts stand in the text.", spans, values)
    elif not all(explained(text, s.start, s.end) for s in strays):
        yield Sign("foreign_script", False, "A word of another script stands in the text.", spans, values)


# --- the same script


def _quoted_words(found: Islands, quotations: Sequence[Span]) -> list[tuple[Span, float]]:
    sizes: Counter[Span] = Counter()
    for (first, last), (start, end) in zip(found.islands, found.spans, strict=True):
        quotation = inside(start, end, quotations)
        if quotation is not None:
            sizes[quotation] += last - first + 1
    return [(span, float(size)) for span, size in sizes.items()]


def _silenced(words: Tokens, spans: Sequence[Span]) -> frozenset[int]:
    return frozenset(i for i, (a, b) in enumerate(words.spans) if inside(a, b, spans) is not None)


def find_other_words(text: str, language: Language, quotations: Sequence[Span]) -> Iterator[Sign]:
    """Words of another language in the same script."""
    words = tokens(text, language)
    found = find_islands(words, language)
    if found.rival is None or found.gain < DOUBT_GAIN:
        return
    share = _share(found)
    if len(words) >= LEAST_UNITS and share >= SWITCH_SHARE and found.gain >= SWITCH_GAIN:
        yield Sign(
            "language_switched",
            True,
            f"The answer is {_name(found.rival)}, {language.name} was asked for.",
            found.spans,
            {"language": found.rival, "share": round(share, 3), "gain": round(found.gain, 1)},
        )
        return
    quoted = _exempt(_quoted_words(found, quotations), len(words))
    if quoted:
        found = find_islands(words, language, _silenced(words, quoted))
    yield from _islands(found, language)


def _share(found: Islands) -> float:
    return found.decisive if found.letters else found.share


def _islands(found: Islands, language: Language) -> Iterator[Sign]:
    needed = MIX_GAIN * (NEAR_FACTOR if found.rival in language.near else 1.0)
    runs = len(found.islands)
    values = {
        "language": found.rival,
        "gain": round(found.gain, 1),
        "needed": needed,
        "share": round(found.share, 3),
        "runs": runs,
    }
    if found.gain < DOUBT_GAIN or found.distinct < DOUBT_DISTINCT or not runs:
        return
    sure = (
        found.words >= MIX_WORDS
        and found.gain >= needed
        and found.distinct >= MIX_DISTINCT
        and any(runs >= least and found.share >= share for least, share in MIX_RUNS)
    )
    yield Sign(
        "language_mixed",
        sure,
        f"{runs} runs of {_name(found.rival)} stand in the {language.name} text.",
        found.spans,
        values,
    )
