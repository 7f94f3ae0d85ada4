"""Whose an error is: moderation (the contract `filtering`), our own fault, or transport (R6, R7).

`formats.md` §1 rules 2-4 and the table of `openrouter-facts.md` §5. "Your setting is wrong" and "the host
is wrong" must never be mixed up; where a status and the words of an error disagree, the words decide.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final

from serinus.core.transcript import Failure, Transcript
from serinus.judging.vocabulary import words


class Blame(StrEnum):
    """Whose an error is."""

    MODERATION = "moderation"
    OWN = "own"
    TRANSPORT = "transport"


# Error types and codes that mean one thing wherever they stand.
_MODERATION_KINDS: Final = words(
    """
    content_filter content_filtered contentfilter contentfiltered content_filter_error
    content_policy_violation content_policy content_moderation moderation moderation_blocked
    moderation_error refusal flagged
    responsibleaipolicyviolation data_inspection_failed datainspectionfailed prohibited_content
    sensitive_content sensitive safety safety_error safety_violation policy_violation
    guardrail_intervened inappropriate_content image_content_policy_violation
    """,
)
_OWN_KINDS: Final = words(
    """
    authentication authentication_error unauthorized invalid_api_key payment_required insufficient_credits
    insufficient_quota permission_denied permission_error invalid_request invalid_request_error
    invalid_parameter unsupported_parameter unsupported_value unknown_parameter invalid_prompt not_found
    not_found_error model_not_found wrong_endpoint no_endpoints constraint_filtered privacy_restricted
    region_restricted model_deprecated free_variant_ended context_length_exceeded max_tokens_exceeded
    token_limit_exceeded string_too_long precondition_failed payload_too_large unprocessable
    unprocessable_entity validation_error bad_request badrequesterror
    """,
)
_ACCOUNT_KINDS: Final = words(
    """
    authentication authentication_error unauthorized invalid_api_key payment_required insufficient_credits
    permission_denied permission_error
    """,
)

# Words of moderation in a message. Each names content or policy, so that "filter your messages" or a
# case-sensitive name does not count.
_MODERATION_WORDS: Final = re.compile(
    r"content[\s_-]*(?:filter|polic|moderat|management polic|safety)"
    r"|(?:input|output|prompt|request|response|content|message|completion)s? "
    r"(?:was |were |is |has been |have been )?"
    r"(?:flagged|moderated|filtered|blocked by (?:the |our |a )?(?:content|safety|moderation))"
    r"|flagged (?:by|as|for|content|input)|\bmoderation\b|responsible ?ai ?policy"
    r"|safety (?:system|filter|polic|check|guideline|setting)s?\b"
    r"|violat\w+ (?:\w+ ){0,3}(?:polic|guideline|terms)"
    r"|(?:inappropriate|prohibited|sensitive|unsafe|harmful) (?:content|material|words|information)"
    r"|usage polic(?:y|ies)|data[_ ]?inspection[_ ]?failed|risk control"
    r"|(?:内容|內容)(?:审核|審核|安全|违规|違規|过滤|過濾)|敏感(?:词|詞|内容|內容|信息)|不当内容|不當內容",
    re.IGNORECASE,
)
# A service of moderation that is down has judged nothing.
_BROKEN_MODERATION: Final = re.compile(
    r"moderation\b.{0,40}\b(?:unavailable|timed? ?out|timeout|failed|error|unreachable|overloaded)",
    re.IGNORECASE,
)
_GUARDRAIL: Final = re.compile(r"\bguardrails?\b", re.IGNORECASE)

TRANSPORT_STATUS: Final = frozenset({408, 425, 429, 499})
SERVER_ERRORS: Final = 500
FORBIDDEN: Final = 403
REFUSING_STATUS: Final = frozenset({400, FORBIDDEN, 406, 422, 451})  # where moderation may speak in prose
ACCOUNT: Final = frozenset({401, 402})
_DEPTH: Final = 6  # how deep error objects are read; `metadata.raw` is JSON in a string of JSON
_LENGTH: Final = 4000  # characters of one string that are searched


def blame_of(transcript: Transcript) -> Blame | None:
    """Whose the error of this transcript is; None if it has none."""
    failure = transcript.answer.failure
    if failure is None:
        status = transcript.status
        return None if status is None or status < 300 else _by_status(status)  # noqa: PLR2004  HTTP
    if failure.where == "http":
        return _http_blame(failure, transcript)
    return _inband_blame(failure, transcript)


def _http_blame(failure: Failure, transcript: Transcript) -> Blame:
    status = failure.code or transcript.status or 0
    if status in ACCOUNT or is_guardrail(transcript):
        return Blame.OWN
    if _is_moderation(failure, vague=status in REFUSING_STATUS):
        return Blame.MODERATION
    return _by_status(status)


def _inband_blame(failure: Failure, transcript: Transcript) -> Blame:
    """An error under status 200: after the first text only an account's fault can still be ours."""
    kind = _kind(failure)
    if failure.code in ACCOUNT or kind in _ACCOUNT_KINDS or is_guardrail(transcript):
        return Blame.OWN
    transient = failure.code is not None and (
        failure.code >= SERVER_ERRORS or failure.code in TRANSPORT_STATUS
    )
    if _is_moderation(failure, vague=not transient):
        return Blame.MODERATION
    own_word = kind in _OWN_KINDS and not transient
    return Blame.OWN if own_word and not transcript.answer.text else Blame.TRANSPORT


def _by_status(status: int) -> Blame:
    if status >= SERVER_ERRORS or status in TRANSPORT_STATUS or status < 300:  # noqa: PLR2004  HTTP
        return Blame.TRANSPORT
    return Blame.OWN


def is_guardrail(transcript: Transcript) -> bool:
    """Whether a guardrail of our own account refused the request (`openrouter-facts.md` §5, 403)."""
    metadata = transcript.answer.metadata or {}
    pipeline = metadata.get("pipeline")
    stages = pipeline if isinstance(pipeline, list) else []
    failure = transcript.answer.failure
    if failure is None:
        return False
    if any(isinstance(s, dict) and s.get("type") == "guardrail" for s in stages):
        return True
    named = _kind(failure) == "guardrail" or bool(_GUARDRAIL.search(failure.message))
    return failure.code == FORBIDDEN and named


def _kind(failure: Failure) -> str:
    return (failure.type or "").strip().lower().replace("-", "_").replace(" ", "_")


def _is_moderation(failure: Failure, *, vague: bool) -> bool:
    """Whether the error reports moderation; `vague` says that words of a message are proof enough."""
    if _kind(failure) in _MODERATION_KINDS:
        return True
    texts = list(_strings(failure.raw, _DEPTH))
    if any(w.strip().lower().replace("-", "_") in _MODERATION_KINDS for w in texts if len(w) < 50):  # noqa: PLR2004
        return True
    if not vague:
        return False
    if _has_reasons(failure.raw):
        return True
    message = " ".join([failure.message, *texts])[: 4 * _LENGTH]
    return bool(_MODERATION_WORDS.search(message)) and not _BROKEN_MODERATION.search(message)


def _has_reasons(raw: Any) -> bool:
    """OpenRouter's moderation metadata: what was flagged, and why."""
    metadata = raw.get("metadata") if isinstance(raw, dict) else None
    if not isinstance(metadata, dict):
        return False
    return bool(metadata.get("flagged_input")) or bool(metadata.get("reasons"))


def _strings(value: Any, depth: int) -> Iterator[str]:
    """Every string of an error object except names of models, also inside JSON that stands in a string."""
    if depth <= 0:
        return
    if isinstance(value, str):
        yield value[:_LENGTH]
        if value.lstrip().startswith(("{", "[")) and len(value) <= 4 * _LENGTH:
            try:
                yield from _strings(json.loads(value), depth - 1)
            except (ValueError, RecursionError):
                return
    elif isinstance(value, dict):
        for key, inner in list(value.items())[:50]:
            if key not in ("model", "model_slug", "param", "flagged_input"):
                yield from _strings(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value[:50]:
            yield from _strings(inner, depth - 1)
