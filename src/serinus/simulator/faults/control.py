"""Controls that stop filtering."""

from __future__ import annotations

from dataclasses import replace

from serinus.simulator import answers
from serinus.simulator.draft import Draft
from serinus.simulator.faults.registry import Case, Stage, at


@at(Stage.CONTENT, kinds=("roleplay",))
def control_answers(draft: Draft, case: Case) -> Draft:
    """A control host answers the role-play instead of refusing it, so that the probe proves nothing."""
    if not case.host.control:
        return draft
    text = answers.roleplay(case.wish, case.corpus, case.chance)
    return replace(draft, text=text)
