"""A comparison as it went: counts by route and prompt, some answers to show, and what follows."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from serinus.core.comparison.conclusion import Conclusion, conclude
from serinus.core.comparison.counts import RouteCounts
from serinus.service.comparisons import ComparisonState


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, as it is kept: of an operator's prompts only their count and digest.

    `answers` were wanted of each suspect and `peer_answers` of each other route. `wanted` counts requests.
    """

    name: str
    seed: str
    model: str
    contract: str
    promise: str
    by: str
    at: datetime
    answers: int
    peer_answers: int
    suspects: tuple[str, ...]
    languages: tuple[str, ...]
    wanted: int
    left_out: Mapping[str, str] = field(default_factory=dict)
    prompts: int | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer to show. `by_hand` is the request without a key, and `text` what came, cut to a length.

    Both are None, and `detail` is empty, where the prompt was an operator's. `generation` is the
    gateway's id of the answer; `first_text` is in seconds.
    """

    tag: str
    prompt: str
    word: str
    reason: str
    at: datetime
    detail: str = ""
    language: str | None = None
    generation: str | None = None
    provider: str | None = None
    first_text: float | None = None
    by_hand: Mapping[str, Any] | None = None
    text: str | None = None


@dataclass(frozen=True)
class Comparison:
    """A comparison, running or ended. `why` says why it ended early; `done` counts requests made."""

    asked: Asked
    state: ComparisonState
    routes: tuple[RouteCounts, ...]
    done: int = 0
    cost: float = 0.0
    tokens: int = 0
    ended: datetime | None = None
    why: str | None = None
    samples: tuple[Sample, ...] = ()

    @cached_property
    def conclusion(self) -> Conclusion:
        """What follows from the counts; the same each time, for chance comes from the seed."""
        chance = random.Random(f"bootstrap of {self.asked.seed}")  # noqa: S311  a resampling, no secret
        return conclude(self.routes, chance.randrange)
