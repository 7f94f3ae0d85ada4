"""Decisions and acts as pages tell them: what, when, of whom, why, and what somebody thought of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from serinus.core import explain
from serinus.core.policy import Decision
from serinus.service.explaining import Past
from serinus.service.logbook import Line


@dataclass(frozen=True, slots=True)
class Told:
    """One line. `enforced` is None where it concerns no lane; only decisions may be marked."""

    seq: int
    at: datetime
    kind: str
    model: str | None
    route: str | None
    sentence: str
    enforced: bool | None
    markable: bool
    mark: bool | None

    @property
    def said(self) -> str:
        """Its kind in words."""
        words = self.kind.replace("_", " ")
        return f"would be {words}" if self.enforced is False else words


def past_of(past: Past) -> Told:
    """A decision on a route, or a lift of it."""
    entry = past.entry
    if isinstance(entry, Decision):
        kind, said, enforced = entry.kind.value, explain.of_decision(entry), entry.enforced
    else:
        kind, said, enforced = "lift", explain.of_act(entry), None
    markable = isinstance(entry, Decision)
    return Told(past.seq, entry.at, kind, entry.model, entry.route, said, enforced, markable, past.mark)


def told(line: Line) -> Told:
    """A line of the log."""
    decision = line.entry if isinstance(line.entry, Decision) else None
    enforced = decision.enforced if decision else None
    return Told(
        line.seq,
        line.at,
        line.kind,
        line.model,
        line.route,
        line.sentence,
        enforced,
        decision is not None,
        line.mark,
    )
