"""Discovery that shows less than there is, or other names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from serinus.simulator.errors import ErrorReply
from serinus.simulator.faults.registry import ListingCase, Stage, at
from serinus.simulator.scenario import Host

Rows = list[dict[str, Any]]


@at(Stage.LISTING)
def listing_empty(rows: Rows, case: ListingCase) -> Rows:
    """The listing is empty, with status 200."""
    del rows, case
    return []


@at(Stage.LISTING)
def listing_500(rows: Rows, case: ListingCase) -> ErrorReply:
    """The listing fails with status 500."""
    del rows, case
    return ErrorReply(500, "Internal Server Error")


@at(Stage.LISTING)
def listing_html(rows: Rows, case: ListingCase) -> ErrorReply:
    """The edge answers the listing with status 503 and an HTML page."""
    del rows, case
    return ErrorReply(503, "Service Unavailable", body="<html><body>Service Unavailable</body></html>")


@at(Stage.LISTING)
def listing_flap(rows: Rows, case: ListingCase, *, share: float = 0.5) -> Rows:
    """The host is missing from the listing, though it still answers; at the gateway: a share of all hosts."""
    if case.host is None:
        return [row for row in rows if case.chance.random() >= share]
    return [row for row in rows if row["tag"] != case.host.tag]


@at(Stage.LISTING)
def listing_unclaimed(rows: Rows, case: ListingCase, *, parameter: str = "structured_outputs") -> Rows:
    """The listing no longer claims a parameter that the host supports."""
    own = case.host.tag if case.host else None
    return [
        {**row, "supported_parameters": [p for p in row["supported_parameters"] if p != parameter]}
        if own in (None, row["tag"])
        else row
        for row in rows
    ]


@at(Stage.HOST)
def variant_renamed(host: Host, case: ListingCase, *, to: str = "fp4") -> Host:
    """The endpoint gets another variant name: `x/fp8` becomes `x/fp4`, and the old name is gone."""
    del case
    return replace(host, tag=f"{host.provider}/{to}", precision=to)
