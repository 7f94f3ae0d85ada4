"""Answers that are not this route's own (R3, `formats.md` §1 rule 1): never scored, always told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from serinus.core.model import Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.naming import same_model, same_provider

IDENTITY: Final = "identity"
CACHE_HEADER: Final = "x-openrouter-cache-status"
# LiteLLM names the key of its cache only where the cache answered, and counts what it did beside (1.106.12).
CACHE_KEY_HEADER: Final = "x-litellm-cache-key"
AGAIN_HEADERS: Final = ("x-litellm-attempted-retries", "x-litellm-attempted-fallbacks")
OK: Final = 200
WRONG_NAME: Final = "wrong_name"  # the probe that asks for a model which does not exist
_ALTERING: Final = ("healing", "compression", "web", "moderation_rewrite")


def voided(contract: str, transcript: Transcript) -> Verdict | None:
    """Why no contract may score this answer as the route's own, or None.

    `identity` asks about the name itself: of a wrong model it says `fail` by its own judge, and where
    nobody is named it alone says `void`.
    """
    return _proof(transcript) or _provider(transcript) or _model(contract, transcript) or _gateway(transcript)


def _void(code: str, detail: str, /, **evidence: Any) -> Verdict:
    return Verdict(Word.VOID, code, detail, evidence)


def _proof(transcript: Transcript) -> Verdict | None:
    """Whether the header that must name the pin does; an error has no such header and is nobody's answer."""
    header, pin = transcript.proof, transcript.pin
    if header is None or pin is None or transcript.status != OK:
        return None
    named = _headers(transcript).get(header)
    if named is None:
        return _void(
            "unproved", f"The header {header} is missing, which must name {pin}.", header=header, pin=pin
        )
    if named != pin:
        return _void("wrong_provider", f"{named} answered, pinned was {pin}.", named=named, pin=pin)
    return None


def _headers(transcript: Transcript) -> dict[str, str]:
    return {name.lower(): value.strip() for name, value in transcript.headers.items()}


def _provider(transcript: Transcript) -> Verdict | None:
    pin = transcript.pin
    if pin is None or transcript.proved:
        return None
    named = [n for n in (transcript.answer.provider,) if n]
    named += [
        d.rpartition(", then ")[2] for code, d in transcript.answer.oddities if code == "changed_provider"
    ]
    for name in named:
        if not same_provider(name, pin, transcript.display):
            return _void("wrong_provider", f"{name} answered, pinned was {pin}.", named=name, pin=pin)
    return None


def _model(contract: str, transcript: Transcript) -> Verdict | None:
    if contract == IDENTITY:
        return None
    named = foreign_model(transcript)
    if named is None:
        return None
    asked = asked_model(transcript)
    return _void("wrong_model", f"The model {named} answered, asked was {asked}.", named=named, asked=asked)


def asked_model(transcript: Transcript) -> str | None:
    """The model that the request named."""
    if transcript.route is not None:
        return transcript.route.model or None
    return None


def foreign_model(transcript: Transcript) -> str | None:
    """A model that the answer names and that is not the one asked for.

    Where the connection or a header proves who served, a model's name is a label of the operator's own.
    """
    asked = asked_model(transcript)
    if asked is None or transcript.proved or transcript.probe.kind == WRONG_NAME:
        return None
    return next((m for m in transcript.answer.models if not same_model(m, asked)), None)


def _gateway(transcript: Transcript) -> Verdict | None:
    headers = _headers(transcript)
    hit = headers.get(CACHE_HEADER, "").upper() == "HIT"
    if hit or CACHE_KEY_HEADER in headers:
        header = CACHE_HEADER if hit else CACHE_KEY_HEADER
        return _void("cache_hit", "The gateway's own cache answered.", header=header)
    more = max((int(n) for h in AGAIN_HEADERS if (n := headers.get(h, "")).isdecimal()), default=0)
    if more:
        return _void("second_attempt", f"The gateway made {more + 1} attempts.", attempts=more + 1)
    usage = transcript.answer.usage
    metadata = transcript.answer.metadata or {}
    if (usage is not None and usage.is_byok) or metadata.get("is_byok") is True:
        return _void("own_account", "The answer came through our own account at the provider.")
    return _attempts(metadata) or _plugins(metadata)


def _attempts(metadata: Mapping[str, Any]) -> Verdict | None:
    attempt = metadata.get("attempt")
    attempts = metadata.get("attempts")
    number = attempt if isinstance(attempt, int) else 0
    listed = len(attempts) if isinstance(attempts, list) else 0
    if max(number, listed) <= 1:
        return None
    return _void(
        "second_attempt", f"The gateway made {max(number, listed)} attempts.", attempts=max(number, listed)
    )


def _plugins(metadata: Mapping[str, Any]) -> Verdict | None:
    pipeline = metadata.get("pipeline")
    for stage in pipeline if isinstance(pipeline, list) else []:
        kind = str(stage.get("type") or stage.get("name") or "") if isinstance(stage, dict) else str(stage)
        if any(word in kind.lower() for word in _ALTERING):
            return _void("plugin_altered", f"The gateway's plugin {kind} altered the answer.", plugin=kind)
    return None
