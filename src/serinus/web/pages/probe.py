"""Probe now: one route asked at once, its price shown before and its evidence after; it feeds no streak."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field

from serinus.contracts import contracts
from serinus.core import explain
from serinus.core.model import Offer
from serinus.judging.contract import Contract
from serinus.service.documents import offers_of
from serinus.service.evidence import facts
from serinus.service.probed import as_evidence, price
from serinus.service.traffic import failing
from serinus.web.access import Prober, Reader
from serinus.web.laboratory import NO_GATEWAY
from serinus.web.office import Office
from serinus.web.pages.feed import HEADERS, changes
from serinus.web.pages.fields import Number
from serinus.web.pages.paper import Paper
from serinus.web.pages.route import known
from serinus.web.problems import Problem
from serinus.web.threads import aside
from serinus.web.trials import Trial

GONE: Final = "This probe is not held any more: results are kept in memory alone, and for a while."


class Probing(BaseModel):
    """The fields of the form; no contract means those that the route fails, or all."""

    model: Annotated[str, Field(max_length=500)]
    tag: Annotated[str, Field(max_length=500)]
    contract: Annotated[tuple[Annotated[str, Field(max_length=64)], ...], Field(max_length=64)] = ()
    language: Annotated[str, Field(max_length=16)] = ""
    look: Annotated[str, Field(max_length=8)] = ""


def probe(paper: Paper) -> APIRouter:
    """The form with its price, what it sends, and each result."""
    router = APIRouter(include_in_schema=False)
    office = paper.office
    trials = office.laboratory.trials
    paper.environment.globals.update(facts=facts)

    @router.get("/probe")
    def ask(request: Request, _caller: Prober, wanted: Annotated[Probing, Query()]) -> Response:
        return paper.page(request, "probe.html", _asked(office, wanted))

    @router.post("/probe")
    async def begin(caller: Prober, wanted: Annotated[Probing, Form()]) -> Response:
        if not office.laboratory.able:
            raise Problem(409, NO_GATEWAY, kind="no_gateway")
        asked = await aside(lambda: _checked(office, wanted))
        trial = trials.begin(
            wanted.model, asked["tag"], asked["chosen"], caller.name, office.desk.at, asked["language"]
        )
        return paper.to(f"/probes/{trial.number}")

    @router.get("/probes/{number}")
    def show(request: Request, _caller: Reader, number: Number) -> Response:
        trial = replace(_held(office, number))  # as it stands: it goes on while this is written
        values: dict[str, Any] = {"place": "/", "t": trial, "said": explain.of_unfed()}
        if trial.running:
            values |= {"watched": office.desk.memory.seen, "feed": paper.url(f"/probes/{number}/live")}
        if trial.report is not None:
            values["e"] = as_evidence(trial.report, trial.at)
        return paper.page(request, "probed.html", values)

    @router.get("/probes/{number}/live")
    async def live(_caller: Reader, number: Number) -> StreamingResponse:
        return StreamingResponse(
            _progress(office, _held(office, number)), headers=HEADERS, media_type="text/event-stream"
        )

    return router


async def _progress(office: Office, trial: Trial) -> AsyncIterator[str]:
    """An event with each answer of a probe and at its end, and then those of the log."""
    yield "retry: 2000\n: serinus\n\n"
    while trial.running:
        await trial.news.wait()
        yield f"event: changed\ndata: {trial.answers}\n\n"
    yield f"event: changed\ndata: {trial.answers}\n\n"
    async for event in changes(office, office.changes.seen):
        yield event


def _held(office: Office, number: int) -> Trial:
    trial = office.laboratory.trials.get(number)
    if trial is None:
        raise Problem(404, GONE)
    return trial


def _asked(office: Office, wanted: Probing) -> dict[str, Any]:
    """What the form shows: the contracts, the price of those that are chosen."""
    desk = office.desk
    (model,) = desk.models([wanted.model])
    standing = desk.sight().model(model, only=wanted.tag)
    route = known(standing.routes, wanted.tag, model)
    asking = [c for c in contracts() if c.scored]
    names = set(wanted.contract) if wanted.look else set(failing(route))
    chosen = [c for c in asking if c.name in names] or asking
    languages = office.plans[model].languages if model in office.plans else ("en",)
    language = wanted.language if wanted.language in languages else languages[0]
    offer = next((o for o in offers_of(desk.store.listing(model)) if o.route.tag == route.tag), None)
    return {
        "place": "/",
        "r": route,
        "tag": route.tag,
        "model": model,
        "all": asking,
        "chosen": chosen,
        "languages": languages,
        "language": language,
        "able": office.laboratory.able,
        "no_gateway": NO_GATEWAY,
        "said": explain.of_unfed(),
        "earlier": office.laboratory.trials.of_route(model, route.tag),
        **_priced(office, offer, chosen, language),
    }


def _priced(office: Office, offer: Offer | None, chosen: Sequence[Contract], language: str) -> dict[str, Any]:
    if offer is None:
        return {"cost": None, "dear": None}
    found, most = price(offer, chosen, language)
    desk = office.desk
    spent = desk.store.spent(desk.at.date())
    dear = explain.of_dear_probe(found.usd, spent, desk.budget) if found.usd > desk.budget - spent else None
    unpriced = [explain.of_unpriced(found.unpriced)] if found.unpriced else []
    said = [explain.of_price(found.requests, found.tokens, found.usd, most), *unpriced]
    return {"cost": said, "dear": dear, "usd": found.usd}


def _checked(office: Office, wanted: Probing) -> dict[str, Any]:
    """As the form showed it; raises Problem where the day's budget cannot pay for it."""
    asked = _asked(office, wanted.model_copy(update={"look": "1"}))
    if asked["dear"]:
        raise Problem(409, asked["dear"], kind="budget")
    return asked
