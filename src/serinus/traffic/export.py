"""The merged lists as a file: for applications that read one, or a server that hands it out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from serinus.core.listing import published
from serinus.core.policy import State
from serinus.core.published import Published, alike, document
from serinus.traffic.client.kept import put_atomically

PULSE: Final = timedelta(minutes=1)  # a file that says the same is written again: its age tells that we live
READABLE: Final = 0o644  # by other users' applications; it holds no secret


def text_of(lists: Published) -> str:
    """The document as it stands in the file."""
    return json.dumps(document(lists), ensure_ascii=True, indent=1) + "\n"


@dataclass(slots=True)
class Export:
    """Keeps a file at what the lists are. `models` are listed even where nothing is known of them."""

    path: Path
    models: tuple[str, ...]
    written: Published | None = None

    def put(self, state: State, at: datetime) -> bool:
        """Write the lists of this instant, whole or not at all; whether they say something new.

        Raises:
            OSError: the file cannot be written; the old one stands.
        """
        lists = published(state, at, self.models)
        news = self.written is None or not alike(lists, self.written)
        if news or self.written is None or not timedelta() <= at - self.written.at < PULSE:
            put_atomically(self.path, text_of(lists).encode(), READABLE)
            self.written = lists
        return news
