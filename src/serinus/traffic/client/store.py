"""A list straight from the canary's store, for applications on the same machine."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from serinus.core.listing import published
from serinus.core.policy import State, evolve
from serinus.core.policy.folded import Folded, folded_of
from serinus.core.policy.journal import JournalError, from_json
from serinus.traffic.client.source import Fetched, SourceError, Wall, instant, parsed

ANEW: Final = 30  # seconds: time alone changes a list too, where what people excluded runs out
PATIENCE: Final = 2.0  # seconds for a writer that holds the file
SLICE: Final = 2_000  # entries at once: a reader never holds up a checkpoint for long
BLANK: Final = Folded(State(), 0)


class StoreSource:
    """Reads the log behind the kept fold, as the canary does, and never writes (ADR 0006, 0007)."""

    pause = 0.5

    def __init__(self, path: Path, wall: Wall) -> None:
        self.name = str(path)
        self._path = path
        self._wall = wall
        self._folded = BLANK

    def fetch(self, seen: str | None, wait: float) -> Fetched:
        """Fold what was logged since the last look; `wait` is left to the caller."""
        del wait
        now = instant(self._wall())
        try:
            with closing(self._open()) as c:
                last = int(c.execute("SELECT last_seq FROM meta").fetchone()[0])
                tag = f"{last}/{int(now.timestamp()) // ANEW}"
                if tag == seen:
                    return Fetched(None, tag, now, current=True)
                self._folded = folded = self._caught_up(c, last)
        except (sqlite3.Error, TypeError, OSError) as error:
            message = f"{self.name} cannot be read as a store of serinus: {error}"
            raise SourceError(message) from error
        except (JournalError, KeyError, ValueError) as error:
            message = f"the log of {self.name} cannot be folded: {error}"
            raise SourceError(message) from error
        return Fetched(published(folded.state, self._now(folded.state)), tag, now, current=True)

    def interrupt(self) -> None:
        """A look at a store ends by itself."""

    def let_go(self) -> None:
        """Nothing is held open between two looks."""

    def _now(self, state: State) -> datetime:
        """Now; never before what is logged, should the clock have been set back."""
        now = instant(self._wall())
        return now if state.now is None else max(now, state.now)

    def _open(self) -> sqlite3.Connection:
        log = self._path.with_name(self._path.name + "-wal")
        # Where nobody can be writing and we could make no log beside it, SQLite would refuse to read.
        still = not log.exists() and not os.access(self._path.parent, os.W_OK)
        uri = f"file:{quote(str(self._path))}?mode=ro{'&immutable=1' if still else ''}"
        connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
        connection.execute("PRAGMA query_only = ON")
        return connection

    def _caught_up(self, c: sqlite3.Connection, last: int) -> Folded:
        folded = self._folded
        if not folded.seq or folded.seq > last:  # a backup was put back
            folded = _kept(c) or BLANK
        state, seq = folded.state, folded.seq
        for number, document in _entries(c, seq):
            state, seq = evolve(state, from_json(document)), number
        return Folded(state, seq)


def _kept(c: sqlite3.Connection) -> Folded | None:
    """The kept fold, if it can be believed and the log goes so far."""
    row = c.execute("SELECT document FROM standing WHERE model = '' AND name = 'fold'").fetchone()
    try:
        kept = None if row is None else folded_of(parsed(row[0].encode()))
    except (SourceError, TypeError):
        return None
    known = kept and c.execute("SELECT 1 FROM entry WHERE seq = ?", (kept.seq,)).fetchone()
    return kept if known else None


def _entries(c: sqlite3.Connection, after: int) -> Iterator[tuple[int, Any]]:
    asked = "SELECT seq, document FROM entry WHERE seq > ? ORDER BY seq LIMIT ?"
    while rows := c.execute(asked, (after, SLICE)).fetchall():
        for seq, document in rows:
            yield seq, parsed(document.encode())
        after = rows[-1][0]
