"""What a report found as a document: kept with it, printed, and answered by the API."""

from __future__ import annotations

from typing import Any

from serinus.core import explain
from serinus.core.instants import format_instant
from serinus.service.records import decision
from serinus.service.reporting.asked import Asked
from serinus.service.reporting.findings import Candidate, Found, Look, Standing
from serinus.service.reports import ReportRow


def found_document(found: Found, asked: Asked) -> dict[str, Any]:
    """What was found, and how the time was understood."""
    told = asked.told
    return {
        "source": found.source,
        "ambiguous": found.ambiguous,
        "requests": found.requests,
        "unnamed": found.unnamed,
        "told": told and told.text,
        "zone": told and told.zone,
        "readings": [format_instant(r) for r in told.readings] if told else [],
        "conversation": asked.conversation,
        "notes": list(found.notes),
        "candidates": [_candidate(c) for c in found.candidates],
    }


def report_document(row: ReportRow) -> dict[str, Any]:
    """A kept report as one JSON object."""
    return {
        "report": row.id,
        "at": format_instant(row.at),
        "by": row.by,
        "model": row.model,
        "since": format_instant(row.since),
        "until": format_instant(row.until),
        "generation": row.generation,
        "contract": row.contract,
        "comparison": row.comparison,
        **row.document,
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    served = candidate.served
    return {
        "route": served.tag,
        "confidence": served.confidence,
        "requests": served.requests,
        "share": None if served.share is None else round(served.share, 3),
        "among": list(served.among),
        "suspect": list(candidate.suspect),
        "then": _standing(candidate.then),
        "now": _standing(candidate.now),
        "before": [_look(look) for look in candidate.before],
        "after": [_look(look) for look in candidate.after],
        "decisions": [{"seq": seq, **decision(d)} for seq, d in candidate.decisions],
    }


def _standing(standing: Standing) -> dict[str, str]:
    return {"stand": standing.stand, "why": standing.said}


def _look(look: Look) -> dict[str, Any]:
    return {
        "round": look.round,
        "at": format_instant(look.at),
        "verdicts": {f.contract: f.word for f in look.findings if f.word != "not_applicable"},
        "odd": [explain.of_finding(f.contract, f.word, f.reason, f.detail) for f in look.odd],
    }
