"""One round as it went: what each route was asked, what came back, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from serinus.core.model import Control, Finding, Listing, Offer, Round, Turn, Verdict, Word
from serinus.service.answers import Answered
from serinus.service.fingerprint import Shift, shifts
from serinus.service.paid import billed, paid


@dataclass(frozen=True, slots=True)
class RouteReport:
    """What one route was asked in a round, what came back, and each contract's finding."""

    offer: Offer
    turn: Turn
    answered: tuple[Answered, ...]
    findings: tuple[Finding, ...]

    @property
    def seconds(self) -> float:
        """How long its longest request took."""
        return max((a.transcript.ended or 0.0 for a in self.answered), default=0.0)


@dataclass(frozen=True, slots=True)
class RoundReport:
    """One round as it went; `record` is what the policy sees of it."""

    name: str
    at: datetime
    model: str
    listing: Listing
    routes: tuple[RouteReport, ...] = ()
    controls: Mapping[str, Control] = field(default_factory=dict)
    unscored: frozenset[str] = frozenset()

    @property
    def record(self) -> Round:
        """The round as a value for the policy: settled words of the contracts that are scored."""
        return Round(
            at=self.at,
            model=self.model,
            live=frozenset(r.offer.route.tag for r in self.routes),
            results={r.offer.route.tag: self._words(r) for r in self.routes},
            controls=self.controls,
            providers={r.offer.route.tag: r.offer.provider for r in self.routes},
        )

    def _words(self, report: RouteReport) -> dict[str, Word]:
        control = report.offer.route.tag in self.controls
        return {
            f.contract: f.verdict.word
            for f in report.findings
            if f.contract not in self.unscored and not (control and f.contract == "filtering")
        }

    @property
    def cost(self) -> float:
        """US dollars for this round's answers: as the gateway reported, else by the listing's prices."""
        return sum(paid(r.offer, a.transcript.answer.usage) or 0.0 for r in self.routes for a in r.answered)

    @property
    def tokens(self) -> int:
        """Tokens that the gateway reported for this round's answers."""
        return sum(billed(a.transcript.answer.usage) for r in self.routes for a in r.answered)

    @property
    def shifts(self) -> tuple[Shift, ...]:
        """Routes whose count of the same prompt stands apart."""
        return shifts([a for r in self.routes for a in r.answered])

    @property
    def voids(self) -> tuple[tuple[str, Verdict], ...]:
        """Answers that were not the route's own, as (tag, verdict): an operator is told (R3)."""
        return tuple(
            (r.offer.route.tag, next(v for v in a.verdicts.values() if v.word is Word.VOID))
            for r in self.routes
            for a in r.answered
            if any(v.word is Word.VOID for v in a.verdicts.values())
        )
