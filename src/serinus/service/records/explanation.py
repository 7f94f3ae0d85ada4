"""The explanation of a route, as JSON."""

from __future__ import annotations

from typing import Any

from serinus.core import explain
from serinus.core.policy import Decision
from serinus.service.explaining import Explanation, Past, excerpt
from serinus.service.records import decision, time
from serinus.service.records.standing import route_document
from serinus.service.storage import FindingRow, TranscriptRow


def document(found: Explanation) -> dict[str, Any]:
    """A route, why it stands where it does, and the evidence, as one JSON object."""
    return {
        **route_document(found.route),
        "why": found.why,
        "outlook": found.outlook,
        "findings": [_finding_document(f) for f in found.findings],
        "transcripts": [_transcript_document(t) for t in found.kept],
        "decisions": [_past_document(p) for p in found.past],
    }


def _finding_document(row: FindingRow) -> dict[str, Any]:
    return {
        "round": row.round,
        "contract": row.contract,
        "verdict": row.word,
        "reason": row.reason,
        "detail": row.detail,
        "evidence": dict(row.evidence),
        "language": row.language,
    }


def _transcript_document(row: TranscriptRow) -> dict[str, Any]:
    return {
        "round": row.round,
        "probe": row.probe,
        "attempt": row.attempt,
        "anomaly": row.anomaly,
        "excerpt": excerpt(row.document)[:1000],
    }


def _past_document(past: Past) -> dict[str, Any]:
    entry = past.entry
    if isinstance(entry, Decision):
        return {"seq": past.seq, "mark": past.mark, **decision(entry)}
    return {
        "seq": past.seq,
        "mark": past.mark,
        "at": time(entry.at),
        "decision": "lift",
        "why": explain.of_act(entry),
    }
