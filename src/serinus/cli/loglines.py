"""Lines of the log, for people and for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from serinus.cli.inert import inert
from serinus.cli.records import put
from serinus.core.policy import Decision
from serinus.service.logbook import Line
from serinus.service.records.loglines import document

MARKS = {True: "  [marked right]", False: "  [marked wrong]", None: ""}
LINE = 600


def show(line: Line, *, as_json: bool) -> None:
    """Print one line."""
    if as_json:
        put(document(line))
        return
    kind = line.kind.replace("_", " ")
    if isinstance(line.entry, Decision) and line.entry.enforced is False:
        kind = f"would be {kind}"
    where = " of ".join(part for part in (line.route, line.model) if part)
    said = f"{line.seq:>6}  {line.at:%Y-%m-%d %H:%M:%S}  {kind:<15}  {where}  {line.sentence}"
    sys.stdout.write(f"{inert(said, LINE)}{MARKS[line.mark]}\n")
    sys.stdout.flush()


@contextmanager
def quietly() -> Iterator[None]:
    """End without a word when whoever reads has seen enough."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
