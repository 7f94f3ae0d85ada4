"""What a running canary tells whoever watches its terminal, and its log where nobody does."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.text import Text

from serinus.bootstrap.logging import logger
from serinus.bootstrap.stage import Stage
from serinus.cli.inert import inert
from serinus.cli.outcomes import document, parts
from serinus.cli.tables import TOLD, show
from serinus.cli.watching import Watching
from serinus.config import Settings
from serinus.core.durations import format_duration
from serinus.core.explain.phrases import counted
from serinus.service.duty import Happening


class Teller:
    """Tells each round: as a table to a person, as one JSON object a line to a log.

    A person is whoever has a terminal, or watches a simulation.

    After `rounds` rounds of each model it sets `stop`.
    """

    def __init__(self, stage: Stage, stop: asyncio.Event, rounds: int | None) -> None:
        self._stage = stage
        self._stop = stop
        self._rounds = rounds
        self._told: Counter[str] = Counter()
        self._person = sys.stdout.isatty() or stage.simulated
        self.watching = Watching(quiet=True)
        self._log = logger(sys.stdout, person=False)

    def begin(self) -> None:
        """Say what is asked and how."""
        stage = self._stage
        where = "a simulated gateway, at no cost" if stage.simulated else _asked(stage.settings)
        every = format_duration(stage.schedule.interval)
        told = [c.name for c in stage.operators.channels]
        beat = stage.operators.heartbeat is not None
        if not self._person:
            models = sorted(stage.plans)
            self._log.info("begin", gateway=where, models=models, every=every, channels=told, heartbeat=beat)
            return
        lines = [
            Text.assemble(("serinus asks ", "bold"), where),
            Text(f"models  {', '.join(map(inert, stage.plans))}"),
            Text(f"rounds  every {every}, mode {stage.policy.mode}"),
            *([] if stage.simulated else [Text(f"tells   {_told(told, beat=beat)}")]),
            Text("Ctrl-C stops it after the round in flight.", style="dim"),
        ]
        show(self.watching.console, lines)

    def channel(self, what: str, trouble: str | None) -> None:
        """A channel, the heartbeat or all delivery fails, or works again; told when it changes."""
        with self._heard():
            if not self._person:
                write = self._log.info if trouble is None else self._log.warning
                write("delivery", what=what, trouble=trouble)
                return
            line = inert(f"{what}: {trouble or 'works again'}", limit=600)
            show(self.watching.console, [Text(line, style="green" if trouble is None else "bold yellow")])

    def tell(self, happening: Happening) -> None:
        """One round ended, in whatever way."""
        self._told[happening.model] += 1
        with self._heard():
            if self._person:
                self._show(happening)
            else:
                self._write(happening)
        if self._rounds and all(self._told[model] >= self._rounds for model in self._stage.plans):
            self._stop.set()

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """Where nobody reads any more, a simulation has no purpose left and ends; a canary goes on."""
        try:
            yield
        except (OSError, SystemExit) as error:  # rich makes an exit of a closed pipe
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if self._stage.simulated:
                self._stop.set()
            else:
                why = error.strerror if isinstance(error, OSError) else "closed"
                sys.stderr.write(f"Standard output cannot be written ({why}): rounds go on without it.\n")

    def _show(self, happening: Happening) -> None:
        if happening.outcome is None:
            line = f"{happening.model} {happening.planned:%H:%M:%S}: {happening.trouble}"
            show(self.watching.console, [Text(inert(line, limit=600), style="bold yellow")])
            return
        names = [c.name for c in self._stage.plans[happening.model].contracts]
        show(self.watching.console, parts(happening.outcome, names))

    def _write(self, happening: Happening) -> None:
        if happening.outcome is None:
            planned = happening.planned.isoformat()
            self._log.warning("round", model=happening.model, at=planned, trouble=happening.trouble)
            return
        found = document(happening.outcome)
        self._log.info("round", **found)
        log = self._log.bind(round=found["round"], model=found["model"])
        for route, contracts in found["routes"].items():
            for contract, said in contracts.items():
                if said["verdict"] in TOLD:
                    log.warning("verdict", route=route, contract=contract, **said)
        for decision in found["decisions"]:
            log.warning("decision", **decision)


def _told(channels: Sequence[str], *, beat: bool) -> str:
    """Who is told of what happens."""
    told = ", ".join(channels) or "nobody but whoever looks here: no [[notify]] is configured"
    return f"{told}; a heartbeat after each round" if beat else told


def _asked(settings: Settings) -> str:
    """Where probes go."""
    if settings.gateway.name != "openai_compatible":
        return str(settings.gateway.base_url)
    return f"{counted(len(settings.replica), 'server')} of your own"
