"""A verdict as one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from serinus.core.model import Verdict, Word

_VERDICTS: Final[Mapping[Word, str]] = MappingProxyType(
    {
        Word.PASS: "kept its promise",
        Word.FAIL: "broke its promise",
        Word.WARN: "is worth a look, and is not scored",
        Word.INCONCLUSIVE: "could not be judged, so nothing is held against the route",
        Word.TRANSPORT: "got no answer that may be scored, so nothing moves",
        Word.VOID: "is not this route's answer, so it is never scored",
        Word.NOT_APPLICABLE: "was not asked",
        Word.WEAK: "met a control that did not refuse, so nobody is called healthy by it",
        Word.ALARM: "shows that our own exclusion was not obeyed",
    }
)


def of_verdict(contract: str, verdict: Verdict) -> str:
    """A contract's word on a route: what it means for the route, the reason and its detail."""
    detail = f": {verdict.detail}" if verdict.detail else "."
    return f"{contract} {_VERDICTS[verdict.word]} ({verdict.reason}){detail}"
