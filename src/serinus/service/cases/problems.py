"""What is wrong with a line, said so that it can be put right; and what was ignored in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn


class CaseError(ValueError):
    """A line that is no case: what was found, where, and what is allowed."""


def found(value: Any) -> str:
    """A value as an error message shows it."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004  one line


def reject(sentence: str) -> NoReturn:
    """Give the line up.

    Raises:
        CaseError: always, with this sentence.
    """
    raise CaseError(sentence)


def wrong(path: str, value: Any, allowed: str) -> NoReturn:
    """Give the line up for a value that is not allowed where it stands.

    Raises:
        CaseError: always; it says where, what was found and what is allowed.
    """
    reject(f"{path} is {found(value)}, allowed is {allowed}")


class Warnings:
    """Keys that were ignored, each told once with the line where it was met first."""

    __slots__ = ("_told",)

    def __init__(self) -> None:
        self._told: set[str] = set()

    def unknown(self, path: str, keys: Iterable[str], known: frozenset[str]) -> list[str]:
        """One sentence for each key that was not told before."""
        new = [f"{path}{key}" for key in keys if key not in known]
        fresh = [name for name in dict.fromkeys(new) if name not in self._told]
        self._told.update(fresh)
        return [f"unknown key {name!r} is ignored" for name in fresh]


def mapping(value: Any, path: str) -> Mapping[str, Any]:
    """The value as an object.

    Raises:
        CaseError: it is something else.
    """
    if not isinstance(value, dict):
        wrong(path, value, "an object")
    return value
