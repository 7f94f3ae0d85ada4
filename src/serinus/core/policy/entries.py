"""What is recorded: facts that were taken in, and decisions with what they rest on.

An entry carries all that `evolve` needs, so that state can be folded from the log alone, whatever
the policy says by then. The operators' acts of `events.py` and ticks are entries as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from serinus.core.evidence import Tally
from serinus.core.model import Word
from serinus.core.policy.events import Exclude, Include, Lift, SetMode, Tick
from serinus.core.policy.lanes import Lane

Fact = str | int | float | bool | None | list["Fact"] | dict[str, "Fact"]


class Kind(StrEnum):
    """What can be decided (`formats.md` §2 rule 11)."""

    SUSPENDED = "suspended"
    HELD_AT_FLOOR = "held_at_floor"
    RESTORED = "restored"
    EXPIRED = "expired"
    RENEWED = "renewed"
    LIFTED = "lifted"
    PROBE_WEAK = "probe_weak"
    ROUND_VOID = "round_void"
    BELOW_FLOOR = "below_floor"


@dataclass(frozen=True, slots=True)
class Counted:
    """A round that counts, as it was read (rules 1 to 4).

    `readings` holds what was asked, after controls, lifts in flight and suspicion of the probe.
    `tallies` and `clean` hold what changed in this round: a contract's tally on a route, and a
    suspension's recovery; None where nothing is left.
    """

    at: datetime
    model: str
    live: frozenset[str]
    providers: Mapping[str, str]
    readings: Mapping[str, Mapping[str, Word]]
    tallies: Mapping[str, Mapping[str, Tally | None]] = field(default_factory=dict)
    clean: Mapping[str, Mapping[Lane, Tally | None]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Decision:
    """One automatic decision, with its evidence (R24).

    `route`, `lane`, `level` and `until` are None where the decision has none. `facts` are the small
    numbers its sentence needs. `tallies` are the contracts' tallies that it changes on its route.
    """

    at: datetime
    model: str
    kind: Kind
    route: str | None = None
    lane: Lane | None = None
    contracts: tuple[str, ...] | None = None
    level: int | None = None
    until: datetime | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)
    tallies: Mapping[str, Tally | None] = field(default_factory=dict)

    @property
    def enforced(self) -> bool | None:
        """Whether it reaches routing; None where it concerns no lane."""
        return None if self.lane is None else self.lane is Lane.REAL


@dataclass(frozen=True, slots=True)
class Moved:
    """A contract changed lanes on a model: its tallies start anew on every route (rule 5)."""

    at: datetime
    model: str
    contract: str
    lane: Lane


@dataclass(frozen=True, slots=True)
class Eased:
    """A lane has no ripe contract left on a route: the floor's next refusal is said anew (rule 7)."""

    at: datetime
    model: str
    route: str
    lane: Lane


@dataclass(frozen=True, slots=True)
class Regained:
    """Capacity is no longer below the floor while a suspension is in force (rule 12)."""

    at: datetime
    model: str


@dataclass(frozen=True, slots=True)
class Warned:
    """Something came that changes less than it seems to; `code` says what, `facts` the details."""

    at: datetime
    code: str
    model: str | None = None
    route: str | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)


Entry = Counted | Decision | Exclude | Include | Lift | SetMode | Tick | Moved | Eased | Regained | Warned
