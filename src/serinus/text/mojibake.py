"""UTF-8 read by the wrong code page, found by undoing it.

Every run of non-ASCII characters is written back with each code page that is known to do this and read
as UTF-8. A run counts if that succeeds and gives characters that the expected language would use: without
this test of plausibility, research measured 60-87 % false suspicion on Russian and Korean.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import cache, partial
from typing import Final

from serinus.text.languages import Language
from serinus.text.scripts import LETTERS, MARKS
from serinus.text.signs import Sign
from serinus.text.spans import Span

# Code pages that servers, proxies and consoles are known to fall back to.
SINGLE: Final = (
    "cp1252", "latin-1", "cp1251", "cp1250", "cp1254", "iso8859_2", "iso8859_15", "mac_roman", "cp437",
    "cp850", "cp852", "cp866", "koi8_r", "koi8_u", "cp874", "cp1253", "cp1255", "cp1256", "cp1257", "cp1258",
)  # fmt: skip
MULTIPLE: Final = ("gbk", "big5", "euc_kr", "shift_jis", "euc_jp")

# A recovered character of two bytes is one point, of three bytes two, of four three. From 3 points that are
# 8 % of the non-ASCII characters on it is proof, from 2 points and 5 % a doubt; no clean passage of 7,314
# reaches the latter.
PROOF_POINTS: Final = 3
PROOF_COVER: Final = 0.08
DOUBT_POINTS: Final = 2
DOUBT_COVER: Final = 0.05
# Bytes that are no UTF-8 speak against a run: at most one for three points.
POINTS_A_FAILURE: Final = 3
LOST_SHARE: Final = 0.5  # bytes of characters that the code page lacks, for one byte that was read
# Text in Chinese code pages is valid UTF-8 by chance now and then: such a reading must be this much better.
MULTIPLE_MARGIN: Final = 2
QUICK_SHARE: Final = 0.2  # of what comes out as UTF-8 must be plausible to look closer
LEVELS: Final = 2  # how many times over it may have happened

# Punctuation, spaces, currency and pictures that any language uses.
_COMMON: Final = (
    r"\u00a0\u00a1\u00a3\u00a7\u00ab\u00b0\u00b4\u00b7\u00bb\u00bf\u2002-\u200a\u2010-\u2044\u20ac\u2122"
    r"\u2190-\u21ff\u2500-\u257f\u2600-\u27bf\ufe0f\U0001f300-\U0001faff"
)
# Full-width marks, used in East Asia: „Ää is how a Mac shows 《, and how a German sighs. What comes out of a
# code page of East Asia may hold some in any language.
_WIDE: Final = r"\u3000-\u303f\uff01-\uff5e"
_EAST_ASIA: Final = frozenset({"Hani", "Kana", "Hang"})
_LATIN: Final = r"\u00c0-\u024f\u1e00-\u1eff"
_RUN: Final = re.compile(r"[^\x00-\x7f]{2,}")
_CJK_RUN: Final = re.compile(r"[\u2e80-\ufaff\uff00-\uffef\ufffd]+")
_HIGH: Final = re.compile(r"[^\x00-\x7f]")
_HALF: Final = re.compile(r"[\uff61-\uff9f]")  # kana of half width: one byte where others take two

Encoder = Callable[[str], bytes]


def _gpt2_alphabet() -> str:
    """The letters in which byte-level BPE writes the 256 bytes (GPT-2's `bytes_to_unicode`)."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = iter(range(256, 512))
    return "".join(chr(b) if b in printable else chr(next(others)) for b in range(256))


def _alphabet(codec: str) -> str:
    """The 256 characters of a single-byte code page; bytes it leaves undefined stand for themselves."""
    characters = []
    for byte in range(256):
        try:
            characters.append(bytes([byte]).decode(codec))
        except UnicodeDecodeError:
            characters.append(chr(byte))
    return "".join(characters)


def _write_single(mapping: object, text: str) -> bytes:
    """The text in a single-byte code page; what it lacks is left out."""
    written: bytes = codecs.charmap_encode(text, "ignore", mapping)[0]  # type: ignore[arg-type]  # an EncodingMap
    return written


def _write_multiple(codec: str, text: str) -> bytes:
    """The text in a multi-byte code page; what it lacks is left out."""
    return text.encode(codec, "ignore")


@cache
def _encoders() -> tuple[tuple[str, bool, Encoder], ...]:
    """Name, whether it is a multi-byte code page, and how to write text back with it."""
    alphabets = [(codec, _alphabet(codec)) for codec in SINGLE] + [("byte-level BPE", _gpt2_alphabet())]
    single = [
        (name, False, partial(_write_single, codecs.charmap_build(letters))) for name, letters in alphabets
    ]
    return (*single, *((name, True, partial(_write_multiple, name)) for name in MULTIPLE))


@cache
def _plausible(scripts: frozenset[str], *, multiple: bool) -> re.Pattern[str]:
    own = "".join(LETTERS[s] + MARKS for s in sorted(scripts) if s != "Latn")
    wide = _WIDE if multiple or scripts & _EAST_ASIA else ""
    return re.compile(f"[{own or _LATIN}{_COMMON}{wide}]")


def _points(character: str) -> int:
    """Bytes of UTF-8 after the first."""
    return 1 if character < "\u0800" else 2 if character < "\U00010000" else 3


def _run_points(run: str, encode: Encoder, plausible: re.Pattern[str], width: int) -> int:
    """What one run is worth: 0 unless most of it is UTF-8 for something plausible.

    `width` is how many bytes a character has in this code page; one that it lacks speaks against it.
    """
    text = run
    best = 0
    for _ in range(LEVELS):
        written = encode(text)
        lost = max(
            0, width * len(_HIGH.findall(text)) - (width - 1) * len(_HALF.findall(text)) - len(written)
        )
        text = written.decode("utf-8", "replace")
        found = plausible.findall(text)
        points = sum(_points(c) for c in found)
        failures = len(_HIGH.findall(text)) - len(found)
        read = points + len(found)
        if points and failures * POINTS_A_FAILURE <= points and lost <= read * LOST_SHARE:
            best = max(best, points)
        text = text.replace("\ufffd", "")
    return best


def _quick(text: str, encode: Encoder, plausible: re.Pattern[str]) -> bool:
    """Whether enough plausible characters come out, at the first or second level, to look closer."""
    for _ in range(LEVELS):
        text = encode(text).decode("utf-8", "ignore")
        if text.isascii():
            return False
        found = plausible.findall(text)
        if found and len(found) >= QUICK_SHARE * len(_HIGH.findall(text)):
            return True
    return False


def _hits(
    text: str, runs: list[Span], encode: Encoder, plausible: re.Pattern[str], width: int
) -> tuple[int, list[Span]]:
    """The points of all runs, and where those are that count."""
    total = 0
    hits = []
    for a, b in runs:
        points = _run_points(text[a:b].replace("\ufffd", ""), encode, plausible, width)
        if points:
            total += points
            hits.append((a, b))
    return total, hits


def find_mojibake(text: str, language: Language) -> Sign | None:
    """UTF-8 shown through a wrong code page, or None."""
    high = len(_HIGH.findall(text))
    if not high:
        return None
    best: tuple[int, str, list[Span]] = (0, "", [])
    found = {m: [r.span() for r in (_CJK_RUN if m else _RUN).finditer(text)] for m in (False, True)}
    joined = {m: " ".join(text[a:b] for a, b in runs) for m, runs in found.items()}
    for name, multiple, encode in _encoders():
        plausible = _plausible(language.scripts, multiple=multiple)
        if not _quick(joined[multiple], encode, plausible):
            continue
        total, hits = _hits(text, found[multiple], encode, plausible, 2 if multiple else 1)
        if multiple and (len(found[True]) - len(hits)) * POINTS_A_FAILURE > total:
            continue
        if total > best[0] + (MULTIPLE_MARGIN if multiple else 0):
            best = (total, name, hits)
    points, name, hits = best
    cover = sum(b - a for a, b in hits) / high
    sure = points >= PROOF_POINTS and cover >= PROOF_COVER
    if not sure and not (points >= DOUBT_POINTS and cover >= DOUBT_COVER):
        return None
    code = "byte_tokens" if name == "byte-level BPE" else "mojibake"
    what = "token strings of a byte-level vocabulary" if code == "byte_tokens" else f"UTF-8 read as {name}"
    return Sign(
        code,
        sure,
        f"{len(hits)} places are {what}.",
        hits,
        {"code_page": name, "points": points, "needed": PROOF_POINTS, "cover": round(cover, 3)},
    )
