"""The rule of evidence: what is held against a route, when that is enough, and when it is made good.

Ladder, floor, lanes, expiry and lift (`core/policy/`) ask a rule these questions and know nothing
else of it. `two_rounds` (`core/two_rounds.py`) is the rule of `formats.md` §2; a rule that pools
answers over rounds (R31) is one more file with one more class.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final, Protocol

from serinus.core.model import Word


@dataclass(frozen=True, slots=True)
class Reading:
    """What one contract's answers in one counted round say, after the brakes were applied.

    `word` is the settled verdict; `good` and `bad` are how many single answers passed and failed
    (a rule that pools answers reads these; one settled verdict is one answer).
    """

    word: Word
    good: int = 0
    bad: int = 0


READINGS: Final[Mapping[Word, Reading]] = MappingProxyType(
    {word: Reading(word, good=word is Word.PASS, bad=word is Word.FAIL) for word in Word}
)


@dataclass(frozen=True, slots=True)
class Tally:
    """What a rule remembers of one contract on one route, or of a suspension's recovery.

    `weight` is the rule's own measure (rounds in a row; points), `rounds` how many rounds added to
    it, `last` the instant of the latest of them. Nothing remembered is None, never a tally of 0.
    """

    weight: int
    rounds: int
    last: datetime


class Rule(Protocol):
    """What the policy asks of a rule of evidence. Rules are frozen values; every method is pure."""

    @property
    def name(self) -> str:
        """The rule's name in records and sentences."""
        ...

    def carried(self, held: Tally | None, at: datetime) -> Tally | None:
        """What still stands of a tally when a round begins at `at` (`formats.md` §2 rule 3)."""
        ...

    def weighed(self, held: Tally | None, reading: Reading, at: datetime) -> Tally | None:
        """The tally after one more reading; a reading that does not count changes nothing."""
        ...

    def ripe(self, held: Tally) -> bool:
        """Whether so much is held against the route that it may be suspended (rule 6)."""
        ...

    def fresh(self, held: Tally, at: datetime) -> bool:
        """Whether a ripe tally still speaks at `at`, when a suspension runs out (rule 9)."""
        ...

    def cleaner(
        self, clean: Tally | None, readings: Mapping[str, Reading], rests_on: AbstractSet[str], at: datetime
    ) -> Tally | None:
        """The recovery of a suspension after a round begun since it did (rule 8).

        `readings` are those of the suspension's lane that were asked, `rests_on` the contracts it
        rests on.
        """
        ...

    def recovered(self, clean: Tally | None) -> bool:
        """Whether a suspension's recovery is complete."""
        ...

    def probation(self, held: Tally) -> Tally | None:
        """What stays held against a route on a contract after it recovered."""
        ...
