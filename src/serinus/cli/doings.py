"""What followed from an operator's act, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence

from serinus.cli.acting import say, tell
from serinus.cli.records import put
from serinus.core import explain
from serinus.core.policy import Exclude, Include, Lift, SetMode
from serinus.service.desk import Desk
from serinus.service.operators import Done
from serinus.service.records.doings import document, merged_after


def report(desk: Desk, done: Done, models: Sequence[str], *, as_json: bool) -> None:
    """Print what was written: the act, the decisions that follow, the ignore lists now."""
    for warning in done.warnings:
        tell(f"note: {explain.of_warning(warning)}")
    if as_json:
        put(document(done, models, desk.at))
        return
    for seq, entry in done.entries:
        if isinstance(entry, Exclude | Include | Lift | SetMode):
            say(f"{seq:>6}  {explain.of_act(entry)}")
    for seq, found in done.decisions:
        where = f"{found.route} of {found.model}" if found.route else found.model
        kind = found.kind.value.replace("_", " ")
        say(f"{seq:>6}  {where}: {kind}. {explain.of_decision(found)}")
    for model in models:
        merged = merged_after(done, model, desk.at)
        say(f"{model}: provider.ignore is now {list(merged.ignore)}")
        for sentence in explain.of_list(merged):
            tell(sentence)
