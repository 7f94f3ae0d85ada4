"""Two lanes: what is enforced, and its rehearsal that never reaches routing (rule 5)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from serinus.core.policy.events import Mode, SetMode


class Lane(StrEnum):
    """Where a contract's suspensions live: `REAL` reaches routing, `SHADOW` never does."""

    REAL = "real"
    SHADOW = "shadow"


LANES: Final = (Lane.REAL, Lane.SHADOW)  # the order in which equal things are said
LANE_OF: Final = {Mode.ENFORCE: Lane.REAL, Mode.OBSERVE: Lane.SHADOW}


def lane_of(default: Mode, settings: Iterable[SetMode], model: str, contract: str) -> Lane:
    """The lane of a contract of a model: the latest setting whose scope holds both decides.

    `settings` are in the order they were made. A later one replaces earlier ones inside its scope,
    so the last that fits is the one that stands, however narrow an earlier one was.
    """
    mode = default
    for setting in settings:
        if setting.model in (None, model) and setting.contract in (None, contract):
            mode = setting.mode
    return LANE_OF[mode]


def replaced_by(new: SetMode, old: SetMode) -> bool:
    """Whether an earlier setting lies wholly inside the scope of a later one."""
    return new.model in (None, old.model) and new.contract in (None, old.contract)
