"""What a healthy simulated host answers, and what a filtering one says instead, in each language.

One file of `data/` a language, beside the prompts of the same name in `serinus.probes`. A passage answers
the scene of its key and holds `{nonce}` once, where the character says it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

# The language that a damaged host of each one slips into: its nearest neighbour of the same script
# where there is one, else the language that most training text is in.
NEIGHBOURS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": "de",
        "de": "nl",
        "es": "pt",
        "fr": "es",
        "it": "es",
        "nl": "de",
        "pt": "es",
        "pl": "en",
        "tr": "en",
        "id": "en",
        "vi": "en",
        "ru": "uk",
        "ja": "zh-Hans",
        "ko": "ja",
        "zh-Hans": "en",
        "zh-Hant": "zh-Hans",
        "th": "en",
        "ar": "en",
        "hi": "en",
        "uk": "ru",
    }
)


@dataclass(frozen=True, slots=True)
class Repertoire:
    """What one language's simulated hosts can say.

    `scenes` are role-play answers by the key of their scene, each with `{nonce}` once; `refusals` are
    canned sentences of providers; `lines` one spoken sentence each, for the structured answer.
    """

    scenes: Mapping[str, str]
    refusals: tuple[str, ...]
    lines: tuple[str, ...]


@cache
def repertoire(language: str) -> Repertoire:
    """All that hosts can say in this language.

    Raises:
        LookupError: there are no passages for it; the message lists the languages there are.
    """
    if language not in languages():
        message = f"no passages for language {language!r}; there are: {', '.join(languages())}"
        raise LookupError(message)
    table = tomllib.loads((_data() / f"{language}.toml").read_text(encoding="utf-8"))
    return Repertoire(
        scenes=MappingProxyType({key: text.strip() for key, text in table["scenes"].items()}),
        refusals=tuple(table["refusals"]),
        lines=tuple(table["lines"]),
    )


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages there are passages for, sorted."""
    return tuple(sorted(f.name.removesuffix(".toml") for f in _data().iterdir() if f.name.endswith(".toml")))


def passages(language: str) -> tuple[str, ...]:
    """Role-play answers in this language, at least four, each with `{nonce}` once."""
    return tuple(repertoire(language).scenes.values())


def passage(language: str, scene: str) -> str:
    """The answer to this scene (`lighthouse`); `KeyError` where there is none."""
    return repertoire(language).scenes[scene]


def refusals(language: str) -> tuple[str, ...]:
    """What a provider's filter says in this language, at least two canned sentences."""
    return repertoire(language).refusals


def lines(language: str) -> tuple[str, ...]:
    """Single sentences that an innkeeper says, for the `line` of the structured answer."""
    return repertoire(language).lines


def _data() -> Any:
    return files("serinus.simulator.passages") / "data"
