"""The tests' own passages, by language, and what can be done to them."""

from __future__ import annotations

import tomllib
from pathlib import Path

PASSAGES: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("passages.toml").read_text(encoding="utf-8")
)
LATIN = ("en", "de", "es", "fr", "it", "nl", "pt", "pl", "tr", "id", "vi")
UNPARTED = ("ja", "zh-Hans", "zh-Hant", "th")  # no blanks between words
PARTED = tuple(code for code in PASSAGES if code not in UNPARTED)


def misread(text: str, codec: str) -> str:
    """UTF-8 read as another code page; bytes that it lacks stand for themselves."""
    return "".join(_byte(b, codec) for b in text.encode())


def _byte(byte: int, codec: str) -> str:
    try:
        return bytes([byte]).decode(codec)
    except UnicodeDecodeError:
        return chr(byte)
