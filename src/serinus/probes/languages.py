"""The languages that probes can be asked in: one file of `data/` each, read once.

A new language is a new file there, named after its BCP 47 tag; `docs/reference/probes.md` lists the keys.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

# R10: the default rotation, in its order, with English names for messages to operators.
LANGUAGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": "English",
        "de": "German",
        "es": "Spanish",
        "fr": "French",
        "it": "Italian",
        "nl": "Dutch",
        "pt": "Portuguese",
        "pl": "Polish",
        "tr": "Turkish",
        "id": "Indonesian",
        "vi": "Vietnamese",
        "ru": "Russian",
        "ja": "Japanese",
        "ko": "Korean",
        "zh-Hans": "Chinese (simplified)",
        "zh-Hant": "Chinese (traditional)",
        "th": "Thai",
    }
)


class UnknownLanguageError(LookupError):
    """No file holds prompts for this language; the message lists those that there are."""


class LanguageFileError(ValueError):
    """A language's file lacks something; the message says where, what was found and what is wanted."""


@dataclass(frozen=True, slots=True)
class Nonces:
    """Two word lists and how they make a phrase: 64 x 64 phrases or more, all of them odd.

    `pattern` holds `{quality}` and `{thing}` in the order of the language. No thing occurs in any prompt
    or passage of the language, so that one in an answer came from the nonce.
    """

    pattern: str
    qualities: tuple[str, ...]
    things: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A role-play prompt. `system` begins with `{nonce}`; `filtering` marks a motif that filters know."""

    key: str
    system: str
    user: str
    filtering: bool


@dataclass(frozen=True, slots=True)
class Structured:
    """The texts of the structured probe.

    `system` begins with `{nonce}`; `user` holds `{guests}` and `{mood}`; `moods` are sentences from which
    each value of the enum follows; `outside` asks for a value that the enum lacks.
    """

    system: str
    user: str
    moods: Mapping[str, str]
    outside: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The texts of the tool probe: `system` begins with `{nonce}`, `gates` ask for each enum value."""

    system: str
    gates: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Language:
    """All that probes of one language need.

    `english` and `name` are its names. `tokens_per_character` is what a modern vocabulary needs,
    measured on the language's passages (`docs/reference/probes.md`). `rules` end each role-play system
    text; `answer_tokens` is what an answer of the length asked for takes, `max_tokens` the cap sent.
    """

    code: str
    english: str
    name: str
    tokens_per_character: float
    rules: str
    answer_tokens: int
    max_tokens: int
    scenes: tuple[Scene, ...]
    nonces: Nonces
    structured: Structured
    tool_call: ToolCall


class _Table:
    """A TOML table that remembers where it stands, so that an error can say so."""

    def __init__(self, where: str, values: Any) -> None:
        if not isinstance(values, dict):
            message = f"{where}: found {values!r}, a table is wanted"
            raise LanguageFileError(message)
        self.where = where
        self.values = values

    def get(self, key: str, kind: type) -> Any:
        value = self.values.get(key)
        if not isinstance(value, kind) or value in ("", []):
            message = f"{self.where}.{key}: found {value!r}, a non-empty {kind.__name__} is wanted"
            raise LanguageFileError(message)
        return value

    def table(self, key: str) -> _Table:
        return _Table(f"{self.where}.{key}", self.values.get(key))

    def tables(self, key: str) -> list[_Table]:
        return [_Table(f"{self.where}.{key}[{n}]", v) for n, v in enumerate(self.get(key, list))]

    def words(self, key: str) -> tuple[str, ...]:
        """A list of words, written in TOML as one text with commas between them."""
        return tuple(
            word.strip() for word in self.get(key, str).replace("\n", " ").split(",") if word.strip()
        )

    def texts(self, key: str) -> Mapping[str, str]:
        table = self.table(key)
        return MappingProxyType({name: table.get(name, str) for name in table.values})


def parse(code: str, text: str) -> Language:
    """The language that a file's text describes.

    Raises:
        LanguageFileError: a key is missing or of the wrong type.
    """
    top = _Table(code, tomllib.loads(text))
    roleplay, nonces = top.table("roleplay"), top.table("nonces")
    structured, tool_call = top.table("structured"), top.table("tool_call")
    return Language(
        code=code,
        english=top.get("english", str),
        name=top.get("name", str),
        tokens_per_character=top.get("tokens_per_character", float),
        rules=roleplay.get("rules", str),
        answer_tokens=roleplay.get("answer_tokens", int),
        max_tokens=roleplay.get("max_tokens", int),
        scenes=tuple(
            Scene(
                s.get("key", str), s.get("system", str), s.get("user", str), bool(s.values.get("filtering"))
            )
            for s in roleplay.tables("scenes")
        ),
        nonces=Nonces(nonces.get("pattern", str), nonces.words("qualities"), nonces.words("things")),
        structured=Structured(
            structured.get("system", str),
            structured.get("user", str),
            structured.texts("moods"),
            structured.get("outside", str),
        ),
        tool_call=ToolCall(tool_call.get("system", str), tool_call.texts("gates")),
    )


@cache
def available() -> tuple[str, ...]:
    """The codes of all languages there are prompts for: the default rotation first, then by code."""
    found = {f.name.removesuffix(".toml") for f in _data().iterdir() if f.name.endswith(".toml")}
    return (*(c for c in LANGUAGES if c in found), *sorted(found - LANGUAGES.keys()))


@cache
def language(code: str) -> Language:
    """The language with this BCP 47 tag, exactly as `available()` spells it.

    Raises:
        UnknownLanguageError: there is no file for it.
    """
    if code not in available():
        message = f"no prompts for language {code!r}; there are: {', '.join(available())}"
        raise UnknownLanguageError(message)
    return parse(code, (_data() / f"{code}.toml").read_text(encoding="utf-8"))


def _data() -> Any:
    return files("serinus.probes") / "data"
