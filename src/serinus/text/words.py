"""Word tables: the 20,000 commonest words of a language, each with the logarithm of its frequency.

The data come from `wordfreq` (CC-BY-SA-4.0, see NOTICE) by `scripts/build_words.py`. A file is an xz
stream of three parts, the first two ended by a newline: one letter a word that says how many letters it
shares with the word before (`a` = 0), the rest of each word, parted by blanks, and one byte a word, its
frequency in tenths of a decade below 1 (57 is 10 ** -5.7). Words stand in the order of their code points.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import log
from typing import Final

from serinus.text.languages import languages

SHARED_BASE: Final = ord("a")
LONGEST_SHARED: Final = 25  # letters, so that the count is one of a..z
# What a word outside a table is taken to be worth. The rarest words of the tables stand at 2e-6 to 5e-6;
# research measured 3e-7 as the floor that parts clean from mixed best.
FLOOR: Final = log(3e-7)
_LOGS: Final = tuple(-level * log(10) / 10 for level in range(256))

Table = Mapping[str, float]


def pack(words: Mapping[str, int]) -> bytes:
    """The file that holds these words; a value is the word's level, tenths of a decade below 1."""
    shared = bytearray()
    rests: list[str] = []
    previous = ""
    for word in sorted(words):
        count = 0
        for ours, theirs in zip(word[:LONGEST_SHARED], previous, strict=False):
            if ours != theirs:
                break
            count += 1
        shared.append(SHARED_BASE + count)
        rests.append(word[count:])
        previous = word
    levels = bytes(words[word] for word in sorted(words))
    raw = b"\n".join((bytes(shared), " ".join(rests).encode(), levels))
    return lzma.compress(raw, format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, preset=9 | lzma.PRESET_EXTREME)


def unpack(data: bytes) -> dict[str, float]:
    """The table that a file holds: natural logarithms of frequencies by word."""
    raw = lzma.decompress(data)
    first = raw.index(b"\n")
    second = raw.index(b"\n", first + 1)
    rests = raw[first + 1 : second].decode().split(" ")
    table: dict[str, float] = {}
    word = ""
    for shared, rest, level in zip(raw[:first], rests, raw[second + 1 :], strict=True):
        word = word[: shared - SHARED_BASE] + rest
        table[word] = _LOGS[level]
    return table


@cache
def table(code: str) -> Table:
    """The word table of a language, read at first use (about 6 ms).

    Raises:
        FileNotFoundError: the language has none (`Language.words` says so beforehand).
    """
    return unpack(files("serinus.text").joinpath(f"data/words/{code}.xz").read_bytes())


@cache
def rivals(code: str) -> Sequence[tuple[str, Table]]:
    """Every other language with a table in the scripts of this one, by code."""
    own = languages()[code]
    return tuple(
        (other.code, table(other.code))
        for other in languages().values()
        if other.words and other.code != code and other.scripts & own.scripts
    )


def weight(words: Table, word: str) -> float:
    """The logarithm of a word's frequency; of a contraction unknown as a whole, that of its rarest part."""
    value = words.get(word)
    if value is not None:
        return value
    if "'" in word:
        parts = [part for part in word.split("'") if part]
        if len(parts) > 1:
            return min(words.get(part, FLOOR) for part in parts)
    return FLOOR
