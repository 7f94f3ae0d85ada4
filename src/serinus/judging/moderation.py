"""Moderation in whatever form: errors, finish reasons, fields, annotations, and the text itself (R7).

One place decides whether an answer was moderated, because every contract steps aside when it was
(`formats.md` §1 rule 3) and `filtering` tells how.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from serinus.core.transcript import Transcript
from serinus.judging.blame import Blame, blame_of
from serinus.judging.finish import Finish, finish_of
from serinus.judging.visible import has_visible
from serinus.text.refusals import Kind, refusal_in


@dataclass(frozen=True, slots=True)
class Moderated:
    """How an answer was moderated: the reason code of `filtering`, a sentence, and what shows it."""

    code: str
    detail: str
    evidence: dict[str, Any] = field(default_factory=dict)


def moderated(transcript: Transcript) -> Moderated | None:
    """How this answer was moderated, or None. Fields of the protocol are read before the text."""
    return _by_error(transcript) or _by_field(transcript) or _by_text(transcript)


def _by_error(transcript: Transcript) -> Moderated | None:
    if blame_of(transcript) is not Blame.MODERATION:
        return None
    failure = transcript.answer.failure
    if failure is None:
        return None
    where = "an error inside the answer" if failure.where != "http" else f"status {transcript.status}"
    evidence = {
        "where": failure.where,
        "code": failure.code,
        "type": failure.type,
        "message": failure.message[:200],
    }
    return Moderated("moderation_error", f"The host reports moderation by {where}.", evidence)


def _by_field(transcript: Transcript) -> Moderated | None:
    answer = transcript.answer
    if finish_of(answer) is Finish.FILTER:
        words = {"finish_reason": answer.finish_reason, "native_finish_reason": answer.native_finish_reason}
        cut = " after some text" if has_visible(transcript.text) else ""
        return Moderated("finish_reason_filter", f"The finish reason names a filter{cut}.", words)
    if has_visible(answer.refusal or ""):
        shown = (answer.refusal or "")[:200]
        return Moderated("refusal_field", "The answer's refusal field is filled.", {"refusal": shown})
    if answer.filtered:
        names = ", ".join(answer.filtered[:10])
        return Moderated(
            "filter_annotation", f"Filter annotations say filtered: {names}.", {"categories": names}
        )
    return None


def _by_text(transcript: Transcript) -> Moderated | None:
    found = refusal_in(transcript.text)
    if found is None or found.kind is Kind.ASSISTANT_VOICE:
        return None
    evidence = {
        "language": found.language,
        "start": found.start,
        "end": found.end,
        "text": transcript.text[found.start : found.end][:200],
    }
    return Moderated(*_TOLD[found.kind], evidence)


_TOLD = {
    Kind.REFUSAL: ("canned_refusal", "The answer is a refusal that speaks of the request, not of the scene."),
    Kind.TAIL: ("refusal_tail", "The answer breaks off into a refusal that speaks of the request."),
    Kind.NOTICE: ("filter_notice", "The answer is the notice of a filter."),
}
