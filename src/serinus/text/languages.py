"""The languages that judges know, read once from `data/languages.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

# What a bare or regional tag of Chinese means (CLDR likely subtags).
CHINESE: Final = MappingProxyType(
    {
        "zh": "zh-Hans",
        "zh-cn": "zh-Hans",
        "zh-sg": "zh-Hans",
        "zh-my": "zh-Hans",
        "zh-tw": "zh-Hant",
        "zh-hk": "zh-Hant",
        "zh-mo": "zh-Hant",
    }
)
# Tags that name the same thing as one of ours.
ALIASES: Final = MappingProxyType({"no": "nb", "nn": "nb", "in": "id", "tl": "fil", "cmn": "zh-Hans"})


@dataclass(frozen=True, slots=True)
class Language:
    """One language as the judges need it.

    `scripts` are ISO 15924 codes. `words` says that a table stands in `data/words`; `letters` that its
    entries are single characters. `near` are languages so close that one is never held against a host
    for the other.
    """

    code: str
    name: str
    scripts: frozenset[str]
    words: bool
    letters: bool
    near: frozenset[str]


@cache
def languages() -> Mapping[str, Language]:
    """Every known language by its code."""
    raw = files("serinus.text").joinpath("data/languages.toml").read_text(encoding="utf-8")
    return MappingProxyType(
        {
            code: Language(
                code=code,
                name=entry["name"],
                scripts=frozenset(entry["scripts"]),
                words=entry.get("words", False),
                letters=entry.get("letters", False),
                near=frozenset(entry.get("near", ())),
            )
            for code, entry in tomllib.loads(raw).items()
        }
    )


def known(tag: str | None) -> Language | None:
    """The language of a BCP 47 tag, whatever its region or case; None where it is not known.

    `pt-BR` is `pt`, `zh-TW` and `zh-Hant-HK` are `zh-Hant`, a bare `zh` is `zh-Hans`.
    """
    if not tag:
        return None
    low = tag.strip().lower().replace("_", "-")
    if low in CHINESE:
        return languages()[CHINESE[low]]
    parts = low.split("-")
    if parts[0] == "zh" and len(parts) > 1 and parts[1] in {"hans", "hant"}:
        return languages()[f"zh-{parts[1].capitalize()}"]
    return languages().get(ALIASES.get(parts[0], parts[0]))
