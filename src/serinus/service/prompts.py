"""The record of each prompt over its history: one that trips healthy routes leaves the pool.

A false failure that belongs to the prompt defeats the majority vote: at an intraclass correlation
of 0.1, votes on the same prompt suspend 3,800 times as often (performance research §4.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from serinus.core.model import Word
from serinus.judging.contract import Contract
from serinus.service.answers import Answered
from serinus.service.round_report import RoundReport, RouteReport
from serinus.service.storage import Document

ROUTES: Final = 2  # so many otherwise clean routes must have tripped over it
SHARE: Final = 0.05  # and in such a share of its answers: chance errors are 1 % or less


@dataclass(frozen=True, slots=True)
class PromptRecord:
    """How often a prompt was asked of otherwise clean routes, and of which it went wrong how often."""

    asked: int = 0
    tripped: Mapping[str, int] = field(default_factory=dict)

    @property
    def suspect(self) -> bool:
        """Whether the prompt, not the routes, is the likely cause."""
        return len(self.tripped) >= ROUTES and sum(self.tripped.values()) >= SHARE * self.asked


Records = Mapping[str, PromptRecord]


def retired(records: Records) -> frozenset[str]:
    """The keys of the prompts that have left the pool."""
    return frozenset(key for key, record in records.items() if record.suspect)


def records_after(records: Records, report: RoundReport, contracts: Sequence[Contract]) -> Records:
    """The records after a round; a route that settled on any failure says nothing of its prompts."""
    known = {c.name: c for c in contracts if c.by_language}
    after = dict(records)
    for route in report.routes:
        if _clean(route):
            for answered in route.answered:
                _note(after, route.offer.route.tag, answered, known)
    return after


def _clean(route: RouteReport) -> bool:
    return all(f.verdict.word is not Word.FAIL for f in route.findings)


def _note(
    records: dict[str, PromptRecord], tag: str, answered: Answered, known: Mapping[str, Contract]
) -> None:
    words = [(known[name], v) for name, v in answered.verdicts.items() if name in known]
    own = [v.word for contract, v in words if any(r.code == v.reason for r in contract.reasons)]
    if not own:
        return  # nothing was said of the text itself
    key = answered.ask.probe.key
    record = records.get(key, PromptRecord())
    tripped = dict(record.tripped)
    if any(word in (Word.FAIL, Word.INCONCLUSIVE) for word in own):
        tripped[tag] = tripped.get(tag, 0) + 1
    records[key] = PromptRecord(record.asked + 1, tripped)


def records_document(records: Records) -> Document:
    """The records as a document."""
    return {key: {"asked": r.asked, "tripped": dict(r.tripped)} for key, r in sorted(records.items())}


def records_of(document: Document | None) -> Records:
    """The records of a document; none where there is no document."""
    return {key: PromptRecord(r["asked"], r["tripped"]) for key, r in (document or {}).items()}
