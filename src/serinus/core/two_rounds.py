"""Two failing rounds suspend, two clean rounds restore: the rule that was asked for (R16, R19)."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from serinus.core.evidence import Reading, Tally
from serinus.core.model import Word


@dataclass(frozen=True, slots=True)
class TwoRounds:
    """Consecutive failing rounds of one contract (`formats.md` §2 rules 3, 6, 8 and 9).

    A tally's weight is the streak. Why the same contract and not any: at 1 % false failures an
    answer, four contracts that may take turns suspend a healthy route 26 times a year instead of
    6.9 (performance research §4.2).
    """

    consecutive_failures: int = 2
    consecutive_clean: int = 2
    streak_max_age: timedelta = timedelta(hours=6)

    name: ClassVar[str] = "two_rounds"

    def carried(self, held: Tally | None, at: datetime) -> Tally | None:
        """The streak, unless its latest failure is more than `streak_max_age` before `at`."""
        return held if held is not None and self.fresh(held, at) else None

    def weighed(self, held: Tally | None, reading: Reading, at: datetime) -> Tally | None:
        """A failure adds one, a pass ends the streak, anything else leaves it."""
        if reading.word is Word.FAIL:
            streak = held.weight + 1 if held else 1
            return Tally(streak, streak, at)
        return None if reading.word is Word.PASS else held

    def ripe(self, held: Tally) -> bool:
        """Whether the streak is long enough."""
        return held.weight >= self.consecutive_failures

    def fresh(self, held: Tally, at: datetime) -> bool:
        """Whether the latest failure is at most `streak_max_age` before `at`."""
        return at - held.last <= self.streak_max_age

    def cleaner(
        self, clean: Tally | None, readings: Mapping[str, Reading], rests_on: AbstractSet[str], at: datetime
    ) -> Tally | None:
        """A failure starts over, a clean round adds one, anything else leaves the count.

        Clean: something was asked, all of it passed, and what the suspension rests on was among it.
        Clean rounds more than `streak_max_age` apart do not add up.
        """
        words = {reading.word for reading in readings.values()}
        if Word.FAIL in words:
            return None
        if words != {Word.PASS} or not rests_on <= readings.keys():
            return clean
        rounds = clean.rounds + 1 if clean and self.fresh(clean, at) else 1
        return Tally(rounds, rounds, at)

    def recovered(self, clean: Tally | None) -> bool:
        """Whether the clean rounds suffice."""
        return clean is not None and clean.weight >= self.consecutive_clean

    def probation(self, held: Tally) -> Tally | None:
        """Nothing: a restored route starts with streak 0."""
        del held
        return None
