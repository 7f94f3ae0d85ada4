"""Error bodies in the shapes of `openrouter-facts.md` §5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """A status with an error object instead of an answer.

    `upstream` says that the host itself failed, so that the gateway may try the next one. `body`
    replaces the JSON by something else (an HTML page of the edge).
    """

    status: int
    message: str
    error_type: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    upstream: bool = False
    body: str | None = None
    pipeline: tuple[Mapping[str, Any], ...] = ()

    def document(self) -> dict[str, Any]:
        """The error as the JSON that carries it."""
        metadata = dict(self.metadata)
        if self.error_type:
            metadata["error_type"] = self.error_type
        error: dict[str, Any] = {"code": self.status, "message": self.message}
        if metadata:
            error["metadata"] = metadata
        return {"error": {**error, **self.extra}}


def no_auth() -> ErrorReply:
    """No key, or one that is not known."""
    return ErrorReply(401, "No auth credentials found", "authentication")


def bad_request(message: str) -> ErrorReply:
    """A parameter that cannot be read."""
    return ErrorReply(400, message, "invalid_request")


def unknown_model(model: str) -> ErrorReply:
    """A model id that the catalogue does not have."""
    extra = {"availability": {"code": "model_not_found", "retryable": False, "requested_models": [model]}}
    return ErrorReply(400, f"{model} is not a valid model ID", "invalid_request", extra=extra)


def not_found(what: str) -> ErrorReply:
    """A path or record that is not there."""
    return ErrorReply(404, what, "not_found")


def no_allowed_providers(model: str, available: list[str], requested: list[str]) -> ErrorReply:
    """`only` names nobody who serves the model."""
    metadata = {"available_providers": available, "requested_providers": requested}
    return ErrorReply(
        404,
        "No allowed providers are available for the selected model.",
        "not_found",
        metadata,
        extra=_availability(model, "allowed_providers", "constraint_filtered"),
    )


def all_ignored(model: str) -> ErrorReply:
    """The request's ignore list and the account's leave nobody."""
    return ErrorReply(
        404,
        "All providers have been ignored. To change your default ignored providers, visit your settings.",
        "not_found",
        extra=_availability(model, "allowed_providers", "constraint_filtered"),
    )


def no_endpoints(model: str) -> ErrorReply:
    """Nobody serves the model now."""
    return ErrorReply(
        404, f"No endpoints found for {model}.", "not_found", extra=_availability(model, None, "no_endpoints")
    )


def no_endpoints_for(model: str, constraint: str, text: str) -> ErrorReply:
    """Nobody who serves the model meets a constraint of the request."""
    return ErrorReply(404, text, "not_found", extra=_availability(model, constraint, "constraint_filtered"))


def _availability(model: str, constraint: str | None, code: str) -> dict[str, Any]:
    detail: dict[str, Any] = {"code": code, "retryable": False, "requested_models": [model]}
    if constraint:
        detail["excluded_by"] = [constraint]
    return {"availability": detail}
