"""`serinus log`: what was decided, and what operators did."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from serinus.cli.acting import tell
from serinus.cli.arguments import Duration

if TYPE_CHECKING:
    from serinus.service.desk import Desk
    from serinus.service.logbook import Line, Wanted

POLL = 1.0  # seconds between two looks with --follow
A_DAY = timedelta(days=1)


def log(  # noqa: PLR0913  each is an option of the command
    *,
    model: str | None = None,
    route: str | None = None,
    since: Duration = A_DAY,
    kind: tuple[str, ...] = (),
    follow: bool = False,
    config: Path | None = None,
    json_: bool = False,
) -> int:
    """Show what was decided and what operators did: its number, when, of which route, why, and its mark.

    It only reads, and works beside a running canary. The exit status is 0, whatever was decided.

    Parameters
    ----------
    model
        Only of this model; what concerns all models is shown too.
    route
        Only of this route.
    since
        How far back (6h, 14d); a day when absent.
    kind
        Only of this kind: suspended, held_at_floor, restored, expired, renewed, lifted, probe_weak,
        round_void, below_floor, or an act: exclude, include, lift, mode. May be given several times.
    follow
        Go on and show what is decided from now on, until Ctrl-C.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object a line instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    wanted = _Options(model, route, since, frozenset(kind), follow, config, json_)
    return told(lambda: _log(wanted))


@dataclass(frozen=True, slots=True)
class _Options:
    """The command's arguments."""

    model: str | None
    route: str | None
    since: timedelta
    kinds: frozenset[str]
    follow: bool
    config: Path | None
    json: bool


def _log(options: _Options) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.loglines import quietly, show  # noqa: PLC0415  as above
    from serinus.core.explain import lasting  # noqa: PLC0415  as above
    from serinus.service.logbook import Wanted, known_kinds  # noqa: PLC0415  as above

    if unknown := options.kinds - known_kinds():
        message = f"--kind: found {', '.join(sorted(unknown))}, allowed: {', '.join(sorted(known_kinds()))}"
        raise LookupError(message)
    with open_desk(options.config) as desk, quietly():
        if options.model:
            desk.models([options.model])
        wanted = Wanted(desk.at - options.since, options.model, options.route, options.kinds)
        shown = 0
        for line in _lines(desk, wanted, follow=options.follow):
            show(line, as_json=options.json)
            shown += 1
        if not shown and not options.json:
            tell(f"Nothing of that kind in the last {lasting(options.since)}; --since looks further back.")
    return 0


def _lines(desk: Desk, wanted: Wanted, *, follow: bool) -> Iterator[Line]:
    """What there is, and with `follow` what comes."""
    from serinus.service.logbook import lines  # noqa: PLC0415  as above

    while True:
        for line in lines(desk.store, wanted):
            wanted = replace(wanted, after=line.seq)
            yield line
        if not follow:
            return
        time.sleep(POLL)
