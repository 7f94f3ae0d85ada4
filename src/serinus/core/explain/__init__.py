"""A decision, a verdict or a standing as one sentence: the only place where such sentences are written.

Sentences for people; programs read the fields. Each says what happened, what it rests on and, where
one follows, what happens next.
"""

from __future__ import annotations

from serinus.core.explain.acts import of_act
from serinus.core.explain.decisions import of_decision, of_warning
from serinus.core.explain.lists import of_exclusion, of_list, of_suspension
from serinus.core.explain.observing import of_advice, of_chance, of_share, of_sign
from serinus.core.explain.overview import (
    of_cause,
    of_headline,
    of_left,
    of_nothing_yet,
    of_past,
    of_peace,
    of_span,
    of_words,
    rounded,
)
from serinus.core.explain.phrases import counted, lasting, listed, moment
from serinus.core.explain.reports import (
    of_finding,
    of_held,
    of_in_production,
    of_never_seen,
    of_no_source,
    of_other_time,
    of_served_while_out,
    of_shared_name,
    of_source,
    of_told_time,
    of_unnamed,
)
from serinus.core.explain.standing import (
    of_absence,
    of_age,
    of_clean_slate,
    of_confinement,
    of_control,
    of_debt,
    of_fail_open,
    of_grace,
    of_hold,
    of_money,
    of_production,
    of_recovery,
    of_room,
    of_routes_out,
    of_rung,
    of_shortage,
    of_step,
    of_streak,
)
from serinus.core.explain.verdicts import of_verdict

__all__ = [
    "counted",
    "lasting",
    "listed",
    "moment",
    "of_absence",
    "of_act",
    "of_advice",
    "of_age",
    "of_cause",
    "of_chance",
    "of_clean_slate",
    "of_confinement",
    "of_control",
    "of_debt",
    "of_decision",
    "of_exclusion",
    "of_fail_open",
    "of_finding",
    "of_grace",
    "of_headline",
    "of_held",
    "of_hold",
    "of_in_production",
    "of_left",
    "of_list",
    "of_money",
    "of_never_seen",
    "of_no_source",
    "of_nothing_yet",
    "of_other_time",
    "of_past",
    "of_peace",
    "of_production",
    "of_recovery",
    "of_room",
    "of_routes_out",
    "of_rung",
    "of_served_while_out",
    "of_share",
    "of_shared_name",
    "of_shortage",
    "of_sign",
    "of_source",
    "of_span",
    "of_step",
    "of_streak",
    "of_suspension",
    "of_told_time",
    "of_unnamed",
    "of_verdict",
    "of_warning",
    "of_words",
    "rounded",
]
