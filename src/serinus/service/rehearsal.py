"""The policy for rounds held faster than in earnest: every duration shrinks alike."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from serinus.core.policy import Mode, Policy
from serinus.core.two_rounds import TwoRounds

EARNEST: Final = timedelta(minutes=30)  # the interval the default durations are meant for


def scaled(policy: Policy, interval: timedelta, *, mode: Mode) -> Policy:
    """The policy as if `interval` were the usual half hour: at 10 s a day's suspension lasts 8 minutes."""
    factor = interval / EARNEST
    rule = policy.rule
    if isinstance(rule, TwoRounds):
        rule = replace(rule, streak_max_age=rule.streak_max_age * factor)
    return replace(
        policy,
        mode=mode,
        rule=rule,
        suspensions=tuple(length * factor for length in policy.suspensions),
        forget_after=policy.forget_after * factor,
        min_gap=policy.min_gap * factor,
        capacity_max_age=policy.capacity_max_age * factor,
    )
