"""The gateway's record of one generation: which endpoints were tried, as no response tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from serinus.wire.json_text import as_list, as_mapping, as_number, as_text


@dataclass(frozen=True, slots=True)
class Generation:
    """Who served, by `GET /generation`. Times are in seconds; None where the record is silent.

    `attempts` are all endpoints tried, in order, as (provider's name, endpoint id, status): the id
    alone tells endpoints of one provider apart (R3). `raw` is the record as it came.
    """

    id: str
    provider: str | None = None
    attempts: tuple[tuple[str | None, str | None, int | None], ...] = ()
    is_byok: bool | None = None
    latency: float | None = None
    service_tier: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict)


def generation_of(identity: str, data: Any) -> Generation:
    """Read the `data` of a generation record."""
    record = as_mapping(data)
    milliseconds = as_number(record.get("latency"))
    byok = record.get("is_byok")
    return Generation(
        id=as_text(record.get("id")) or identity,
        provider=as_text(record.get("provider_name")),
        attempts=tuple(_attempt(as_mapping(a)) for a in as_list(record.get("provider_responses"))),
        is_byok=byok if isinstance(byok, bool) else None,
        latency=None if milliseconds is None else milliseconds / 1000,
        service_tier=as_text(record.get("service_tier")),
        raw=record,
    )


def _attempt(attempt: Mapping[str, Any]) -> tuple[str | None, str | None, int | None]:
    status = attempt.get("status")
    return (
        as_text(attempt.get("provider_name")),
        as_text(attempt.get("endpoint_id")),
        status if isinstance(status, int) and not isinstance(status, bool) else None,
    )
