"""What is kept of a round beside the log: each finding, each anomaly, a small sample of health."""

from __future__ import annotations

import hashlib
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
    return [row for route in report.routes for row in _findings(report, route)]


def transcripts(report: RoundReport) -> list[TranscriptRow]:
    """The transcripts to keep: every anomaly, and one healthy answer of `SAMPLE`."""
    return [row for route in report.routes for row in _transcripts(report, route)]


def _findings(report: RoundReport, route: RouteReport) -> list[FindingRow]:
    first_text = min(
        (at for a in route.answered if (at := first_output_at(a.transcript.answer)) is not None), default=None
    )
    return [
        FindingRow(
            round=report.name,
            at=report.at,
            model=report.model,
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


def _transcripts(report: RoundReport, route: RouteReport) -> list[TranscriptRow]:
    return [
        TranscriptRow(
            round=report.name,
            at=report.at,
            model=report.model,
            tag=route.offer.route.tag,
            probe=answered.ask.probe.key,
            attempt=answered.ask.attempt,
            anomaly=anomaly,
            document=transcript_document(answered.transcript),
        )
        for answered in route.answered
        if (anomaly := _anomalous(answered)) or _sampled(answered.ask.session)
    ]


def _anomalous(answered: Answered) -> bool:
    healthy = {Word.PASS, Word.NOT_APPLICABLE}
    return any(v.word not in healthy for v in answered.verdicts.values())


def _sampled(session: str) -> bool:
    return int(hashlib.sha256(session.encode()).hexdigest(), 16) % SAMPLE == 0
