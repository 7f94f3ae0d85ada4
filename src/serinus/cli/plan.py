"""`serinus plan`: what rounds will ask and cost, from live prices, before anything is spent."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from serinus.config import Settings
    from serinus.prober.secret import Key
    from serinus.service.forecast import Forecast


def plan(
    *models: str,
    config: Path | None = None,
    demo: bool = False,
    simulate: Path | None = None,
    json_: bool = False,
) -> int:
    """Show what rounds will ask and cost, from live prices, before anything is spent.

    The listing is asked for, which costs nothing. The exit status is 1 if the forecast is above the
    budget, 2 if there is no listing to go by.

    Parameters
    ----------
    models
        The models; all configured ones when none is named.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    demo
        Plan for the simulated gateway that comes with serinus.
    simulate
        Plan for a simulated gateway with the hosts of this scenario.
    json_
        Print one JSON object instead of a table.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: asyncio.run(_plan(models, config, simulate, demo=demo, as_json=json_)))


async def _plan(
    models: tuple[str, ...], config: Path | None, simulate: Path | None, *, demo: bool, as_json: bool
) -> int:
    from serinus.bootstrap.simulation import open_simulation, scenario_of  # noqa: PLC0415  as above
    from serinus.config import api_key, load  # noqa: PLC0415  as above

    if demo or simulate:
        async with open_simulation(scenario_of(simulate)) as (settings, key):
            return await _show(models, settings, key, as_json=as_json)
    settings = load(config, os.environ)
    return await _show(models, settings, api_key(settings, os.environ), as_json=as_json)


async def _show(models: tuple[str, ...], settings: Settings, key: Key | None, *, as_json: bool) -> int:
    from serinus.bootstrap.canary import forecasts  # noqa: PLC0415  as above
    from serinus.cli.prices import lines  # noqa: PLC0415  as above
    from serinus.cli.tables import show  # noqa: PLC0415  as above
    from serinus.cli.watching import Watching  # noqa: PLC0415  as above
    from serinus.service.records.forecasts import document  # noqa: PLC0415  as above

    found, troubles = await forecasts(settings, key, models)
    sys.stderr.write("".join(f"{model}: {trouble}\n" for model, trouble in troubles.items()))
    budget = settings.budget.usd_per_day
    if as_json:
        _print(document(found, budget))
    elif found:
        show(Watching(quiet=True).console, lines(found, budget))
    return 2 if troubles else int(_per_day(found) > budget)


def _per_day(found: list[Forecast]) -> float:
    from serinus.service.forecast import DAY  # noqa: PLC0415  as above

    return sum(f.usd * f.rounds_in(DAY) for f in found)


def _print(found: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(found, sort_keys=True, ensure_ascii=False) + "\n")
