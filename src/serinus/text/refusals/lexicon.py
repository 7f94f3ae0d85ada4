"""The signals of refusals as compiled patterns, from `signals.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

from serinus.text.refusals.spelling import STARTS, spelled

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
    "ar": "[\u0621-\u064a]",
    "hi": "[\u0904-\u0939]",
    "uk": "[а-щьюяґєії]",
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
    "scene": -2.0,
}
# Signals that not every language has: of a scene, which hosts do not tell.
OPTIONAL: Final = frozenset({"scene"})
_NEVER: Final = "(?!)"
# Stands in signals for the language's `closing`: what follows words with which a refusal ends.
_CLOSING: Final = "(?&closing)"
# A refusal denies, or is an AI that names its policy, or says that what was asked breaks one.
DENIALS: Final = frozenset({"cannot", "decline", "blocked"})
ASKED: Final = frozenset({"request", "content", "conversation"})
# Of one of these a refusal speaks; a character rarely does.
SUBJECTS: Final = frozenset(
    {"request", "content", "policy", "ai", "roleplay", "inappropriate", "conversation", "other", "filter"},
)
# Nor does it refuse nothing: "sorry, I can't help you write this letter" is a character's as well.
OBJECTS: Final = SUBJECTS | {"that", "question", "decline"}
OPENERS: Final = ("cannot", "decline", "blocked", "ai", "breach")


@dataclass(frozen=True)  # no slots: cached properties need a dictionary
class Lexicon:
    """One language's signals.

    `written` are their patterns, compiled when a text of the script first asks for them: that takes 0.2 s
    for Arabic. `opener` finds any signal that a refusal needs, `letter` a letter of the script: both for a
    quick no.
    """

    language: str
    written: Mapping[str, str]
    letter: re.Pattern[str]

    @cached_property
    def signals(self) -> Mapping[str, re.Pattern[str]]:
        """The compiled signals by name."""
        return {name: re.compile(pattern) for name, pattern in self.written.items()}

    @cached_property
    def opener(self) -> re.Pattern[str]:
        """Any of the signals without which there is no refusal."""
        return re.compile("|".join(self.written[name] for name in OPENERS))

    def opens(self, text: str) -> re.Match[str] | None:
        """Where in a lower-cased text a refusal of this language may begin to deny."""
        return self.opener.search(text) if self.letter.search(text) else None


@cache
def lexicons() -> tuple[Lexicon, ...]:
    """Every language's signals, in the order of the file."""
    raw = tomllib.loads(files("serinus.text.refusals").joinpath("signals.toml").read_text(encoding="utf-8"))
    return tuple(_lexicon(language, signals) for language, signals in raw.items())


def _lexicon(language: str, table: Mapping[str, str]) -> Lexicon:
    closing = table.get("closing", _NEVER)
    signals = {name: pattern for name, pattern in table.items() if name != "closing"}
    if set(signals) | OPTIONAL != set(WEIGHTS):
        odd = ", ".join(sorted((set(signals) | OPTIONAL) ^ set(WEIGHTS)))
        message = f"signals.toml, [{language}]: signals missing or unknown: {odd}"
        raise ValueError(message)
    start = STARTS.get(language, "" if language in _UNSPACED else r"(?<!\w)")
    written = {
        name: f"{start}(?:{spelled(language, signals.get(name, _NEVER).replace(_CLOSING, closing))})"
        for name in WEIGHTS
    }
    return Lexicon(language, written, re.compile(_LETTERS.get(language, _LATIN)))
