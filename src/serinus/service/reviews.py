"""Reviewed exclusions that need another look: old ones, and those that cover nothing any longer (R22)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from serinus.core.explain.reviews import of_gone_route, of_old_review
from serinus.core.policy import Exclude
from serinus.service.memory import Memory
from serinus.service.names import Names, names_of
from serinus.service.notices import review_stale
from serinus.service.ports import Clock
from serinus.service.storage import Notice

HOLDS: Final = timedelta(days=180)  # hosts change engines and weights within months


class Doubt(NamedTuple):
    """Why an entry needs another look, as a sentence; `gone` if it covers nothing that is listed."""

    entry: Exclude
    gone: bool
    found: str


def old(entries: Iterable[Exclude], at: datetime) -> list[Doubt]:
    """The entries whose review is older than `HOLDS`; each is dated with its review."""
    return [Doubt(e, gone=False, found=of_old_review(e, at)) for e in entries if at - e.at > HOLDS]


def gone(entries: Iterable[Exclude], known: Iterable[Names]) -> list[Doubt]:
    """The entries that cover no route that is listed now, where anything was ever listed."""
    among = [names for names in known if names.live]
    doubts = []
    for entry in entries:
        of_it = [names for names in among if entry.model in (None, names.model)]
        covered = {tag for names in of_it for tag in names.covered(entry.route)}
        if of_it and covered.isdisjoint(tag for names in of_it for tag in names.live):
            doubts.append(Doubt(entry, gone=True, found=of_gone_route(entry, covered)))
    return doubts


def notice_of(doubt: Doubt, at: datetime) -> Notice:
    """The notice of it."""
    return review_stale(doubt.entry, "gone" if doubt.gone else "old", doubt.found, at)


@dataclass(slots=True)
class Reviewer:
    """Looks once a day whether reviewed exclusions need another look, and tells operators once of each."""

    memory: Memory
    clock: Clock
    entries: Sequence[Exclude]
    models: Sequence[str]
    _looked: date | None = field(default=None, init=False)

    def look(self) -> None:
        """Write notices of what is news to the outbox.

        Raises:
            StoreError: the store cannot be used.
            LogMovedError: the log moved again and again.
        """
        at = self.clock()
        if self._looked == at.date() or not self.entries:
            return
        store, state = self.memory.store, self.memory.catch_up()
        known = [names_of(store, state, model) for model in self.models]
        told = [notice_of(doubt, at) for doubt in (*old(self.entries, at), *gone(self.entries, known))]
        news = [notice for notice in told if not store.open_notice(notice.key)]
        if news:
            self.memory.tell(news)
        self._looked = at.date()
