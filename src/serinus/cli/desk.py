"""The operator's desk of a command: the configuration and the store beside a running canary."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from serinus.bootstrap.desk import desk_of
from serinus.config import load
from serinus.engine.clock import now
from serinus.service.desk import Desk
from serinus.service.memory import Memory
from serinus.store import open_store


@contextmanager
def open_desk(config: Path | None, *, acting: bool = False) -> Iterator[Desk]:
    """Open the configured store: for reading, or to act.

    Raises:
        ConfigError: something is wrong with the configuration.
        StoreError: the store cannot be used.
    """
    settings = load(config, os.environ)
    began = now()
    store = open_store(settings.store.path, read_only=not acting)
    try:
        yield desk_of(settings, Memory(store), lambda: began)
    finally:
        store.close()
