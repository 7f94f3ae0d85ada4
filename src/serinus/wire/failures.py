"""Error objects in all the shapes that gateways and engines give them (`openrouter-facts.md` §4, §5, §14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from serinus.core.transcript import Failure
from serinus.wire.json_text import as_count, as_mapping, as_text

LONGEST_MESSAGE: Final = 2000  # characters kept of a message; an HTML page may be its body
NO_COMPLETION: Final = "no_completion"  # the type of a failure that is an answer of no known shape
UNPARSABLE: Final = "unparsable"  # the type of a failure that is no JSON at all


def error_of(payload: Mapping[str, Any], *, named: bool = False) -> Any:
    """The error that a payload carries, as it stands there; None if it carries none.

    `named` says that the event itself was called an error, so that its payload needs no `error` key.
    """
    error = payload.get("error")
    if error:
        return error
    if payload.get("object") == "error" or payload.get("type") == "error" or named:
        return dict(payload)
    # An answer without choices that only explains itself: FastAPI's `detail`, or a bare message.
    if "choices" not in payload and "usage" not in payload:
        for key in ("detail", "message", "errors"):
            if payload.get(key):
                return dict(payload)
    return None


def failure_of(error: Any, where: str, status: int | None = None) -> Failure:
    """The failure that an error object says; `status` is used where it has no code of its own."""
    if not isinstance(error, dict):
        return Failure(where, status, None, _short(str(error)), error)
    metadata = as_mapping(error.get("metadata"))
    availability = as_mapping(error.get("availability"))
    code = _first_count(
        error.get("code"), error.get("http_status"), error.get("status"), error.get("status_code")
    )
    kinds = (
        metadata.get("error_type"),
        error.get("error_type"),
        _word(error.get("code")),
        availability.get("code"),
        error.get("type"),
        _word(error.get("status")),
    )
    kind = next((k for k in kinds if isinstance(k, str) and k and k != "error"), None)
    return Failure(where, code if code is not None else status, kind, _message(error), error)


def unparsable(where: str, text: str, status: int | None = None) -> Failure:
    """The failure of a body that is not JSON: an HTML page of the edge, a cut body."""
    return Failure(where, status, UNPARSABLE, _short(text.strip()))


def no_completion(where: str, keys: str) -> Failure:
    """The failure of JSON that is neither an answer nor an error."""
    return Failure(where, None, NO_COMPLETION, f"the answer holds neither choices nor an error, but {keys}")


def _message(error: Mapping[str, Any]) -> str:
    for key in ("message", "detail", "msg", "error", "errors"):
        value = error.get(key)
        if value:
            return _short(as_text(value) or str(value))
    return ""


def _word(value: Any) -> str | None:
    """A code that is a word (`content_filter`) and not a number in quotes."""
    text = as_text(value)
    return None if text is None or text.strip().isdecimal() else text


def _first_count(*values: Any) -> int | None:
    return next((count for value in values if (count := as_count(value)) is not None), None)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + "…"
