"""The last good list on disk: what an application starts with while the canary is away."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from serinus.core.instants import format_instant, parse_instant
from serinus.core.published import Published, document
from serinus.core.published_reading import PublishedError, read
from serinus.traffic.client.source import LARGEST, SourceError, parsed


@dataclass(frozen=True, slots=True)
class Copy:
    """A list that was kept, and when its source last said that it is current."""

    published: Published
    confirmed: datetime


@dataclass(frozen=True, slots=True)
class Kept:
    """One file for one source; several processes may share it, the last writer wins."""

    path: Path
    source: str

    def load(self) -> Copy | None:
        """What was kept of this source; None if there is nothing that can be believed."""
        try:
            with self.path.open("rb") as opened:
                written = opened.read(LARGEST + 1)
            said: Any = parsed(written) if len(written) <= LARGEST else None
            published = read(said)
            kept = said["kept"]
            confirmed = parse_instant(kept["confirmed"])
            return Copy(published, confirmed) if kept["source"] == self.source else None
        except (OSError, SourceError, PublishedError, KeyError, TypeError, ValueError):
            return None

    def keep(self, copy: Copy) -> None:
        """Put a list in the place of the last one, whole or not at all.

        Raises:
            OSError: the disk is full, or may not be written.
        """
        kept = {"source": self.source, "confirmed": format_instant(copy.confirmed)}
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        put_atomically(self.path, json.dumps({**document(copy.published), "kept": kept}).encode())


def put_atomically(path: Path, written: bytes, mode: int = 0o600) -> None:
    """Write a file so that readers see the old one or the new one, after a power cut too.

    Raises:
        OSError: it cannot be written; the old one stands.
    """
    try:
        _put_atomically(path, written, mode)
    except OSError as error:  # which says nothing of a file, or names the one that was to take its place
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def _put_atomically(path: Path, written: bytes, mode: int) -> None:
    import tempfile  # noqa: PLC0415  an application that only looks up does not write

    descriptor, part = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            os.fchmod(opened.fileno(), mode)
            opened.write(written)
            opened.flush()
            os.fsync(opened.fileno())
        Path(part).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(part).unlink()
        raise
    with contextlib.suppress(OSError):  # some file systems cannot: the file itself is written
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def usual_place(source: str, environ: Mapping[str, str]) -> Path | None:
    """Where a source's list is kept: under `XDG_CACHE_HOME`, else `~/.cache`; None without a home."""
    import hashlib  # noqa: PLC0415  3 ms that `import` need not take

    named, home = environ.get("XDG_CACHE_HOME"), environ.get("HOME")
    try:
        root = Path(named) if named and Path(named).is_absolute() else Path(home or Path.home()) / ".cache"
    except RuntimeError:
        return None
    return root / "serinus" / f"exclusions-{hashlib.sha256(source.encode()).hexdigest()[:16]}.json"
