"""What applications poll: the published lists, written once for all who ask (R23, R33)."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from serinus.core.listing import published
from serinus.core.policy import State
from serinus.core.published import Published, document, etag_of, list_document
from serinus.service.desk import Desk
from serinus.web.documents import written

FRESH: Final = timedelta(seconds=1)  # how old the instant of an edition may be that is given out again
LONGEST: Final = timedelta(days=1)  # how long an edition holds where nothing ends by itself


@dataclass(frozen=True, slots=True)
class Leaf:
    """A document as it goes out: its bytes and its entity tag."""

    body: bytes
    etag: str


@dataclass(frozen=True, slots=True)
class Edition:
    """The lists as the log stood at `seen`, at one instant; they are other ones from `until` on."""

    seen: int
    at: datetime
    until: datetime
    lists: Published

    def leaf(self, model: str | None) -> Leaf:
        """The list of a model, or the document of all."""
        said = document(self.lists) if model is None else list_document(self.lists.of(model))
        return Leaf(written(said), etag_of(said))


@dataclass(slots=True)
class Bulletin:
    """Gives out the newest edition. Each method looks into the store, so it runs in a thread."""

    desk: Desk
    _edition: Edition | None = None
    _whole: tuple[Edition, Leaf] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def edition(self) -> Edition:
        """The newest edition; at most a second old.

        Raises:
            StoreError: the store cannot be read.
        """
        with self._lock:
            state = self.desk.state
            at, seen, kept = self.desk.at, self.desk.memory.seen, self._edition
            if kept is None or kept.seen != seen or not kept.at <= at < min(kept.until, kept.at + FRESH):
                kept = self._edition = _edition(state, seen, at, self.desk.configured)
            return kept

    def leaf(self, edition: Edition, model: str | None) -> Leaf:
        """A document of an edition; that of all models is written once."""
        if model is not None:
            return edition.leaf(model)
        with self._lock:
            if self._whole is None or self._whole[0] is not edition:
                self._whole = (edition, edition.leaf(None))
            return self._whole[1]


def _edition(state: State, seen: int, at: datetime, models: tuple[str, ...]) -> Edition:
    lists = published(state, at, models)
    # Suspensions that a list leaves out, because it would cover every route, end too and change it.
    ends = [m.ending for m in state.models.values() if m.ending is not None and m.ending > at]
    ends += [end for end in (lists.next_end(at),) if end is not None]
    return Edition(seen, at, min([*ends, at + LONGEST]), lists)
