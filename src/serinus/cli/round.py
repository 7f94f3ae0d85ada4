"""`serinus round`: ask every live route once, now, and show what was seen and what it would lead to."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from serinus.cli.arguments import Count, Every

if TYPE_CHECKING:
    from rich.console import Console

    from serinus.config import Settings
    from serinus.prober.secret import Key
    from serinus.service.canary import Canary, Outcome


def run(  # noqa: PLR0913  each is an option of the command
    *models: str,
    config: Path | None = None,
    simulate: Path | None = None,
    demo: bool = False,
    rounds: Count = 1,
    every: Every = timedelta(seconds=10),
    json_: bool = False,
) -> int:
    """Ask every live route of a model once, judge, decide and show it.

    A round by hand: it feeds no streak of a running canary and writes nothing to its store. With
    more than one round the policy decides over them as it would in earnest, its durations scaled
    to the pace. The exit status is 1 if the gateway's listing could not be believed, 2 if nothing
    could be asked at all.

    Parameters
    ----------
    models
        The models to ask; all configured ones when none is named.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    simulate
        Ask a simulated gateway with the hosts and faults of this scenario instead.
    demo
        Ask the simulated gateway that comes with serinus.
    rounds
        How many rounds to hold.
    every
        How far apart they are planned (10s, 5m), where there are several; 10s when absent.
    json_
        Print one JSON object a round instead of tables.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    wanted = _Wanted(models, config, simulate, demo, rounds, every, json_)
    return told(lambda: asyncio.run(_rounds(wanted)))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The command's arguments."""

    models: tuple[str, ...]
    config: Path | None
    simulate: Path | None
    demo: bool
    rounds: int
    every: timedelta
    json: bool


async def _rounds(wanted: _Wanted) -> int:
    from serinus.bootstrap.canary import open_canary, plans_of  # noqa: PLC0415  as above
    from serinus.cli.watching import Watching  # noqa: PLC0415  as above
    from serinus.core.policy import Mode  # noqa: PLC0415  as above
    from serinus.engine.clock import now  # noqa: PLC0415  as above
    from serinus.service.rehearsal import scaled  # noqa: PLC0415  as above
    from serinus.store import open_store  # noqa: PLC0415  as above

    status = 0
    store = open_store("sqlite://")
    async with _asked(wanted) as (settings, key):
        watching = Watching(quiet=wanted.json)
        plans = plans_of(settings, wanted.models)
        async with open_canary(settings, key, store, plans, watching.answered) as canary:
            if wanted.rounds > 1:
                canary.policy = scaled(canary.policy, wanted.every, mode=Mode.ENFORCE)
            for n in range(wanted.rounds):
                planned = now().replace(microsecond=0)
                for model in plans:
                    with watching.round(model):
                        outcome = await canary.round(model, planned)
                    status = max(status, _show(outcome, canary, watching.console, as_json=wanted.json))
                if n + 1 < wanted.rounds:
                    await asyncio.sleep(max(0.0, (planned + wanted.every - now()) / timedelta(seconds=1)))
    store.close()
    return status


@asynccontextmanager
async def _asked(wanted: _Wanted) -> AsyncIterator[tuple[Settings, Key | None]]:
    """The settings and the key of whoever is asked: the simulated gateway or the configured one."""
    import os  # noqa: PLC0415  only here

    from serinus.bootstrap.simulation import open_simulation, scenario_of  # noqa: PLC0415  `serinus --help` stays light
    from serinus.config import api_key, load  # noqa: PLC0415  as above

    if wanted.simulate or wanted.demo:
        async with open_simulation(scenario_of(wanted.simulate)) as simulated:
            yield simulated
    else:
        settings = load(wanted.config, os.environ)
        yield settings, api_key(settings, os.environ)


def _show(outcome: Outcome | None, canary: Canary, console: Console, *, as_json: bool) -> int:
    from serinus.cli.outcomes import document, parts  # noqa: PLC0415  as above
    from serinus.cli.tables import show  # noqa: PLC0415  as above

    if outcome is None:
        return 0
    if as_json:
        _print(document(outcome))
    else:
        names = [c.name for c in canary.plans[outcome.report.model].contracts]
        show(console, parts(outcome, names))
    if not outcome.report.routes:
        return 2
    return 1 if outcome.trouble else 0


def _print(found: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(found, sort_keys=True, ensure_ascii=False) + "\n")
    sys.stdout.flush()
