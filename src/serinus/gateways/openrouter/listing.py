"""The gateway's list of endpoints as offers: what can be read is read, what cannot is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from serinus.core.model import Listing, Offer, Route
from serinus.wire.json_text import as_list, as_mapping, as_text

KNOWN_STATUSES: Final = frozenset({0, -1, -2, -3, -5, -10})  # their meaning is not documented
_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class Providers:
    """The gateway's providers, display name by slug; empty while they are not known."""

    names: Mapping[str, str] = field(default_factory=dict)

    def slug_of(self, tag: str) -> tuple[str, bool]:
        """The base slug that covers a tag, and whether the list of providers has it.

        Slugs may hold a `/` themselves (`anthropic/2`), so the longest one that is the tag or ends
        before a `/` of it counts; without any, the part before the first `/` is taken.
        """
        parts = tag.split("/")
        for count in range(len(parts), 0, -1):
            slug = "/".join(parts[:count])
            if slug in self.names:
                return slug, True
        return parts[0], False


def providers_of(data: Any) -> Providers:
    """The providers of a `/providers` answer; entries without a name and a slug are left out."""
    entries = [as_mapping(entry) for entry in as_list(data)]
    pairs = ((as_text(e.get("slug")), as_text(e.get("name"))) for e in entries)
    return Providers({slug: name for slug, name in pairs if slug and name})


def listing_of(model: str, data: Any, providers: Providers, *, mandatory: bool | None) -> Listing:
    """The offers in the `data` of an endpoints answer.

    `mandatory` says whether the model always reasons, None if that is not known. A listing without
    any endpoint, or with at least as many broken ones as whole ones, is trouble: read as it stands, it would
    say that hosts are gone (R1).
    """
    endpoints = as_mapping(data).get("endpoints")
    if not isinstance(endpoints, list):
        found = "no such key" if endpoints is None else type(endpoints).__name__
        return Listing(model, trouble=f"the listing should have a list `endpoints`; found {found}")
    if not endpoints:
        return Listing(model, trouble="the listing names no endpoint")
    offers: dict[str, Offer] = {}
    broken: list[str] = []
    notes: list[str] = []
    for place, entry in enumerate(endpoints):
        tag = (as_text(as_mapping(entry).get("tag")) or "").strip()
        if not tag:
            broken.append(f"endpoint {place} has no tag and is left out: {str(entry)[:_SHOWN]!r}")
        elif tag in offers:
            notes.append(f"{tag} is listed more than once; the first is taken")
        else:
            offers[tag] = _offer(model, tag, entry, providers, mandatory=bool(mandatory))
            notes += _peculiar(tag, entry, providers)
    if len(broken) >= len(offers):
        sample = f"{len(broken)} of {len(endpoints)} endpoints cannot be read"
        return Listing(model, trouble=f"{sample}; {broken[0]}", notes=tuple(notes + broken))
    return Listing(model, tuple(offers.values()), notes=tuple(notes + broken))


def mandatory_of(data: Any) -> bool | None:
    """Whether a model's own entry says that its reasoning cannot be switched off; None if it is silent."""
    said = as_mapping(as_mapping(data).get("reasoning")).get("mandatory")
    return said if isinstance(said, bool) else None


def _offer(model: str, tag: str, entry: Mapping[str, Any], providers: Providers, *, mandatory: bool) -> Offer:
    slug, _ = providers.slug_of(tag)
    pricing = as_mapping(entry.get("pricing"))
    return Offer(
        route=Route(model, tag),
        provider=slug,
        display=as_text(entry.get("provider_name")) or providers.names.get(slug, slug),
        claims=frozenset(filter(None, map(as_text, as_list(entry.get("supported_parameters"))))),
        precision=as_text(entry.get("quantization")),
        prompt_price=_price(pricing.get("prompt")),
        completion_price=_price(pricing.get("completion")),
        tier=as_text(entry.get("service_tier")),
        status=_status(entry.get("status")),
        reasoning_mandatory=mandatory,
    )


def _peculiar(tag: str, entry: Mapping[str, Any], providers: Providers) -> Sequence[str]:
    """What is harmless and worth telling of an endpoint that could be read."""
    notes = []
    slug, listed = providers.slug_of(tag)
    if providers.names and not listed:
        notes.append(f"{tag} belongs to no listed provider; {slug!r} is taken for its provider")
    status = entry.get("status")
    if status is not None and _status(status) not in KNOWN_STATUSES:
        notes.append(f"{tag} has the unknown status {str(status)[:_SHOWN]!r}")
    if not isinstance(entry.get("supported_parameters"), list):
        notes.append(f"{tag} does not say which parameters it supports")
    if not as_text(entry.get("provider_name")):
        notes.append(f"{tag} does not say its provider's name")
    return notes


def _price(value: Any) -> float | None:
    """USD per token, given as a string; None where it is missing, no number or negative ("it depends")."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        price = float(value)
    except (ValueError, OverflowError):
        return None
    return price if 0 <= price < float("inf") else None


def _status(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
