"""A disk that is full at every possible byte: `python -m store.small_disk STORE` prints what came of it.

No file may grow past a limit that the operating system enforces, first at nothing, then a little more
each time until the round's end gets through: the writes themselves fail, not a pretence of them.
"""

from __future__ import annotations

import json
import resource
import shutil
import sys
from pathlib import Path

from serinus.service.store_errors import StoreError
from serinus.store import open_store
from store.rows import MODEL, START, closing, dumped, name_of, notice

STEP = 1_999  # bytes: no divisor of a page, so that the limit falls everywhere in it


def main() -> None:
    path = Path(sys.argv[1])
    store = open_store(path, create=True)
    row = store.open_round(name_of(MODEL, START), MODEL, START)
    store.close()
    end = closing(row, 0, notices=[notice("one")])
    before, kinds = dumped(path), {}
    for limit in range(0, 1_000_000, STEP):
        copied = Path(shutil.copy(path, path.with_name(f"{limit}.sqlite")))
        refused = limited(limit, copied, end)
        assert (dumped(copied) == before) == (refused is not None), f"half done at {limit} bytes"
        if refused is None:
            break
        kinds[refused] = kinds.get(refused, 0) + 1
    print(json.dumps({"through_at": limit, "refused": kinds}))  # noqa: T201  what it is for


def limited(limit: int, path: Path, end) -> str | None:
    """What the round's end was refused with, where no file may grow past the limit; then none is."""
    store = None
    allowed = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, allowed[1]))
    try:
        store = open_store(path)
        store.close_round(end)
    except StoreError as error:
        return type(error).__name__
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, allowed)
        if store is not None:
            assert store.check() == []
            store.close()
    return None


if __name__ == "__main__":
    main()
