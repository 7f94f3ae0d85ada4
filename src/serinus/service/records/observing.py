"""The observe report, as JSON."""

from __future__ import annotations

from typing import Any

from serinus.core import explain
from serinus.core.policy import Lane
from serinus.service.observing import DAYS_WANTED, ContractReport, ModelReport, Would
from serinus.service.records import time


def document(report: ModelReport) -> dict[str, Any]:
    """The report as one JSON object."""
    return {
        "model": report.model,
        "since": time(report.since),
        "at": time(report.at),
        "rounds": report.rounds,
        "days": report.days,
        "routes": report.routes,
        "hours": round(report.hours, 3),
        "floor_rounds": report.floor_rounds,
        "contracts": {c.contract: _contract_document(c) for c in report.contracts},
        "would": [_would_document(w) for w in report.would],
    }


def _contract_document(c: ContractReport) -> dict[str, Any]:
    return {
        "enforced": c.lane is Lane.REAL,
        "days": c.days,
        "fails": c.share.fails,
        "of": c.share.of,
        "interval": [round(x, 3) for x in c.share.interval],
        "would": len(c.would),
        "right": c.right,
        "wrong": c.wrong,
        "wrong_interval": [round(x, 3) for x in c.wrong_share],
        "unmarked": c.unmarked,
        "doubtful": c.doubtful,
        "advice": c.advice,
        "why": advice(c),
    }


def _would_document(w: Would) -> dict[str, Any]:
    s = w.span
    return {
        "seq": w.seq,
        "route": s.route,
        "contracts": list(s.contracts),
        "since": time(s.since),
        "ended": time(s.ended),
        "end": s.end,
        "level": s.level,
        "hours": round(w.hours, 3),
        "mark": w.mark,
        "signs": list(w.signs),
    }


def advice(c: ContractReport) -> str:
    """What to do with a contract, as a sentence."""
    facts = {
        "days": c.days,
        "wanted": DAYS_WANTED,
        "wrong": c.wrong,
        "right": c.right,
        "marked": c.right + c.wrong,
        "unmarked": c.unmarked,
        "doubtful": c.doubtful,
    }
    return explain.of_advice(c.advice, facts)
