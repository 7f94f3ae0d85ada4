"""A line of the log, as JSON."""

from __future__ import annotations

from typing import Any

from serinus.core.policy import Decision
from serinus.service.logbook import Line
from serinus.service.records import decision, time


def document(line: Line) -> dict[str, Any]:
    """A decision or an act, with its number and its mark."""
    if isinstance(line.entry, Decision):
        return {"seq": line.seq, "mark": line.mark, **decision(line.entry)}
    return {
        "seq": line.seq,
        "at": time(line.at),
        "act": line.kind,
        "model": line.model,
        "route": line.route,
        "why": line.sentence,
    }
