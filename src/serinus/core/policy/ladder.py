"""The ladder of suspensions: each new one is longer while the last is remembered (rule 8, R20)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from serinus.core.evidence import Tally
from serinus.core.policy.entries import Fact
from serinus.core.policy.floor import Capacity
from serinus.core.policy.settings import Policy
from serinus.core.policy.state import Rung


def next_level(policy: Policy, latest: Rung | None, at: datetime) -> int:
    """The level of a suspension that begins at `at`.

    `forget_after` counts from the start of the latest one: with 14 days a 7-day suspension is
    forgotten after 7 further days in production.
    """
    if latest is None or at - latest.since >= policy.forget_after:
        return 1
    return latest.level + 1


def grounds(policy: Policy, ripe: Mapping[str, Tally], room: Capacity, name: str) -> dict[str, Fact]:
    """What a suspension, its renewal or the floor's refusal rests on, for the record."""
    return {
        "rule": policy.rule.name,
        "held": {contract: {"weight": t.weight, "rounds": t.rounds} for contract, t in ripe.items()},
        "left": room.left_without(name),
        "floor": policy.floor,
    }
