"""The parts of a store that have ports of their own."""

from __future__ import annotations

from typing import Protocol

from serinus.service.access import Access
from serinus.service.comparisons import Comparisons
from serinus.service.glances import Glances
from serinus.service.ledger import Ledger
from serinus.service.reports import Reports


class Parts(Protocol):
    """What a store keeps beside the log and its rounds."""

    @property
    def ledger(self) -> Ledger:
        """Which route served which request of real traffic."""
        ...

    @property
    def reports(self) -> Reports:
        """Users' reports."""
        ...

    @property
    def comparisons(self) -> Comparisons:
        """Comparisons of routes, running and ended."""
        ...

    @property
    def access(self) -> Access:
        """Operators, their tokens and sessions."""
        ...

    @property
    def glances(self) -> Glances:
        """Rounds at a glance."""
        ...
