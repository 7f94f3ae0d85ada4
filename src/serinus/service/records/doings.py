"""What an operator's act does to capacity and what followed from it, for terminal, API and pages alike."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from serinus.core import explain
from serinus.core.exclusions import IgnoreList
from serinus.core.listing import ignore_list
from serinus.core.policy import Exclude, Include, Lift, SetMode
from serinus.service.operators import Done, Room
from serinus.service.records import decision, listing


def merged_after(done: Done, model: str, at: datetime) -> IgnoreList:
    """The list as the act left it; a person may have thought it over since `at`."""
    return ignore_list(done.after, model, max(at, done.after.now or at))


def document(done: Done, models: Sequence[str], at: datetime) -> dict[str, Any]:
    """The acts, the decisions that follow, and the lists of these models now."""
    acts = [
        {"seq": seq, "act": explain.of_act(e)}
        for seq, e in done.entries
        if isinstance(e, Exclude | Include | Lift | SetMode)
    ]
    return {
        "acts": acts,
        "decisions": [{"seq": seq, **decision(d)} for seq, d in done.decisions],
        "warnings": [explain.of_warning(w) for w in done.warnings],
        "lists": [listing(merged_after(done, model, at)) for model in models],
    }


def room_lines(rooms: Sequence[Room]) -> list[str]:
    """What an act would do to capacity, a sentence a model, where it does anything."""
    return [_told(r) for r in rooms if r.after != r.before or r.falls]


def room_document(room: Room) -> dict[str, Any]:
    """What an act does to a model's capacity."""
    return {
        "model": room.model,
        "before": room.before,
        "after": room.after,
        "floor": room.floor,
        "falls": room.falls,
        "what": _told(room),
    }


def _told(room: Room) -> str:
    return explain.of_room(room.model, room.before, room.after, room.floor)
