"""What the proxy has to know of a request's body, read from places and never changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from serinus.traffic.proxy.members import Member, NoObjectError, members

_OURS: Final = frozenset({"model", "models", "provider", "preset", "stream", "session_id", "user"})
_PRESET: Final = "@preset/"
_LENIENT: Final = json.JSONDecoder(strict=False)  # made once: making one costs more than most values


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for an answer.

    `models` are those it names, fallbacks too, in order; `provider` its `provider` members, all of them
    where the key was written twice. `conversation` is the caller's own identifier: `session_id`, else
    `user`. Both are None or empty where the request does not say.
    """

    body: bytes
    models: tuple[str, ...] = ()
    provider: tuple[Member, ...] = ()
    preset: bool = False
    stream: bool = False
    conversation: str | None = None
    readable: bool = True


def asked_of(body: bytes) -> Asked:
    """What a body asks. One that is no JSON object is not `readable`, and goes on as it is."""
    try:
        found = [member for member in members(body) if member.key in _OURS]
    except NoObjectError:
        return Asked(body, readable=False)
    last = {member.key: _value(member.value(body)) for member in found if member.key != "provider"}
    models = _names([last.get("model")], last.get("models"))
    named = isinstance(last.get("preset"), str) or any(_PRESET in model for model in models)
    said = last.get("session_id") or last.get("user")
    return Asked(
        body,
        models=models,
        provider=tuple(member for member in found if member.key == "provider"),
        preset=named,
        stream=last.get("stream") is True,
        conversation=said if isinstance(said, str) else None,
    )


def _names(one: Sequence[Any], more: Any) -> tuple[str, ...]:
    listed = [*one, *(more if isinstance(more, list) else ())]
    return tuple(dict.fromkeys(name for name in listed if isinstance(name, str) and name))


def _value(written: bytes) -> Any:
    try:
        return _LENIENT.decode(written.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
