"""Degenerate repetition: a character, a word, a phrase, a block, a blank, the whole answer again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from serinus.text.scripts import MARKS
from serinus.text.signs import Sign
from serinus.text.spans import Span

# One character: so many in a row that no drawn line or shout reaches it, or fewer that are most of the text.
LINE: Final = 100
FLOOD: Final = 20
FLOOD_SHARE: Final = 0.6
# One word in a row. Laughter, knocking and reduplication stay below 8.
WORDS: Final = 10
WORDS_LONG: Final = 24  # where the word has one or two letters: "la la la" is sung
# A period at the end of the text (it may stop in the middle): copies and characters they cover. Sung refrains
# come two to four times; research saw no clean passage with these counts in 28,219.
COPIES: Final = 4
COVERED: Final = 90
MANY_COPIES: Final = 12
MANY_COVERED: Final = 45
FEW_COPIES: Final = 3  # are enough where the cap ended the answer
FEW_COVERED: Final = 150
TAIL: Final = 1600  # characters looked at
# A block that comes again and again, with or without other text between.
SHINGLE: Final = 30
SHINGLES: Final = 5
SHINGLE_COVER: Final = 0.4
LEAST_BLOCKS: Final = 200
# The whole answer twice.
LEAST_HALF: Final = 60
# Every word twice.
LEAST_PAIRS: Final = 12
PAIRED: Final = 0.7
# Blanks and line ends.
BLANKS: Final = 60
BLANK_SHARE: Final = 0.6

_SPACE: Final = re.compile(r"\s+")
_RUN: Final = re.compile(r"(\S)\1{19,}")
_BLANKS: Final = re.compile(r"\s{60,}")
_WORD: Final = re.compile(rf"(?:[^\W_]|[{MARKS}])+")
_LETTER: Final = re.compile(r"[^\W_]")


def find_loops(text: str, *, capped: bool) -> Iterator[Sign]:
    """Every kind of loop; `capped` says that the limit of tokens ended the answer."""
    yield from _characters(text)
    yield from _blanks(text)
    words = [(m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(text)]
    yield from _words(words)
    yield from _periods(text, capped=capped)
    yield from _blocks(text)
    yield from _twice(text)
    yield from _doubled([word for word, _, _ in words])


def _characters(text: str) -> Iterator[Sign]:
    visible = len(_SPACE.sub("", text))
    for match in _RUN.finditer(text):
        length = len(match.group())
        if length >= LINE or (length >= FLOOD and length > FLOOD_SHARE * visible):
            yield Sign(
                "repetition_character",
                True,
                f"One character stands {length} times in a row.",
                [match.span()],
                {"length": length, "needed": LINE if length >= LINE else FLOOD},
            )
            return


def _blanks(text: str) -> Iterator[Sign]:
    blanks = sum(len(m.group()) for m in _SPACE.finditer(text))
    match = _BLANKS.search(text)
    if match and blanks > BLANK_SHARE * len(text) and text.strip():
        yield Sign(
            "repetition_blank",
            True,
            "Blanks and line ends fill most of the answer.",
            [match.span()],
            {"blanks": blanks, "length": len(text)},
        )


def _words(words: Sequence[tuple[str, int, int]]) -> Iterator[Sign]:
    start = end = run = 0
    last = ""
    best: tuple[int, Span, str] = (0, (0, 0), "")
    for word, first, after in words:
        if word == last and first - end <= 3:  # noqa: PLR2004  a comma, a dash or a line end between
            run += 1
        else:
            start, run = first, 1
        last, end = word, after
        if run > best[0]:
            best = (run, (start, end), word)
    run, span, word = best
    needed = WORDS_LONG if len(word) <= 2 else WORDS  # noqa: PLR2004  syllables are sung, words are not
    if run >= needed:
        yield Sign(
            "repetition_word",
            True,
            f"One word stands {run} times in a row.",
            [span],
            {"run": run, "needed": needed},
        )


def _cover(tail: str, period: int) -> int:
    """How many characters at the end repeat with this period."""
    i = len(tail) - period - 1
    while i >= 0 and tail[i] == tail[i + period]:
        i -= 1
    return len(tail) - 1 - i


def _periods(text: str, *, capped: bool) -> Iterator[Sign]:
    body = text.rstrip()
    tail = body[-TAIL:]
    for period in range(1, len(tail) // 2):
        if tail[-1] != tail[-1 - period] or tail[-period:] != tail[-2 * period : -period]:
            continue
        cover = _cover(tail, period)
        copies = cover / period
        if (
            (copies >= COPIES and cover >= COVERED)
            or (copies >= MANY_COPIES and cover >= MANY_COVERED)
            or (capped and copies >= FEW_COPIES and cover >= FEW_COVERED)
        ):
            if not _LETTER.search(tail[-period:]) and cover < len(tail) * FLOOD_SHARE:
                return  # a drawn line under the text
            yield Sign(
                "repetition_loop",
                True,
                f"The last {period} characters come {copies:.0f} times.",
                [(len(body) - cover, len(body))],
                {"period": period, "copies": round(copies, 1), "covered": cover},
            )
            return


def _blocks(text: str) -> Iterator[Sign]:
    flat = _SPACE.sub(" ", text)
    if len(flat) < LEAST_BLOCKS:
        return
    # A block that fills two fifths of the text holds one of these places; the count of all is dear.
    if not any(
        flat.count(flat[i : i + SHINGLE]) >= SHINGLES - 1 for i in range(0, len(flat) - SHINGLE, SHINGLE // 2)
    ):
        return
    counts = Counter(flat[i : i + SHINGLE] for i in range(len(flat) - SHINGLE))
    shingle, times = counts.most_common(1)[0]
    if times < SHINGLES or len(set(shingle)) <= 5:  # noqa: PLR2004  a drawn line has few different characters
        return
    cover = sum(n for n in counts.values() if n >= SHINGLES - 1) / (len(flat) - SHINGLE)
    if cover > SHINGLE_COVER:
        first = text.find(shingle[:10])
        yield Sign(
            "repetition_block",
            True,
            f"One block of text comes {times} times.",
            [(first, first + SHINGLE)] if first >= 0 else (),
            {"times": times, "cover": round(cover, 3), "needed": SHINGLE_COVER},
        )


def _twice(text: str) -> Iterator[Sign]:
    flat = text.strip()
    half = len(flat) // 2
    for cut in range(half - 2, half + 3):
        a, b = flat[:cut].strip(), flat[cut:].strip()
        if len(a) >= LEAST_HALF and a == b:
            yield Sign(
                "repetition_twice", True, "The whole answer stands twice.", [(0, len(text))], {"half": len(a)}
            )
            return


def _doubled(words: Sequence[str]) -> Iterator[Sign]:
    if len(words) < LEAST_PAIRS:
        return
    for offset in (0, 1):
        pairs = [(words[i], words[i + 1]) for i in range(offset, len(words) - 1, 2)]
        same = sum(a == b for a, b in pairs)
        if same >= PAIRED * len(pairs) and len(set(words)) > 3:  # noqa: PLR2004  one word in a row is another fault
            yield Sign(
                "repetition_doubled",
                True,
                "Every word stands twice.",
                (),
                {"pairs": len(pairs), "same": same, "needed": PAIRED},
            )
            return
