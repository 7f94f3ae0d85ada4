"""Filing a report: find who served, look at each route's past, keep what was found (R26)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from serinus.core import explain
from serinus.service.desk import Desk
from serinus.service.reporting.around import Past, past_of
from serinus.service.reporting.asked import Asked, BadReportError
from serinus.service.reporting.documents import found_document
from serinus.service.reporting.findings import Candidate, Confidence, Found, Served, Source, Stand
from serinus.service.reporting.serving import Lookup, Serving, served_by
from serinus.service.reports import ReportRow

OUT: Final = frozenset({Stand.SUSPENDED, Stand.EXCLUDED})
DOUBTED: Final = OUT | {Stand.WOULD_BE_SUSPENDED, Stand.HELD_AT_FLOOR}


@dataclass(frozen=True, slots=True)
class Filed:
    """A report that was kept, with what was found."""

    row: ReportRow
    found: Found


async def file_report(desk: Desk, asked: Asked, lookup: Lookup) -> Filed:
    """Look into a report and keep it.

    Raises:
        BadReportError: neither its ids nor its time tell anything, or it is of another model.
        StoreError: the store cannot be used; nothing was kept.
    """
    serving = await served_by(desk, asked, lookup)
    found = await asyncio.to_thread(_found, desk, asked, serving)
    row = ReportRow(
        at=desk.at,
        by=asked.by,
        model=found.model,
        since=found.since,
        until=found.until,
        generation=asked.generation,
        contract=asked.contract,
        document=found_document(found, asked),
    )
    number = await asyncio.to_thread(desk.store.reports.keep, row)
    return Filed(replace(row, id=number), found)


def _found(desk: Desk, asked: Asked, serving: Serving | None) -> Found:
    if serving is None:
        return _by_production(desk, asked)
    past = past_of(desk, serving.model, serving.middle)
    candidates = tuple(_ranked(past, serving.routes, asked.contract))
    return Found(
        serving.model,
        serving.since,
        serving.until,
        serving.source,
        candidates,
        tuple(_notes(asked, serving, candidates)),
        serving.requests,
        serving.unnamed,
    )


def _by_production(desk: Desk, asked: Asked) -> Found:
    """Nobody can tell: every route that was in production then may have served."""
    if asked.model is None:
        message = "neither the ledger nor the gateway knows that id; give --model and --at"
        raise BadReportError(message)
    since, until = asked.period()
    past = past_of(desk, asked.model, since + (until - since) / 2)
    routes = [Served(tag, Confidence.POSSIBLE) for tag in past.production()]
    candidates = tuple(_ranked(past, routes, asked.contract))
    notes = [*_of_time(asked), explain.of_no_source(len(candidates), known=bool(past.looks))]
    return Found(asked.model, since, until, Source.PRODUCTION, candidates, tuple(notes))


def _ranked(past: Past, routes: list[Served] | tuple[Served, ...], contract: str | None) -> list[Candidate]:
    """The most suspicious first: the suspected contract failed, any did, it is doubted; then by share."""
    found = [past.candidate(served, contract) for served in routes]

    def suspicion(c: Candidate) -> tuple[int, int, bool, float, str]:
        looks = (*c.before, *c.after)
        own = sum(look.word(contract) == "fail" for look in looks) if contract else 0
        doubted = c.then.stand in DOUBTED or c.now.stand in DOUBTED
        return -own, -sum(bool(look.failed) for look in looks), not doubted, -(c.served.share or 0), c.tag

    return sorted(found, key=suspicion)


def _of_time(asked: Asked) -> list[str]:
    return [explain.of_told_time(asked.told)] if asked.told else []


def _notes(asked: Asked, serving: Serving, candidates: tuple[Candidate, ...]) -> list[str]:
    said = _of_time(asked)
    if asked.told and not serving.since <= asked.told.first <= serving.until:
        said.append(explain.of_other_time(serving.middle))
    said.append(explain.of_source(serving.source, serving.requests, len(candidates)))
    shared = {c.served.among for c in candidates if c.served.among}
    said += [explain.of_shared_name(among) for among in sorted(shared)]
    if serving.unnamed:
        said.append(explain.of_unnamed(serving.unnamed, serving.requests))
    if serving.source is not Source.WINDOW:
        said += [explain.of_served_while_out(c.tag) for c in candidates if c.then.stand in OUT]
    return said
