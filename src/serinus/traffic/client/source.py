"""Where a list comes from: one way to ask for it, whichever of the three places it is."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol

from serinus.core.published import Published

Wall = Callable[[], float]  # seconds since 1970

LARGEST: Final = 16_000_000  # bytes; 500 models with 30 entries each are some 5 million
STORES: Final = frozenset({".sqlite", ".sqlite3", ".db"})
_MAGIC: Final = b"SQLite format 3\0"


class SourceError(Exception):
    """The list could not be had; the message says why, in a sentence without any secret."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a source said: a new list, or None where it still says what was `seen`.

    `tag` names what it says now; `now` is its own clock. `current` tells that it answers for this very
    instant; a file does not, so that the age of its list counts from when that was written.
    """

    published: Published | None
    tag: str | None
    now: datetime
    current: bool


class Source(Protocol):
    """One place. `name` shows it to people; `pause` is how many seconds lie between two looks."""

    name: str
    pause: float

    def fetch(self, seen: str | None, wait: float) -> Fetched:
        """Ask for the list, at most `wait` seconds for another than the one with the tag `seen`.

        Raises:
            SourceError: it could not be had.
        """
        ...

    def interrupt(self) -> None:
        """Make a `fetch` in another thread end soon."""
        ...

    def let_go(self) -> None:
        """Close what is open: at the end, and in a child process, whose parent goes on to use it."""
        ...


def source_of(where: str | os.PathLike[str], token: str | None, wall: Wall) -> Source:
    """The source at a URL of serinus, a file that `serinus export` writes, or the canary's own store.

    Raises:
        ValueError: it is none of these; the message says what was found and what is allowed.
    """
    text = os.fspath(where)
    scheme, separator, rest = text.partition("://")
    if separator and scheme.lower() in {"http", "https"}:
        from serinus.traffic.client.url import UrlSource  # noqa: PLC0415  50 ms that a file does not need

        return UrlSource(text, token, wall)
    if separator and scheme.lower() == "sqlite" and rest.startswith("/") and len(rest) > 1:
        return _store(Path(rest[1:]), wall)
    if separator or not text:
        message = (
            f"the source of exclusions is {scheme + '://…' if separator else 'empty'}; allowed is an http or "
            "https URL of serinus, sqlite:///PATH of its store, or the path of a store or an exported file"
        )
        raise ValueError(message)
    path = Path(text)
    return _store(path, wall) if _is_store(path) else _file(path, wall)


def _is_store(path: Path) -> bool:
    """Whether a path leads to a store: by what it holds, else by how it is named."""
    try:
        with path.expanduser().open("rb") as opened:
            return opened.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return path.suffix in STORES


def _store(path: Path, wall: Wall) -> Source:
    from serinus.traffic.client.store import StoreSource  # noqa: PLC0415  the policy, which others do not need

    return StoreSource(path.expanduser().absolute(), wall)


def _file(path: Path, wall: Wall) -> Source:
    from serinus.traffic.client.file import FileSource  # noqa: PLC0415  as above

    return FileSource(path.expanduser().absolute(), wall)


def parsed(written: bytes) -> Any:
    """The JSON of a document.

    Raises:
        SourceError: it is none, or nested beyond reason.
    """
    try:
        return json.loads(written)
    except (ValueError, RecursionError) as error:
        said = f"{type(error).__name__}: {error}"[:200]
        message = f"what it gave is no JSON document ({len(written)} bytes; {said})"
        raise SourceError(message) from error


def instant(seconds: float) -> datetime:
    """An instant of the wall clock."""
    return datetime.fromtimestamp(seconds, UTC)
