"""The request that reaches one route and no other, altered by nothing on its way."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from serinus.core.model import Offer, Probe
from serinus.wire.request import chat_body

LONGEST_SESSION: Final = 256

# Plugins that an account may have on by default and that alter a prompt or an answer.
PLUGINS_OFF: Final = tuple(
    {"id": name, "enabled": False} for name in ("response-healing", "context-compression", "web")
)

HEADERS: Final = {
    "Content-Type": "application/json",
    "X-OpenRouter-Metadata": "enabled",  # who served, and what the gateway did on the way
    "X-OpenRouter-Cache": "false",
    "X-OpenRouter-Title": "serinus",
}


def pinned_body(
    offer: Offer, probe: Probe, *, session: str, user: str, preferences: Mapping[str, Any]
) -> dict[str, Any]:
    """The body of `POST /chat/completions` for a probe that went through `as_sent`.

    `preferences` are the `provider` settings of production (`data_collection`, `zdr`, …); the pin
    wins over them. A `reasoning` among the probe's own parameters stands.
    """
    body = body_by_hand(offer, probe)
    body |= {
        "provider": {**preferences, **body["provider"]},
        "plugins": [dict(plugin) for plugin in PLUGINS_OFF],
        "user": user,
        "session_id": session_id(session),
        "usage": {"include": True},
    }
    for switched in ("models", "route", "preset", "transforms"):  # each may bring in another host or prompt
        body.pop(switched, None)
    return body


def body_by_hand(offer: Offer, probe: Probe) -> dict[str, Any]:
    """The part of it that anybody's account can send: the prompt, and the pin."""
    tag = offer.route.tag
    body = chat_body(offer.route.model, probe)
    if not offer.reasoning_mandatory:
        body.setdefault("reasoning", {"enabled": False})
    return body | {"provider": {"only": [tag], "order": [tag], "allow_fallbacks": False}}


def session_id(session: str) -> str:
    """The session as the gateway takes it; a longer one is replaced by its hash."""
    return session if len(session) <= LONGEST_SESSION else sha256(session.encode()).hexdigest()
