"""The policy's numbers, with the defaults of `formats.md` §2."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from serinus.core.evidence import Rule
from serinus.core.policy.events import Mode
from serinus.core.two_rounds import TwoRounds


@dataclass(frozen=True, slots=True)
class Policy:
    """What decides, apart from the evidence itself.

    `suspensions` is the ladder of lengths; `floor` counts providers; `rule` says what makes a route
    due and what restores it.
    """

    mode: Mode = Mode.OBSERVE
    suspensions: tuple[timedelta, ...] = (timedelta(days=1), timedelta(days=3), timedelta(days=7))
    forget_after: timedelta = timedelta(days=14)
    floor: int = 2
    min_gap: timedelta = timedelta(minutes=15)
    capacity_max_age: timedelta = timedelta(hours=1)
    void_majority: bool = True
    rule: Rule = field(default_factory=TwoRounds)

    def length(self, level: int) -> timedelta:
        """How long a suspension of this level lasts; the last step of the ladder repeats."""
        return self.suspensions[min(level, len(self.suspensions)) - 1]
