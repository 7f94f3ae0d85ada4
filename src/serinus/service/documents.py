"""Values as documents for the store, and back: listings, debts, transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from typing import Any

from serinus.core.model import Offer, Route
from serinus.core.transcript import Event, Transcript
from serinus.service.owing import Debt, Owed
from serinus.service.storage import Document
from serinus.text.folding import folded

EVENTS_KEPT = 4000  # of one kept transcript; a flood is told by its count


def listing_document(offers: Iterable[Offer]) -> Document:
    """A listing as a document."""
    return {"version": 1, "offers": [_offer_document(o) for o in offers]}


def offers_of(document: Document | None) -> tuple[Offer, ...]:
    """The offers of a listing document; none where there is no document."""
    return tuple(_offer(o) for o in (document or {}).get("offers", ()))


def owed_document(owed: Owed) -> Document:
    """A route's debts as a document."""
    return {"debts": [[d.contract, d.language] for d in owed.debts]}


def owed_of(document: Document) -> Owed:
    """A route's debts from their document."""
    return Owed(tuple(Debt(contract, language) for contract, language in document.get("debts", ())))


def transcript_document(transcript: Transcript) -> Document:
    """A transcript as evidence: the request and all that came back, so that it can be judged again."""
    probe = asdict(transcript.probe)
    probe["expect"]["seen_hashes"] = sorted(probe["expect"]["seen_hashes"])
    probe["expect"]["previous_nonces"] = _said(transcript.text, probe["expect"]["previous_nonces"])
    return {
        "version": 1,
        "probe": probe,
        "pin": transcript.pin,
        "display": transcript.display,
        "direct": transcript.direct,
        "proof": transcript.proof,
        "status": transcript.status,
        "headers": dict(transcript.headers),
        "events": [_event_document(e) for e in transcript.events[:EVENTS_KEPT]],
        "events_dropped": max(0, len(transcript.events) - EVENTS_KEPT),
        "body": transcript.body,
        "end": transcript.end.value,
        "ended": transcript.ended,
        "phase": transcript.phase and transcript.phase.value,
        "error": transcript.error,
        "timing": asdict(transcript.timing),
        "control": transcript.control,
    }


def _said(text: str, nonces: Sequence[str]) -> list[str]:
    """The nonces that the text holds: a process that has just begun knows none of the round before."""
    said = folded(text)
    return [nonce for nonce in nonces if folded(nonce) in said]


def _event_document(event: Event) -> dict[str, Any]:
    return {k: v for k, v in asdict(event).items() if v not in (None, False)}


def _offer_document(offer: Offer) -> dict[str, Any]:
    return {**asdict(offer), "claims": sorted(offer.claims)}


def _offer(document: dict[str, Any]) -> Offer:
    known = {f.name for f in fields(Offer)}
    kept = {k: v for k, v in document.items() if k in known}
    return Offer(**{**kept, "route": Route(**kept["route"]), "claims": frozenset(kept["claims"])})
