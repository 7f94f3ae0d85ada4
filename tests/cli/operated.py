"""A store that a canary left, its last round a moment ago, and a configuration that names it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from serinus.core.model import Listing
from serinus.core.policy import Mode, Policy
from serinus.engine.clock import now
from serinus.service.canary import Canary, Outcome
from serinus.service.planning import ModelPlan
from serinus.store import open_store
from world import MODEL, Filtering, Played, Spoken, Unpaced, offers

HALF_HOUR = timedelta(minutes=30)
TAGS = ("alpha", "beta", "gamma", "delta/fp8")


class Town(Played):
    """A gateway that lists four routes."""

    async def discover(self, model: str) -> Listing:
        return Listing(model, offers(*TAGS))


class Operated:
    """Rounds up to now; `bad` are the tags that fail, changed as the story goes."""

    def __init__(self, folder: Path, *, mode: str = "enforce", rounds: int = 4) -> None:
        self.config = folder / "serinus.toml"
        self.config.write_text(
            f'[[model]]\nid = "{MODEL}"\n[policy]\nmode = "{mode}"\n[store]\npath = "serinus.sqlite"\n',
            encoding="utf-8",
        )
        self.bad: set[str] = set()
        self.text = "bad"
        at = now().replace(second=0, microsecond=0)
        self.at = at - timedelta(minutes=at.minute % 30) - HALF_HOUR * (rounds - 1)
        self.store = open_store(folder / "serinus.sqlite", create=True)
        self.canary = Canary(
            store=self.store,
            gateway=Town(lambda tag, _probe: self.text if tag in self.bad else "hello"),
            pace=Unpaced(),
            policy=Policy(mode=Mode(mode)),
            plans={MODEL: ModelPlan(MODEL, ("en", "pt"), (Spoken(), Filtering()))},
            clock=lambda: self.at,
        )

    def round(self, *bad: str) -> Outcome:
        self.bad = set(bad)
        outcome = asyncio.run(self.canary.round(MODEL, self.at))
        assert outcome is not None
        self.at += HALF_HOUR
        return outcome


@contextmanager
def suspended_beta(folder: Path) -> Iterator[Operated]:
    """Four rounds, in two of which beta failed: it is suspended, and was clean once since."""
    life = Operated(folder)
    for bad in ((), ("beta",), ("beta",), ()):
        life.round(*bad)
    try:
        yield life
    finally:
        life.store.close()
