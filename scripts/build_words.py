"""Build the word tables of `src/serinus/text/data/words` from the `wordfreq` package.

Run it after adding a language with `words = true` to `languages.toml`:

    uv run --group words python scripts/build_words.py [CODE…]

Without a code every table is rebuilt. The same version of wordfreq gives the same bytes.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from pathlib import Path

from wordfreq import get_frequency_dict

from serinus.text.languages import Language, languages
from serinus.text.scripts import LETTERS, MARKS
from serinus.text.words import pack

WORDS = 20_000  # per language; research: 10,000 lose 1 % of word-level mixing, 60,000 gain 0.5 %
SOURCE = "small"  # wordfreq's list of words seen in at least two corpora, down to 1e-6
TARGET = Path(__file__).parent.parent / "src/serinus/text/data/words"


def level(frequency: float) -> int:
    """Tenths of a decade below 1."""
    return round(-10 * math.log10(frequency))


def build(language: Language) -> bytes:
    """The packed table of one language: its commonest words that are written in its own script alone."""
    letters = "".join(LETTERS[script] for script in sorted(language.scripts))
    own = re.compile(f"[{letters}{MARKS}']+")
    frequencies = get_frequency_dict(language.code, wordlist=SOURCE)
    ranked = sorted(frequencies.items(), key=lambda item: (-item[1], item[0]))
    words = [(word, frequency) for word, frequency in ranked if own.fullmatch(word)][:WORDS]
    return pack({word: level(frequency) for word, frequency in words})


def main() -> int:
    """Build the tables that were named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("code", nargs="*", help="languages to build; all of them where none is named")
    wanted = parser.parse_args().code
    known = [language for language in languages().values() if language.words]
    unknown = sorted(set(wanted) - {language.code for language in known})
    if unknown:
        print(f"no language with words: {', '.join(unknown)}; see languages.toml", file=sys.stderr)
        return 2
    total = 0
    for language in known:
        if wanted and language.code not in wanted:
            continue
        data = build(language)
        (TARGET / f"{language.code}.xz").write_bytes(data)
        total += len(data)
        print(f"{language.code:4} {language.name:12} {len(data):7} bytes")
    print(f"{total} bytes in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
