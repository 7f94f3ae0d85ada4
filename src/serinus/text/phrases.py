"""What people and machines say, by purpose, read once from `data/phrases.toml` and compiled at first use."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

UNPARTED: Final = frozenset(
    {"ja", "ko", "zh", "th"}
)  # a word is not parted from the next, or bears particles

Table = Mapping[str, Sequence[str]]


@cache
def _tables() -> Mapping[str, Table]:
    raw = files("serinus.text").joinpath("data/phrases.toml").read_text(encoding="utf-8")
    return tomllib.loads(raw)


def alternatives(purpose: str) -> str:
    """The inside of a group that matches any phrase of this purpose, in any language.

    Raises:
        KeyError: the data have no such purpose.
    """
    parts = []
    for language, phrases in _tables()[purpose].items():
        any_of = "|".join(phrases)
        parts.append(any_of if language in UNPARTED else rf"\b(?:{any_of})\b")
    return "|".join(parts)


@cache
def phrase(purpose: str) -> re.Pattern[str]:
    """Matches any phrase of this purpose, in any language, whatever its case."""
    return re.compile(alternatives(purpose), re.IGNORECASE)
