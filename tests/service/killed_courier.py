"""A courier killed before it notes what it sent: `python -m service.killed_courier STORE URL [kill]`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from serinus.engine.clock import now
from serinus.notify.webhook import Webhook
from serinus.service.courier import Courier
from serinus.store import open_store


def fatal(statement: str) -> None:
    if "INSERT INTO delivery" in statement:
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    path, url, *kill = sys.argv[1:]
    store = open_store(Path(path), on_call=fatal if kill else None)
    hook = Webhook("ops", url, b"secret", now)
    print(asyncio.run(Courier(store, (hook,), now).deliver()))  # noqa: T201  how its parent learns it
    store.close()


if __name__ == "__main__":
    main()
