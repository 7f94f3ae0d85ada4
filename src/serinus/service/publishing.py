"""What applications are told to leave out: the merged lists of every model at one instant (R23, R33)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from serinus.core.listing import ignore_list, named_models
from serinus.core.policy import State
from serinus.core.published import OTHERS, Published


def published(state: State, at: datetime, models: Iterable[str] = ()) -> Published:
    """The lists of these models and of all that the state knows, and the list of all others."""
    names = sorted({*models, *named_models(state)})
    return Published(
        at, {name: ignore_list(state, name, at) for name in names}, ignore_list(state, OTHERS, at)
    )
