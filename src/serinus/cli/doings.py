"""What followed from an operator's act, for people and for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from serinus.cli.acting import LINE, tell
from serinus.cli.inert import inert
from serinus.cli.records import put
from serinus.core import explain
from serinus.core.exclusions import IgnoreList
from serinus.core.listing import ignore_list
from serinus.core.policy import Exclude, Include, Lift, SetMode
from serinus.service.desk import Desk
from serinus.service.operators import Done, Room
from serinus.service.records import decision, listing


def room_lines(rooms: Sequence[Room]) -> list[str]:
    """What an act would do to capacity, one sentence a model, where it does anything."""
    return [
        explain.of_room(r.model, r.before, r.after, r.floor) for r in rooms if r.after != r.before or r.falls
    ]


def report(desk: Desk, done: Done, models: Sequence[str], *, as_json: bool) -> None:
    """Print what was written: the act, the decisions that follow, the ignore lists now."""
    for warning in done.warnings:
        tell(f"note: {explain.of_warning(warning)}")
    if as_json:
        put(_document(desk, done, models))
        return
    for seq, entry in done.entries:
        if isinstance(entry, Exclude | Include | Lift | SetMode):
            _print(f"{seq:>6}  {explain.of_act(entry)}")
    for seq, found in done.decisions:
        where = f"{found.route} of {found.model}" if found.route else found.model
        kind = found.kind.value.replace("_", " ")
        _print(f"{seq:>6}  {where}: {kind}. {explain.of_decision(found)}")
    for model in models:
        merged = _merged(desk, done, model)
        _print(f"{model}: provider.ignore is now {list(merged.ignore)}")
        for sentence in explain.of_list(merged):
            tell(sentence)


def _merged(desk: Desk, done: Done, model: str) -> IgnoreList:
    """The list as the act left it; a person may have thought it over since the desk was opened."""
    return ignore_list(done.after, model, max(desk.at, done.after.now or desk.at))


def _print(line: str) -> None:
    sys.stdout.write(f"{inert(line, LINE)}\n")


def _document(desk: Desk, done: Done, models: Sequence[str]) -> dict[str, Any]:
    acts = [
        {"seq": seq, "act": explain.of_act(e)}
        for seq, e in done.entries
        if isinstance(e, Exclude | Include | Lift | SetMode)
    ]
    return {
        "acts": acts,
        "decisions": [{"seq": seq, **decision(d)} for seq, d in done.decisions],
        "warnings": [explain.of_warning(w) for w in done.warnings],
        "lists": [listing(_merged(desk, done, model)) for model in models],
    }
