"""From a report to the pinned comparison that proves or refutes it, with synthetic prompts (R26, R27)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from serinus.service.comparing.asked import known_contracts
from serinus.service.comparing.request import ANSWERS, ComparisonRequest
from serinus.service.reporting.asked import BadReportError
from serinus.service.reporting.findings import Confidence, Source
from serinus.service.reporting.report import Filed
from serinus.service.reports import ReportRow

SUSPECTS: Final = 3  # routes that are asked fully; all others are their peers
LIKELY: Final = 0.1  # a route that served one in ten of the requests may well have been it


def reproduction(filed: Filed, answers: int = ANSWERS) -> ComparisonRequest:
    """What to compare: the routes that may have served against their peers, on the suspected contract.

    Without a contract in the report it is the one that failed around that time. Where nothing tells who
    served, every route is a suspect.

    Raises:
        BadReportError: nothing tells which contract to compare, or none can be.
    """
    row, known = filed.row, ", ".join(known_contracts())
    contract = contract_of(row)
    if contract is not None:
        return ComparisonRequest(row.model, contract, row.by, suspects_of(row), answers)
    message = (
        "nothing failed around that time, so nothing tells what to reproduce: give --contract, one of "
        f"{known}"
    )
    if row.contract is not None:
        message = f"{row.contract} cannot be compared; those that can are {known}"
    raise BadReportError(message)


def contract_of(row: ReportRow) -> str | None:
    """The contract to compare for a kept report; None where nothing tells, or the suspected one cannot be."""
    known = known_contracts()
    if row.contract is not None:
        return row.contract if row.contract in known else None
    failed = (c for candidate in row.document["candidates"] for c in candidate["suspect"])
    return next((c for c in failed if c in known), None)


def suspects_of(row: ReportRow) -> tuple[str, ...]:
    """The routes to ask fully for a kept report; none where every route may have served."""
    if row.document["source"] == Source.PRODUCTION:
        return ()
    candidates = row.document["candidates"]
    sure = [c["route"] for c in candidates if c["confidence"] == Confidence.EXACT]
    return tuple(sure or [c["route"] for c in candidates if _likely(c)][:SUSPECTS])


def _likely(candidate: Mapping[str, Any]) -> bool:
    """Whether it may well have been this one: by its part of the requests, by its name, by its failures."""
    share = candidate["share"]
    return bool(candidate["suspect"]) or share is None or share >= LIKELY
