"""A probe that an operator asked for, as evidence to look at: nothing of it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from serinus.core.model import Offer, Turn
from serinus.judging.contract import Contract
from serinus.judging.votes import MORE_VOTES
from serinus.service.comparing.price import Estimate, estimate
from serinus.service.documents import transcript_document
from serinus.service.evidence import Evidence, pieces, reply_of
from serinus.service.explaining import QUIET
from serinus.service.planning import asks
from serinus.service.round_report import RouteReport
from serinus.service.storage import FindingRow, TranscriptRow

NAME: Final = "probe"  # it is no round
_HEALTHY: Final = frozenset(word.value for word in QUIET)


def price(offer: Offer, contracts: Sequence[Contract], language: str) -> tuple[Estimate, float]:
    """What it takes to ask a route this once, and US dollars if everything fails and is asked again (R13)."""
    names = frozenset(c.name for c in contracts)
    turn = Turn(NAME, 0, offer.route.tag, language, claims=offer.claims, owed=names)
    found = estimate(asks(offer, turn, contracts))
    return found, found.most * (1 + MORE_VOTES)


def evidence_of(report: RouteReport, at: datetime) -> Evidence:
    """What was found, and every answer with what it rests on marked."""
    found = [_finding(report, n, at) for n in range(len(report.findings))]
    told = [f for f in found if f.word not in _HEALTHY]
    spans = [piece for f in told for piece in pieces(f.evidence)]
    replies = [reply_of(_transcript(report, n, at), spans) for n in range(len(report.answered))]
    replies.sort(key=lambda r: (not any(p.spans for p in r.parts), not r.row.anomaly))
    return Evidence(NAME, at, told, [f for f in found if f.word in _HEALTHY], replies)


def _finding(report: RouteReport, n: int, at: datetime) -> FindingRow:
    route, found = report.offer.route, report.findings[n]
    verdict = found.verdict
    return FindingRow(
        round=NAME,
        at=at,
        model=route.model,
        tag=route.tag,
        contract=found.contract,
        word=verdict.word.value,
        reason=verdict.reason,
        detail=verdict.detail,
        evidence=verdict.evidence,
        language=report.turn.language,
    )


def _transcript(report: RouteReport, n: int, at: datetime) -> TranscriptRow:
    route, answered = report.offer.route, report.answered[n]
    return TranscriptRow(
        round=NAME,
        at=at,
        model=route.model,
        tag=route.tag,
        probe=answered.ask.probe.key,
        attempt=answered.ask.attempt,
        anomaly=any(v.word not in QUIET for v in answered.verdicts.values()),
        document=transcript_document(answered.transcript),
    )
