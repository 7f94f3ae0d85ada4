"""A probe that an operator asked for, as evidence to look at: nothing of it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from serinus.core.model import Offer, Turn
from serinus.judging.contract import Contract
from serinus.judging.votes import MORE_VOTES
from serinus.service.comparing.price import Estimate, estimate
from serinus.service.evidence import Evidence, evidence_of
from serinus.service.kept import findings_of, transcript_of
from serinus.service.planning import asks
from serinus.service.round_report import RouteReport

NAME: Final = "probe"  # it is no round


def price(offer: Offer, contracts: Sequence[Contract], language: str) -> tuple[Estimate, float]:
    """What it takes to ask a route this once, and US dollars if everything fails and is asked again (R13)."""
    names = frozenset(c.name for c in contracts)
    turn = Turn(NAME, 0, offer.route.tag, language, claims=offer.claims, owed=names)
    found = estimate(asks(offer, turn, contracts))
    return found, found.most * (1 + MORE_VOTES)


def as_evidence(report: RouteReport, at: datetime) -> Evidence:
    """What was found, and every answer with what it rests on marked."""
    kept = [transcript_of(report, answered, NAME, at) for answered in report.answered]
    return evidence_of(NAME, at, findings_of(report, NAME, at), kept)
