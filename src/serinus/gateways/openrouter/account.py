"""The state of our own key, so that our own trouble is not taken for a host's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from serinus.prober.document import Document
from serinus.service.ports import KeyState
from serinus.wire.json_text import as_mapping, as_number, as_text

UNAUTHORIZED: Final = 401
LOW: Final = 10.0  # USD; with single-digit credit the gateway checks the balance first, which costs time


def key_state_of(document: Document) -> KeyState:
    """Read the answer to `GET /key`; one that failed for other reasons says nothing of the key."""
    return replace(_key_state(document), date=document.date)


def balance_of(document: Document) -> float | None:
    """The account's credit in USD by the answer to `GET /credits`; None where it is not said."""
    data = as_mapping(document.data)
    bought, used = as_number(data.get("total_credits")), as_number(data.get("total_usage"))
    return None if bought is None or used is None else bought - used


def _key_state(document: Document) -> KeyState:
    if document.status == UNAUTHORIZED:
        return KeyState(trouble="the gateway does not accept this key; check the key that is configured")
    if document.trouble is not None:
        return KeyState(notes=(f"the state of the key is not known: {document.trouble}",), known=False)
    data = as_mapping(document.data)
    remaining = as_number(data.get("limit_remaining"))
    return KeyState(
        trouble=_trouble(data, remaining),
        notes=_notes(data, remaining),
        limit_remaining=remaining,
        usage=as_number(data.get("usage")),
        expires_at=as_text(data.get("expires_at")),
    )


def _trouble(data: dict[str, Any], remaining: float | None) -> str | None:
    if data.get("is_management_key") is True:
        return "this is a management key, which cannot ask models; use an ordinary key"
    if remaining is not None and remaining <= 0:
        return f"the key's limit is used up ({remaining:.2f} USD remain); raise the limit"
    return None


def _notes(data: dict[str, Any], remaining: float | None) -> tuple[str, ...]:
    notes = []
    if remaining is not None and 0 < remaining < LOW:
        notes.append(
            f"{remaining:.2f} USD remain on the key; under {LOW:g} the gateway may answer later than it would"
        )
    if data.get("is_free_tier") is True:
        notes.append("the account never bought credits; its limits are those of free models")
    return tuple(notes)
