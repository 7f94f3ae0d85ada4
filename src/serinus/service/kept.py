"""What is kept of a round beside the log: each finding, each anomaly, a small sample of health."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Final

from serinus.core.model import Word
from serinus.judging.visible import first_output_at
from serinus.service.answers import Answered
from serinus.service.documents import transcript_document
from serinus.service.round_report import RoundReport, RouteReport
from serinus.service.storage import FindingRow, TranscriptRow

SAMPLE: Final = 50  # one healthy transcript of so many is kept, to show what healthy looks like


def findings(report: RoundReport) -> list[FindingRow]:
    """Every finding of the round."""
    return [row for route in report.routes for row in findings_of(route, report.name, report.at)]


def transcripts(report: RoundReport) -> list[TranscriptRow]:
    """The transcripts to keep: every anomaly, and one healthy answer of `SAMPLE`."""
    return [
        transcript_of(route, answered, report.name, report.at)
        for route in report.routes
        for answered in route.answered
        if _anomalous(answered) or _sampled(answered.ask.session)
    ]


def findings_of(route: RouteReport, name: str, at: datetime) -> list[FindingRow]:
    """Every finding on one route, as that of the round of this name."""
    first_text = min(
        (first for a in route.answered if (first := first_output_at(a.transcript.answer)) is not None),
        default=None,
    )
    return [
        FindingRow(
            round=name,
            at=at,
            model=route.offer.route.model,
            tag=route.offer.route.tag,
            contract=f.contract,
            word=f.verdict.word.value,
            reason=f.verdict.reason,
            detail=f.verdict.detail,
            evidence=f.verdict.evidence,
            language=route.turn.language,
            first_text=first_text if f.contract == "first_token" else None,
        )
        for f in route.findings
    ]


def transcript_of(route: RouteReport, answered: Answered, name: str, at: datetime) -> TranscriptRow:
    """One answer of a route, as that of the round of this name."""
    return TranscriptRow(
        round=name,
        at=at,
        model=route.offer.route.model,
        tag=route.offer.route.tag,
        probe=answered.ask.probe.key,
        attempt=answered.ask.attempt,
        anomaly=_anomalous(answered),
        document=transcript_document(answered.transcript),
    )


def _anomalous(answered: Answered) -> bool:
    healthy = {Word.PASS, Word.NOT_APPLICABLE}
    return any(v.word not in healthy for v in answered.verdicts.values())


def _sampled(session: str) -> bool:
    return int(hashlib.sha256(session.encode()).hexdigest(), 16) % SAMPLE == 0
