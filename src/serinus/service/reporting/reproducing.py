"""From a report to the pinned comparison that proves or refutes it, with synthetic prompts (R26, R27)."""

from __future__ import annotations

from typing import Final

from serinus.service.comparing.asked import known_contracts
from serinus.service.comparing.request import ANSWERS, ComparisonRequest
from serinus.service.reporting.asked import BadReportError
from serinus.service.reporting.findings import Candidate, Confidence, Found, Source
from serinus.service.reporting.report import Filed

SUSPECTS: Final = 3  # routes that are asked fully; all others are their peers


def reproduction(filed: Filed, answers: int = ANSWERS) -> ComparisonRequest:
    """What to compare: the routes that may have served against their peers, on the suspected contract.

    Without a contract in the report it is the one that failed around that time. Where nothing tells who
    served, every route is a suspect.

    Raises:
        BadReportError: nothing tells which contract to compare, or none can be.
    """
    found = filed.found
    return ComparisonRequest(found.model, _contract(filed), filed.row.by, _suspects(found), answers)


def _contract(filed: Filed) -> str:
    known = known_contracts()
    if filed.row.contract is not None:
        if filed.row.contract in known:
            return filed.row.contract
        message = f"{filed.row.contract} cannot be compared; those that can are {', '.join(known)}"
        raise BadReportError(message)
    failed = [c for candidate in filed.found.candidates for c in candidate.suspect if c in known]
    if failed:
        return failed[0]
    message = (
        "nothing failed around that time, so nothing tells what to reproduce: give --contract, one of "
        f"{', '.join(known)}"
    )
    raise BadReportError(message)


def _suspects(found: Found) -> tuple[str, ...]:
    if found.source is Source.PRODUCTION:
        return ()
    sure = [c.tag for c in found.candidates if c.served.confidence is Confidence.EXACT]
    return tuple(sure or [c.tag for c in found.candidates if _likely(c)][:SUSPECTS])


def _likely(candidate: Candidate) -> bool:
    """Whether it may well have been this one: by its part of the requests, by its name, by its failures."""
    share = candidate.served.share
    return bool(candidate.suspect) or share is None or share >= 0.1  # noqa: PLR2004  one in ten
