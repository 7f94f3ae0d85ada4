"""Errors instead of answers: the host's, the gateway's, and those of our own account."""

from __future__ import annotations

from serinus.simulator.errors import ErrorReply
from serinus.simulator.faults.registry import Case, Stage, at

_HTML = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"


def _upstream(case: Case, status: int, error_type: str, raw: str) -> ErrorReply:
    metadata = {"raw": raw, "provider_name": case.host.display}
    return ErrorReply(status, "Provider returned error", error_type, metadata, upstream=True)


@at(Stage.STATUS)
def http_500(case: Case) -> ErrorReply:
    """Status 500 with a masked message: the gateway's own trouble."""
    del case
    return ErrorReply(500, "Internal Server Error", upstream=True)


@at(Stage.STATUS)
def http_502(case: Case) -> ErrorReply:
    """Status 502: the provider is down or answered nonsense."""
    return _upstream(case, 502, "provider_unavailable", "upstream connect error")


@at(Stage.STATUS)
def http_503(case: Case) -> ErrorReply:
    """Status 503: the provider has no capacity now."""
    return _upstream(case, 503, "provider_overloaded", "no available replicas")


@at(Stage.STATUS)
def http_524(case: Case) -> ErrorReply:
    """Status 524: the edge gave up waiting."""
    return _upstream(case, 524, "timeout", "A timeout occurred")


@at(Stage.STATUS)
def http_529(case: Case) -> ErrorReply:
    """Status 529: the provider says that it is overloaded."""
    return _upstream(case, 529, "provider_overloaded", "overloaded_error")


@at(Stage.STATUS)
def http_429(case: Case, *, retry_after: int = 5) -> ErrorReply:
    """Status 429 of the provider's shared pool."""
    metadata = {
        "raw": f"{case.ask.model} is temporarily rate-limited upstream. Please retry shortly.",
        "provider_name": case.host.display,
        "limit_source": "upstream_provider_shared_pool",
        "remedy_hint": "retry_later",
    }
    headers = {"Retry-After": str(retry_after)}
    return ErrorReply(429, "Provider returned error", "rate_limit_exceeded", metadata, headers, upstream=True)


@at(Stage.STATUS)
def http_429_own(case: Case, *, retry_after: int = 10) -> ErrorReply:
    """Status 429 of the gateway: our own requests are too many."""
    del case
    headers = {
        "X-RateLimit-Limit": "20",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": "1764547200000",
        "Retry-After": str(retry_after),
    }
    message = "Rate limit exceeded: requests-per-min"
    return ErrorReply(429, message, "rate_limit_exceeded", {"headers": dict(headers)}, headers)


@at(Stage.STATUS)
def http_401(case: Case) -> ErrorReply:
    """Status 401: our key is not accepted."""
    del case
    return ErrorReply(401, "User not found.", "authentication")


@at(Stage.STATUS)
def http_402(case: Case) -> ErrorReply:
    """Status 402: our credits are used up."""
    del case
    message = "Insufficient credits. Add more using https://openrouter.ai/settings/credits"
    return ErrorReply(402, message, "payment_required")


@at(Stage.STATUS)
def http_403_moderation(case: Case) -> ErrorReply:
    """Status 403 with the reasons of a moderation in front of the host."""
    metadata = {
        "reasons": ["violence"],
        "flagged_input": case.ask.prompt[:50],
        "provider_name": case.host.display,
        "model_slug": case.ask.model,
    }
    message = f"{case.ask.model} requires moderation. Your input was flagged for violence."
    return ErrorReply(403, message, "content_policy_violation", metadata)


@at(Stage.STATUS)
def http_400_policy(case: Case) -> ErrorReply:
    """Status 400 with a content policy as the reason: a filter that reports itself as an error."""
    metadata = {"provider_name": case.host.display}
    message = "The request was rejected because it may violate our content policy."
    return ErrorReply(400, message, "content_policy_violation", metadata)


@at(Stage.STATUS)
def http_403_guardrail(case: Case) -> ErrorReply:
    """Status 403 of a guardrail of our own workspace."""
    stage = {"type": "guardrail", "name": "workspace-default", "data": {"action": "blocked"}}
    message = f"Request blocked by guardrail: provider {case.host.provider} is not allowed."
    return ErrorReply(403, message, "permission_denied", pipeline=(stage,))


@at(Stage.STATUS)
def http_404(case: Case) -> ErrorReply:
    """Status 404: the gateway finds no endpoint for the pinned route any more."""
    extra = {
        "availability": {"code": "no_endpoints", "retryable": False, "requested_models": [case.ask.model]}
    }
    return ErrorReply(404, f"No endpoints found for {case.ask.model}.", "not_found", extra=extra)


@at(Stage.STATUS)
def html_page(case: Case) -> ErrorReply:
    """Status 502 with an HTML page of the edge instead of JSON."""
    del case
    return ErrorReply(502, "Bad Gateway", upstream=True, body=_HTML)


@at(Stage.STATUS, kinds=("structured",))
def response_format_refused(case: Case) -> ErrorReply:
    """Status 400: the host refuses the response format that its listing claims."""
    metadata = {
        "raw": '{"error":{"message":"response_format type json_schema is unavailable now"}}',
        "provider_name": case.host.display,
    }
    return ErrorReply(400, "Provider returned error", "invalid_request", metadata)


@at(Stage.STATUS, kinds=("tool_call",))
def tools_refused(case: Case) -> ErrorReply:
    """Status 400: the host refuses the tools that its listing claims."""
    metadata = {
        "raw": '{"error":{"message":"\\"auto\\" tool choice requires a tool call parser to be set"}}',
        "provider_name": case.host.display,
    }
    return ErrorReply(400, "Provider returned error", "invalid_request", metadata)
