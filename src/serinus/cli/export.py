"""`serinus export`: the merged lists as a file that applications read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from serinus.service.desk import Desk
    from serinus.traffic.export import Export

EACH = 0.5  # seconds between two looks at the log


def export(
    file: Path | None = None,
    *,
    watch: bool = False,
    config: Path | None = None,
) -> int:
    """Write the ignore lists of all models to a file, for applications and for servers of files.

    The file is replaced as a whole, so that a reader sees the old lists or the new ones. A store that
    cannot be read leaves it as it is. It only reads, and works beside a running canary.

    Parameters
    ----------
    file
        Where to write; standard output when absent.
    watch
        Go on, and write again within a second of each change, and once a minute without one.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: _export(file, config, watch=watch))


def _export(file: Path | None, config: Path | None, *, watch: bool) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.core.listing import published  # noqa: PLC0415  as above
    from serinus.traffic.export import Export, text_of  # noqa: PLC0415  as above

    if watch and file is None:
        message = "--watch needs a file to keep; `serinus export lists.json --watch`"
        raise LookupError(message)
    with open_desk(config) as desk:
        if file is None:
            sys.stdout.write(text_of(published(desk.state, desk.at, desk.configured)))
            return 0
        kept = Export(file.expanduser().resolve(), desk.configured)
        kept.put(desk.state, desk.at)
        _tell(kept)
        if watch:
            _go_on(desk, kept)
    return 0


def _go_on(desk: Desk, kept: Export) -> None:
    """Write what is news until somebody ends it; what cannot be read or written is told and tried again."""
    import time  # noqa: PLC0415  as above

    from serinus.cli.acting import tell  # noqa: PLC0415  as above
    from serinus.engine.clock import now  # noqa: PLC0415  as above
    from serinus.service.store_errors import StoreError  # noqa: PLC0415  as above

    trouble = None
    while True:
        time.sleep(EACH)
        try:
            if kept.put(desk.state, now()) or trouble is not None:
                _tell(kept)
            trouble = None
        except (StoreError, OSError) as error:
            said = _said(error)
            if said != trouble:
                tell(f"{said} The file stays as it is, and is tried again.")
            trouble = said


def _said(error: Exception) -> str:
    """A failure as a sentence: those of the system name the file and what is wrong with it."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror.lower()}."
    return str(error)


def _tell(kept: Export) -> None:
    """What was written, and what an operator must know of it."""
    from serinus.cli.acting import tell  # noqa: PLC0415  as above
    from serinus.core import explain  # noqa: PLC0415  as above

    lists = list(kept.written.models.values()) if kept.written else []
    names = sum(len(found.ignore) for found in lists)
    of = explain.counted(len(lists), "model")
    tell(f"{kept.path} holds the lists of {of}, with {explain.counted(names, 'name')}, as of {_at(kept)}.")
    for found in lists:
        for sentence in explain.of_list(found):
            tell(sentence)


def _at(kept: Export) -> str:
    return f"{kept.written.at:%Y-%m-%d %H:%M:%S} UTC" if kept.written else "never"
