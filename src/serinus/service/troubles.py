"""What may be wrong with a round as a whole, told by how its sentence begins.

A round keeps its trouble as a sentence for people; the two that are our own begin with fixed words,
every other one is the listing's.
"""

from __future__ import annotations

from typing import Final

from serinus.core.model import Word
from serinus.service.round_report import RoundReport

BUDGET: Final = "the day's budget of "
REFUSED: Final = "our own request or account was refused"
OWN_FAULT: Final = "own_fault"  # the reason of `judging.precedence` for what is our own mistake


def is_listing(trouble: str | None) -> bool:
    """Whether it is the listing that could not be believed."""
    return trouble is not None and not trouble.startswith((BUDGET, REFUSED))


def is_refused(trouble: str | None) -> bool:
    """Whether every answer of the round was a refusal of ourselves."""
    return trouble is not None and trouble.startswith(REFUSED)


def refused(report: RoundReport) -> str | None:
    """The trouble of a round in which every route refused us: a revoked key, no credit, a guardrail.

    Such a round says nothing of any route, and looks like a quiet one to whoever does not read it.
    """
    verdicts = [f.verdict for route in report.routes for f in route.findings]
    asked = [v for v in verdicts if v.word is not Word.NOT_APPLICABLE]
    if not asked or any(v.reason != OWN_FAULT for v in asked):
        return None
    detail = asked[0].detail
    return (
        f"{REFUSED} at every route: {detail} Nothing is known of any route; `serinus doctor` looks it over."
    )
