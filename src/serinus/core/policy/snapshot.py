"""A state as JSON and back: what is kept so that not every command has to fold the whole log.

A snapshot is no record. The log is; whoever cannot read a snapshot folds the log. So only the release
that wrote one reads it, and its shape needs no version of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from serinus.core.exclusions import Exclusion, Layer
from serinus.core.policy import journal
from serinus.core.policy.forms import (
    NAMES,
    TAGS,
    TALLY,
    TIME,
    Form,
    each,
    in_order,
    optional,
    record,
    word_of,
)
from serinus.core.policy.state import LaneState, ModelState, RouteState, Rung, State, Suspension


class SnapshotError(ValueError):
    """The document is no state that this release wrote; the message says what was found."""


RUNG: Final = record(Rung, {"since": TIME})
SUSPENSION: Final = record(
    Suspension,
    {
        "since": TIME,
        "until": TIME,
        "contracts": NAMES,
        "before": optional(RUNG),
        "clean": optional(TALLY),
    },
)
LANE: Final = record(LaneState, {"suspension": optional(SUSPENSION), "latest": optional(RUNG)})
ROUTE: Final = record(
    RouteState,
    {
        "tallies": in_order(TALLY),
        "real": LANE,
        "shadow": LANE,
        "lifted": optional(TIME),
        "grace": optional(TIME),
    },
)
MODEL: Final = record(
    ModelState,
    {
        "latest": optional(TIME),
        "live": TAGS,
        "answered": in_order(TIME),
        "routes": in_order(ROUTE),
        "ending": optional(TIME),
    },
)
EXCLUSION: Final = record(
    Exclusion,
    {
        "layer": word_of(Layer),
        "since": TIME,
        "until": optional(TIME),
        "contracts": optional(NAMES),
    },
)
EXCLUSIONS: Final = Form(
    lambda value: [EXCLUSION.write(e) for e in value.values()],
    lambda value: {(e.layer, e.name, e.model): e for e in map(EXCLUSION.read, value)},
)
STATE: Final = record(
    State,
    {
        "now": optional(TIME),
        "models": in_order(MODEL),
        "exclusions": EXCLUSIONS,
        "modes": each(Form(journal.to_json, journal.from_json)),
    },
)


def to_json(state: State) -> dict[str, Any]:
    """A state as a JSON object."""
    written: dict[str, Any] = STATE.write(state)
    return written


def from_json(written: Mapping[str, Any]) -> State:
    """The state that a JSON object holds.

    Raises:
        SnapshotError: it holds none.
    """
    try:
        state: State = STATE.read(written)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"the state cannot be read: {type(error).__name__}: {error}"
        raise SnapshotError(message) from error
    return state
