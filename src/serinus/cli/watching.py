"""Progress of a round on standard error, where a person is looking."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.status import Status

from serinus.cli.inert import inert
from serinus.cli.paper import console
from serinus.service.answers import Answered


class Watching:
    """Shows how many answers came in; `quiet` shows nothing.

    `console` is standard output, for tables; `progress` is standard error.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.console = console()
        self.progress = console(stderr=True)
        self._quiet = quiet or not self.progress.is_terminal
        self._status: Status | None = None
        self._count = 0
        self._model = ""

    @contextmanager
    def round(self, model: str) -> Iterator[None]:
        """While a round of this model runs."""
        self._count, self._model = 0, inert(model)
        if self._quiet:
            yield
            return
        with self.progress.status(f"{self._model}: asking …") as self._status:
            yield
        self._status = None

    def answered(self, answered: Answered) -> None:
        """One more answer came in."""
        self._count += 1
        if self._status is not None:
            tag = inert(answered.ask.offer.route.tag)
            self._status.update(f"{self._model}: {self._count} answers, last {tag}")
