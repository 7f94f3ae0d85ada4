"""What would change where a route stands, asked of the rule of evidence itself (R24).

A rule is asked by trying: so many failing or clean rounds more, until it says that they suffice.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from serinus.core.evidence import READINGS, Rule, Tally
from serinus.core.model import Word
from serinus.core.policy.state import Suspension
from serinus.core.two_rounds import TwoRounds

MOST: Final = 1000  # rounds that are tried: as many as any setting allows


def failures_left(rule: Rule, held: Tally | None, at: datetime) -> int | None:
    """How many more failing rounds make the tally ripe; 0 if it is, None if no number does."""
    left = 0
    while held is None or not rule.ripe(held):
        if left == MOST:
            return None
        held = rule.weighed(held, READINGS[Word.FAIL], at)
        left += 1
    return left


def cleans_left(rule: Rule, suspension: Suspension, at: datetime) -> int | None:
    """How many completely clean rounds from `at` on restore a suspended route; None if no number does."""
    contracts = frozenset(suspension.contracts)
    readings = dict.fromkeys(contracts, READINGS[Word.PASS])
    clean, left = suspension.clean, 0
    while not rule.recovered(clean):
        if left == MOST:
            return None
        clean = rule.cleaner(clean, readings, contracts, at)
        left += 1
    return left


def fresh_until(rule: Rule, held: Tally) -> datetime | None:
    """Until when a further failure still adds to the tally; None where age does not matter to the rule."""
    return held.last + rule.streak_max_age if isinstance(rule, TwoRounds) else None
