"""`serinus simulate`: run a simulated gateway whose hosts have the faults you name."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from serinus.simulator.scenario import Scenario
    from serinus.simulator.simulator import Simulator


def simulate(
    scenario: Path | None = None,
    *,
    port: int = 8765,
    host: str = "127.0.0.1",
    seed: int | None = None,
    json_: bool = False,
) -> int:
    """Run a simulated gateway whose hosts have the faults you name.

    It speaks OpenRouter's wire format until it is stopped by Ctrl-C. Every fault is listed in
    docs/reference/simulator.md. The exit status is 1 if the scenario or the port cannot be used.

    Parameters
    ----------
    scenario
        A scenario file; without it a small one with healthy hosts and some faults is used.
    port
        Where to listen; 0 takes a free port.
    host
        The address to listen on.
    seed
        Fixes all chance, instead of the scenario's seed.
    json_
        Print one JSON object when ready, instead of a table.
    """
    from serinus.config.problems import ConfigError  # noqa: PLC0415  `serinus --help` stays light
    from serinus.simulator.demo import demo  # noqa: PLC0415  as above
    from serinus.simulator.scenario_file import load  # noqa: PLC0415  as above

    try:
        found = demo() if scenario is None else load(scenario)
    except ConfigError as error:
        sys.stderr.write("".join(f"{problem.line()}\n" for problem in error.problems))
        return 1
    try:
        asyncio.run(_run(found, host, port, seed, json_=json_))
    except OSError as error:
        sys.stderr.write(f"{host}:{port} cannot be listened on: {(error.strerror or str(error)).lower()}\n")
        return 1
    return 0


async def _run(scenario: Scenario, host: str, port: int, seed: int | None, *, json_: bool) -> None:
    from serinus.simulator.simulator import Simulator  # noqa: PLC0415  as above

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(wanted, stop.set)
    async with Simulator(scenario, host=host, port=port, seed=seed) as running:
        sys.stdout.write(_json(running) if json_ else _table(running))
        sys.stdout.flush()
        await stop.wait()
    if not json_:
        requests, spent = running.ledger.requests, running.ledger.spent
        sys.stdout.write(f"stopped after {requests} answers, {spent:.4f} USD charged\n")


def _json(running: Simulator) -> str:
    found: dict[str, Any] = {
        "base_url": running.base_url,
        "title": running.scenario.title,
        "seed": running.scenario.seed,
        "models": [m.id for m in running.scenario.models],
        "hosts": [
            {"tag": h.tag, "display": h.display, "control": h.control, "faults": [f.name for f in h.faults]}
            for h in running.scenario.hosts
        ],
        "faults": [f.name for f in running.scenario.faults],
    }
    return json.dumps(found, sort_keys=True, ensure_ascii=False) + "\n"


def _table(running: Simulator) -> str:
    from serinus.simulator.overview import overview  # noqa: PLC0415  as above

    return overview(running.scenario, running.base_url)
