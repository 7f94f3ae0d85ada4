"""`serinus run`: the canary as a service, in one process, until it is stopped."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from serinus.cli import INTERRUPTED
from serinus.cli.arguments import Count, Every

if TYPE_CHECKING:
    from serinus.bootstrap.stage import Stage


def run(  # noqa: PLR0913  each is an option of the command
    *,
    config: Path | None = None,
    demo: bool = False,
    simulate: Path | None = None,
    every: Every = timedelta(seconds=10),
    rounds: Count | None = None,
    yes: bool = False,
) -> int:
    """Watch the configured models: a round each half hour, until it is stopped by Ctrl-C.

    With a configuration and a key it asks the gateway: it prints what that will cost and goes on
    when a budget is set or you agree. Without them, or with --demo, it asks a simulated gateway
    at no cost, says so, and holds a round every few seconds with the policy scaled alike.

    Ctrl-C or SIGTERM stops it after the rounds in flight; a second one leaves them unfinished.

    Parameters
    ----------
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    demo
        Ask the simulated gateway that comes with serinus.
    simulate
        Ask a simulated gateway with the hosts and faults of this scenario.
    every
        How often a simulated gateway is asked (10s, 1m); 10s when absent.
    rounds
        Stop after so many rounds of each model.
    yes
        Go on without asking whether the price is agreeable.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    wanted = _Wanted(config, demo, simulate, every, rounds, yes)
    return told(lambda: _until_stopped(wanted))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The command's arguments."""

    config: Path | None
    demo: bool
    simulate: Path | None
    every: timedelta
    rounds: int | None
    yes: bool


def _until_stopped(wanted: _Wanted) -> int:
    try:
        return asyncio.run(_run(wanted))
    except asyncio.CancelledError:
        sys.stderr.write("The round in flight was left unfinished; nothing of it counts.\n")
        return INTERRUPTED


async def _run(wanted: _Wanted) -> int:
    from serinus.cli.happenings import Teller  # noqa: PLC0415  `serinus --help` stays light
    from serinus.cli.serve import announce  # noqa: PLC0415  as above
    from serinus.cli.stopping import stopper  # noqa: PLC0415  as above

    stop = stopper("Stopping after the round in flight; once more leaves it unfinished.\n")
    async with _stage(wanted) as stage:
        if not stage.simulated and not await _agreed(stage, yes=wanted.yes):
            return 1
        teller = Teller(stage, stop, wanted.rounds)
        opened = stage.on_duty(teller.tell, teller.watching.answered, teller.channel)
        async with opened as duty:
            teller.begin()
            announce(duty.front)
            ended = await duty.run(tuple(stage.plans), stop)
    return 0 if ended else 1


@asynccontextmanager
async def _stage(wanted: _Wanted) -> AsyncIterator[Stage]:
    """Where it works: on the configured gateway, or on a simulated one."""
    from serinus.bootstrap.stage import real_stage, simulated_stage  # noqa: PLC0415  as above

    if wanted.config or (not wanted.demo and not wanted.simulate and _configured()):
        yield real_stage(wanted.config, os.environ)
    else:
        async with simulated_stage(wanted.simulate, wanted.every) as stage:
            yield stage


def _configured() -> bool:
    """Whether the environment gives a key, or the configuration that stands by names its file."""
    from serinus.config import DEFAULT_FILE, ConfigError, inspect, required_key  # noqa: PLC0415  as above

    if os.environ.get("OPENROUTER_API_KEY"):
        return True
    if not (os.environ.get("SERINUS_CONFIG") or Path(DEFAULT_FILE).exists()):
        return False
    report = inspect(None, os.environ)
    if report.settings is None:
        raise ConfigError(report.problems)
    try:
        required_key(report.settings, os.environ)
    except ConfigError:
        return False
    return True


async def _agreed(stage: Stage, *, yes: bool) -> bool:
    """Show what it will cost; whether that may be spent: a budget was set, or a person says so."""
    from serinus.bootstrap.canary import forecasts  # noqa: PLC0415  as above
    from serinus.cli.prices import lines  # noqa: PLC0415  as above
    from serinus.cli.tables import show  # noqa: PLC0415  as above
    from serinus.cli.watching import Watching  # noqa: PLC0415  as above

    found, troubles = await forecasts(stage.settings, stage.key)
    sys.stderr.write("".join(f"{model}: {trouble}\n" for model, trouble in troubles.items()))
    watching = Watching(quiet=True)
    # Where standard output is a log, one JSON object a line, the plan is for whoever reads the errors.
    console = watching.console if sys.stdout.isatty() else watching.progress
    show(console, lines(found, stage.settings.budget.usd_per_day))
    if yes or stage.budget_set or (found and not troubles and all(f.free for f in found)):
        return True
    if not sys.stdin.isatty():
        sys.stderr.write(
            "No budget is set and nobody can be asked. Set budget.usd_per_day, "
            "SERINUS_BUDGET_USD_PER_DAY, or give --yes.\n"
        )
        return False
    sys.stdout.write(f"Go on, with at most {stage.settings.budget.usd_per_day:.2f} USD a day? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}
