"""What a round asks of one route: each contract's probes, merged so that equal ones are asked once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from serinus.core.model import Limits, Offer, Probe, Turn
from serinus.judging.contract import Contract


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """What the operator wants of one model: languages in their rotation, contracts, controls, limits.

    `lean` asks in every second round only, and always what is owed: less often, never shorter.
    """

    model: str
    languages: tuple[str, ...]
    contracts: tuple[Contract, ...]
    controls: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)
    lean: bool = False

    def asked(self, index: int, owed: frozenset[str]) -> tuple[int, tuple[Contract, ...]]:
        """The index that turns rotate by in this round of the model, and the contracts that ask."""
        if not self.lean:
            return index, self.contracts
        contracts = tuple(c for c in self.contracts if c.name in owed) if index % 2 else self.contracts
        return index // 2, contracts


@dataclass(frozen=True, slots=True)
class Ask:
    """One probe for one route; `session` is unique to this request and derives from the round's name."""

    offer: Offer
    probe: Probe
    attempt: int
    session: str


def round_name(model: str, at: datetime) -> str:
    """The round's name by its planned instant: `model@2026-11-30T02:30Z`, seconds only where needed."""
    utc = at.astimezone(UTC)
    moment = utc.strftime("%Y-%m-%dT%H:%M:%SZ" if utc.second else "%Y-%m-%dT%H:%MZ")
    return f"{model}@{moment}"


def language_of(index: int, languages: Sequence[str], owed: Sequence[str] = ()) -> str:
    """The language a route is asked in: one it owes an answer in, else the round's (R10, R14)."""
    return owed[0] if owed else languages[index % len(languages)]


def asks(offer: Offer, turn: Turn, contracts: Sequence[Contract]) -> tuple[Ask, ...]:
    """The requests of these contracts for one route's turn, equal probes once."""
    probes: dict[str, Probe] = {}
    for contract in contracts:
        for probe in contract.probes(turn):
            probes.setdefault(probe.key, probe)
    return tuple(Ask(offer, probe, turn.attempt, _session(turn, probe)) for probe in probes.values())


def _session(turn: Turn, probe: Probe) -> str:
    name = f"{turn.round}/{turn.tag}/{probe.key}/{turn.attempt}"
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
