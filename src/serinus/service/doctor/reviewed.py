"""The reviewed exclusions: whether anybody looked at them lately (R22)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from serinus.core.explain.phrases import counted
from serinus.core.policy import Exclude
from serinus.service.doctor.diagnosis import Diagnosis, fine, note
from serinus.service.reviews import HOLDS, old


def check_reviews(reviewed: Sequence[Exclude], at: datetime) -> Iterator[Diagnosis]:
    """Whether a review is so old that the host may be well again; what covers nothing is told of by name."""
    doubts = old(reviewed, at)
    for doubt in doubts:
        remedy = "look at the host again, then renew the date in exclusions.toml or take the entry out"
        yield note("reviews", doubt.found, remedy, model=doubt.entry.model)
    if reviewed and not doubts:
        found = f"{counted(len(reviewed), 'built-in exclusion')}, reviewed within {HOLDS.days} days."
        yield fine("reviews", found)
