"""A list in a file that `serinus export` writes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from serinus.core.published import Published
from serinus.core.published_reading import PublishedError, read
from serinus.traffic.client.source import LARGEST, Fetched, SourceError, Wall, instant, parsed


class FileSource:
    """Looks whether the file changed; the age of its list counts from when that was written."""

    pause = 0.5

    def __init__(self, path: Path, wall: Wall) -> None:
        self.name = str(path)
        self._path = path
        self._wall = wall

    def fetch(self, seen: str | None, wait: float) -> Fetched:
        """Read the file if it is another than the one seen; `wait` is left to the caller."""
        del wait
        try:
            with self._path.open("rb") as opened:
                stat = os.fstat(opened.fileno())
                tag = f"{stat.st_mtime_ns}-{stat.st_size}-{stat.st_ino}"
                if tag == seen:
                    return Fetched(None, tag, instant(self._wall()), current=False)
                written = opened.read(LARGEST + 1)
        except OSError as error:
            message = f"{self.name} cannot be read: {error.strerror or error}"
            raise SourceError(message) from error
        published, _ = published_in(written, self.name)
        return Fetched(published, tag, max(instant(self._wall()), published.at), current=False)

    def interrupt(self) -> None:
        """A look at a file ends by itself."""

    def let_go(self) -> None:
        """Nothing is held open between two looks."""


def published_in(written: bytes, where: str) -> tuple[Published, Any]:
    """The lists in these bytes, and the document as it stands there, keys that only others know included.

    Raises:
        SourceError: there are none, or too many bytes.
    """
    if len(written) > LARGEST:
        message = f"{where} gave more than {LARGEST} bytes; a list of that size is none of serinus"
        raise SourceError(message)
    try:
        document = parsed(written)
        return read(document), document
    except (PublishedError, SourceError) as error:
        message = f"{where}: {error}"
        raise SourceError(message) from error
