"""`serinus serve`: the API and the pages over a store, beside a canary that runs elsewhere."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from serinus.bootstrap.front import Front


def serve(*, port: int | None = None, config: Path | None = None) -> int:
    """Serve the JSON API and the pages, until it is stopped by Ctrl-C.

    `serinus run` serves by itself; this is for a store beside which no canary runs, or one of another
    process. It listens where `[serve]` says, on this machine only by default, and prints a one-time
    link that makes the first operator while there is none. Elsewhere it listens only once there is one.

    Parameters
    ----------
    port
        Another port than the configured one; 0 for any that is free.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: asyncio.run(_serve(port, config)))


async def _serve(port: int | None, config: Path | None) -> int:
    from serinus.bootstrap.desk import desk_of  # noqa: PLC0415  as above
    from serinus.bootstrap.front import ServeError, means_of  # noqa: PLC0415  as above
    from serinus.bootstrap.watch import watching  # noqa: PLC0415  as above
    from serinus.bootstrap.web import serving  # noqa: PLC0415  as above
    from serinus.cli.failing import CANNOT_START  # noqa: PLC0415  as above
    from serinus.cli.stopping import stopper  # noqa: PLC0415  as above
    from serinus.config import api_key, load  # noqa: PLC0415  as above
    from serinus.engine.clock import now  # noqa: PLC0415  as above
    from serinus.service.memory import Memory  # noqa: PLC0415  as above
    from serinus.store import open_store  # noqa: PLC0415  as above

    settings = load(config, os.environ)
    store = open_store(settings.store.path)
    try:
        stop = stopper("Stopping; once more ends it at once.\n")
        memory = Memory(store)
        means = means_of(settings, store, api_key(settings, os.environ))
        async with (
            watching(settings, os.environ, memory, _watched),
            serving(settings, desk_of(settings, memory, now), means, port=port) as served,
        ):
            announce(served)
            await stop.wait()
    except ServeError as error:
        sys.stderr.write(f"{error}\n")
        return CANNOT_START
    finally:
        store.close()
    return 0


def _watched(what: str, trouble: str | None) -> None:
    """A channel or the watch over the canary fails, or works again."""
    from serinus.bootstrap.logging import logger  # noqa: PLC0415  as above

    log = logger(sys.stderr)
    (log.info if trouble is None else log.warning)("delivery", what=what, trouble=trouble)


def announce(served: Front) -> None:
    """Say where it is served or why not, and how the first operator comes in.

    The link lets in whoever has it, once, so it goes to standard error and not into a log.
    """
    if served.trouble:
        sys.stderr.write(f"Nothing is served: {served.trouble}\n")
    if served.url:
        sys.stderr.write(f"serves  {served.url}\n")
    if served.setup:
        sys.stderr.write(
            f"set-up  {served.setup}\n        once, for the first operator; until then reading is open\n"
        )
    sys.stderr.flush()
