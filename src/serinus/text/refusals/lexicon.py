"""The signals of refusals as compiled patterns, from `signals.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

# Scripts without blanks between words: a signal may begin anywhere.
_UNSPACED: Final = frozenset({"ja", "zh-Hans", "zh-Hant", "th", "ko"})
# A letter without which a language need not be tried; all others are written in Latin letters.
_LETTERS: Final = {
    "ru": "[а-яё]",
    "ja": "[\u3041-\u30ff]",
    "ko": "[\uac00-\ud7a3]",
    "zh-Hans": "[\u4e00-\u9fff]",
    "zh-Hant": "[\u4e00-\u9fff]",
    "th": "[\u0e01-\u0e4e]",
}
_LATIN: Final = "[a-z]"

# What each signal adds. A refusal needs one that denies, and about four in all: "I'm sorry (1), but I
# can't (1) help (1) with that request (1.5)" has 4.5, "I can't (1) help (1) smiling" has 2.
WEIGHTS: Final[Mapping[str, float]] = {
    "sorry": 1.0,
    "cannot": 1.0,
    "decline": 2.0,
    "help": 1.0,
    "that": 1.0,
    "write": 1.0,
    "request": 1.5,
    "content": 1.5,
    "question": 0.5,
    "policy": 2.0,
    "ai": 2.0,
    "roleplay": 2.0,
    "inappropriate": 1.5,
    "conversation": 1.5,
    "continue": 0.5,
    "other": 1.5,
    "blocked": 1.5,
    "filter": 2.0,
    "breach": 0.5,
}
# A refusal denies, or is an AI that names its policy, or says that what was asked breaks one.
DENIALS: Final = frozenset({"cannot", "decline", "blocked"})
ASKED: Final = frozenset({"request", "content", "conversation"})
# Of one of these a refusal speaks; a character rarely does.
SUBJECTS: Final = frozenset(
    {"request", "content", "policy", "ai", "roleplay", "inappropriate", "conversation", "other", "filter"},
)
OPENERS: Final = ("cannot", "decline", "blocked", "ai", "breach")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language's signals.

    `opener` finds any signal that a refusal needs, `letter` a letter of its script: both for a quick no.
    """

    language: str
    signals: Mapping[str, re.Pattern[str]]
    opener: re.Pattern[str]
    letter: re.Pattern[str]

    def opens(self, text: str) -> re.Match[str] | None:
        """Where in a lower-cased text a refusal of this language may begin to deny."""
        return self.opener.search(text) if self.letter.search(text) else None


@cache
def lexicons() -> tuple[Lexicon, ...]:
    """Every language's signals, in the order of the file."""
    raw = tomllib.loads(files("serinus.text.refusals").joinpath("signals.toml").read_text(encoding="utf-8"))
    return tuple(_lexicon(language, signals) for language, signals in raw.items())


def _lexicon(language: str, signals: Mapping[str, str]) -> Lexicon:
    if set(signals) != set(WEIGHTS):
        odd = ", ".join(sorted(set(signals) ^ set(WEIGHTS)))
        message = f"signals.toml, [{language}]: signals missing or unknown: {odd}"
        raise ValueError(message)
    start = "" if language in _UNSPACED else r"(?<!\w)"
    compiled = {name: re.compile(f"{start}(?:{pattern})") for name, pattern in signals.items()}
    opener = re.compile("|".join(f"{start}(?:{signals[name]})" for name in OPENERS))
    return Lexicon(language, compiled, opener, re.compile(_LETTERS.get(language, _LATIN)))
