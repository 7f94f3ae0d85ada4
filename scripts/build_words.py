"""Build the word tables of `src/serinus/text/data/words` from the `wordfreq` package.

Run it after adding a language with `words = true` to `languages.toml`:

    uv run --group words python scripts/build_words.py [CODE…]

Without a code every table is rebuilt. The same version of wordfreq gives the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

import msgpack
import wordfreq
from wordfreq import get_frequency_dict

from serinus.text.languages import Language, languages
from serinus.text.scripts import LETTERS, MARKS
from serinus.text.words import FLOOR, pack

WORDS = 20_000  # per language; research: 10,000 lose 1 % of word-level mixing, 60,000 gain 0.5 %
SOURCE = "small"  # wordfreq's list of words seen in at least two corpora, down to 1e-6
CHARSETS = {"zh-Hans": "gb2312", "zh-Hant": "big5", "ja": "shift_jis"}  # what each language writes with
# One kana says 2 nats for Japanese against Chinese: a single one (a brand, a decorative の) proves nothing.
KANA = 2.0
BY_HAND = {"gl": "pt"}  # wordfreq has no Galician; the list in `scripts/words` starts from Portuguese
HAND = Path(__file__).parent / "words"
RAREST = 1e-7  # characters rarer than this are left out
TARGET = Path(__file__).parent.parent / "src/serinus/text/data/words"


def level(frequency: float) -> int:
    """Tenths of a decade below 1."""
    return round(-10 * math.log10(frequency))


def characters(code: str) -> dict[str, float]:
    """How often each Han character stands among the Han characters of a list of words."""
    han = re.compile(f"[{LETTERS['Hani']}]")
    found: Counter[str] = Counter()
    for word, frequency in get_frequency_dict(code, wordlist="best").items():
        for character in han.findall(word):
            found[character] += frequency
    return dict(found)


def writable(character: str, charset: str) -> bool:
    """Whether a national character set holds this character."""
    try:
        character.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def traditional(simplified: Mapping[str, float]) -> dict[str, float]:
    """Frequencies of traditional characters from simplified ones, by wordfreq's own map between them."""
    path = Path(wordfreq.__file__).parent / "data/_chinese_mapping.msgpack.gz"
    with gzip.open(path) as packed:
        to_simplified = msgpack.load(packed, raw=False, strict_map_key=False)
    variants: defaultdict[str, list[str]] = defaultdict(list)
    for point in range(0x4E00, 0xA000):
        if writable(chr(point), CHARSETS["zh-Hant"]):
            variants[chr(point).translate(to_simplified)].append(chr(point))
    return {t: simplified[s] / len(ts) for s, ts in variants.items() if s in simplified for t in ts}


def build_characters(language: Language) -> bytes:
    """The packed table of a language whose tokens are characters."""
    charset = CHARSETS[language.code]
    found = characters(language.code.partition("-")[0])
    if language.code == "zh-Hant":
        found = traditional(found)
    found = {character: count for character, count in found.items() if writable(character, charset)}
    total = sum(found.values())
    table = {c: level(count / total) for c, count in found.items() if count / total > RAREST}
    if "Kana" in language.scripts:
        kana = re.compile(f"[{LETTERS['Kana']}]")
        table |= {chr(p): level(math.exp(FLOOR + KANA)) for p in range(0x3000, 0x3200) if kana.match(chr(p))}
    return pack(table)


def told_by_hand(file: Path, neighbour: Mapping[str, float]) -> dict[str, float]:
    """Frequencies of a language that wordfreq lacks: its neighbour's, with what a list of ours changes.

    A line is `<of a million> <word>`, or `- <word>` for a word that only the neighbour writes.
    """
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if line[:1] not in "# "]
    others = {word for mark, word in lines if mark == "-"}
    own = {word: int(mark) / 1e6 for mark, word in lines if mark != "-"}
    return {word: f for word, f in neighbour.items() if word not in others} | own


def build(language: Language, frequencies: Mapping[str, float]) -> bytes:
    """The packed table of one language: its commonest words that are written in its own script alone."""
    letters = "".join(LETTERS[script] for script in sorted(language.scripts))
    own = re.compile(f"[{letters}{MARKS}']+")
    ranked = sorted(frequencies.items(), key=lambda item: (-item[1], item[0]))
    words = [(word, frequency) for word, frequency in ranked if own.fullmatch(word)][:WORDS]
    return pack({word: level(frequency) for word, frequency in words})


def main() -> int:
    """Build the tables that were named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("code", nargs="*", help="languages to build; all of them where none is named")
    arguments = parser.parse_args()
    wanted = set(arguments.code)
    known = [language for language in languages().values() if language.words]
    unknown = sorted(wanted - {language.code for language in known})
    if unknown:
        print(f"no language with words: {', '.join(unknown)}; see languages.toml", file=sys.stderr)
        return 2
    total = 0
    for language in known:
        if wanted and language.code not in wanted:
            continue
        if language.letters:
            data = build_characters(language)
        elif language.code in BY_HAND:
            neighbour = get_frequency_dict(BY_HAND[language.code], wordlist=SOURCE)
            data = build(language, told_by_hand(HAND / f"{language.code}.txt", neighbour))
        else:
            data = build(language, get_frequency_dict(language.code, wordlist=SOURCE))
        (TARGET / f"{language.code}.xz").write_bytes(data)
        total += len(data)
        print(f"{language.code:8} {language.name:22} {len(data):7} bytes")
    print(f"{total} bytes in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
