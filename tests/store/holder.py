"""A process of its own that has the canary's place until it is ended: `python -m store.holder PATH`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from serinus.store import open_store


def main() -> None:
    store = open_store(Path(sys.argv[1]), create=True)
    store.claim()
    print(os.getpid(), flush=True)  # noqa: T201  how its parent learns that it is ready
    sys.stdin.read()
    store.close()


if __name__ == "__main__":
    main()
