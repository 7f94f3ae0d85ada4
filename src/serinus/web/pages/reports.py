"""Users' reports: a form, what was found of each, and the way from there to proof (R26).

There is no field for what a user wrote or read: not here, and not in what is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import partial
from itertools import groupby
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from serinus.contracts import contract_names
from serinus.core import explain
from serinus.core.durations import parse_duration
from serinus.core.instants import parse_instant
from serinus.service.comparisons import ComparisonRow
from serinus.service.reporting import (
    BadReportError,
    Complaint,
    contract_of,
    file_report,
    report_document,
    understood,
)
from serinus.service.reports import ReportRow
from serinus.web.access import Reader, Reporter
from serinus.web.api.reports import zone_of
from serinus.web.pages.fields import Number
from serinus.web.pages.paper import Paper
from serinus.web.problems import Problem
from serinus.web.threads import aside

PAGE: Final = 30
WINDOWS: Final = (
    ("2m", "2 minutes"),
    ("10m", "10 minutes"),
    ("30m", "30 minutes"),
    ("1h", "1 hour"),
    ("6h", "6 hours"),
    ("1d", "1 day"),
)
BROKEN: Final = frozenset({"fail", "alarm"})
BADGES: Final = {
    "production": "prod",
    "suspended": "out",
    "would_be_suspended": "would",
    "held_at_floor": "held",
    "excluded": "out",
    "unknown": "quiet",
}
Short = Annotated[str, Field(max_length=128)]


class Filled(BaseModel):
    """The fields of the form, as they were filled in."""

    model: Annotated[str, Field(max_length=500)] = ""
    at: Annotated[str, Field(max_length=60)] = ""
    zone: Annotated[str, Field(max_length=64)] = ""
    window: Annotated[str, Field(max_length=10)] = "10m"
    generation: Short = ""
    conversation: Annotated[str, Field(max_length=512)] = ""
    contract: Short = ""


class Turned(Filled):
    """The form, and which page of the list stands below it."""

    before: Annotated[int | None, Field(ge=1, le=2**53)] = None


def reports(paper: Paper) -> APIRouter:
    """The form, the list and each report."""
    router = APIRouter(include_in_schema=False)
    office = paper.office
    desk = office.desk

    @router.get("/reports")
    def ask(
        request: Request,
        _caller: Reader,
        told: Annotated[Turned, Query()],
    ) -> Response:
        return _form(paper, request, told, before=told.before)

    @router.post("/reports")
    async def file(request: Request, caller: Reporter, told: Annotated[Filled, Form()]) -> Response:
        try:
            complaint = _complaint(told, caller.name)
            wanted = await aside(lambda: understood(desk, complaint, zone_of(told.zone or None, office.zone)))
            filed = await file_report(desk, wanted, office.lookup)
        except (LookupError, ValueError) as error:
            said = f"{error}. Nothing was kept."
            return await aside(partial(_form, paper, request, told, said))
        return paper.to(f"/reports/{filed.row.id}")

    @router.get("/reports/{number}")
    def show(request: Request, _caller: Reader, number: Number) -> Response:
        row = desk.store.reports.one(number)
        if row is None:
            raise Problem(404, f"There is no report {number}.")
        compared = desk.store.comparisons.get(row.comparison) if row.comparison else None
        return paper.page(request, "report.html", _shown(row, compared))

    return router


def _complaint(told: Filled, by: str) -> Complaint:
    try:
        window = parse_duration(told.window)
    except ValueError as error:
        message = f"the window: {error}"
        raise BadReportError(message) from None
    return Complaint(
        by=by,
        model=told.model or None,
        at=told.at.strip() or None,
        window=window,
        generation=told.generation.strip() or None,
        conversation=told.conversation.strip() or None,
        contract=told.contract or None,
    )


def _form(
    paper: Paper, request: Request, told: Filled, trouble: str | None = None, *, before: int | None = None
) -> Response:
    office = paper.office
    rows = office.desk.store.reports.latest(limit=PAGE + 1, before=before)
    values = {
        "place": "/reports",
        "here": "/reports",
        "told": told,
        "trouble": trouble,
        "models": office.desk.models(),
        "contracts": contract_names(),
        "windows": WINDOWS,
        "zone": _called(office.zone, office.desk.at),
        "rows": rows[:PAGE],
        "older": rows[PAGE - 1].id if len(rows) > PAGE else None,
    }
    return paper.page(request, "reports.html", values, 422 if trouble else 200)


def _called(zone: tzinfo, at: datetime) -> str:
    """A zone as a person knows it: `Europe/Rome`, `UTC`."""
    return str(getattr(zone, "key", None) or at.astimezone(zone).tzname())


def _shown(row: ReportRow, compared: ComparisonRow | None) -> dict[str, Any]:
    verdict = compared and compared.document["verdict"]
    return {
        "place": "/reports",
        "row": row,
        "found": report_document(row),
        "candidates": [Candidate.of(c) for c in row.document["candidates"]],
        "provable": contract_of(row),
        "compared": compared,
        "sentence": verdict and verdict["sentence"],
    }


@dataclass(frozen=True, slots=True)
class Look:
    """One round around that time, in words: `odd` are its sentences, `broken` whether a promise was."""

    at: datetime
    odd: Sequence[str]
    broken: Sequence[str]

    @classmethod
    def of(cls, look: Mapping[str, Any]) -> Look:
        """A kept look."""
        broken = [contract for contract, word in look["verdicts"].items() if word in BROKEN]
        return cls(parse_instant(look["at"]), look["odd"], broken)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A route that may have served, for a person."""

    tag: str
    kept: Mapping[str, Any]
    then: tuple[str, str]
    now: tuple[str, str]
    before: Sequence[Look]
    after: Sequence[Look]
    decisions: Sequence[tuple[datetime, Mapping[str, Any]]]

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Candidate:
        """A kept candidate."""
        return cls(
            kept["route"],
            kept,
            _stand(kept["then"]["stand"]),
            _stand(kept["now"]["stand"]),
            [Look.of(look) for look in kept["before"]],
            [Look.of(look) for look in kept["after"]],
            [(parse_instant(d["at"]), d) for d in kept["decisions"]],
        )

    @property
    def telling(self) -> bool:
        """Whether there is anything to say of it beside that it may have served."""
        return bool(self.decisions or any(look.odd for look in (*self.before, *self.after)))

    @property
    def looks(self) -> list[list[Look]]:
        """The rounds around that time in which something was odd, as they came; alike ones together."""
        odd = [look for look in (*reversed(self.before), *self.after) if look.odd]
        return [list(same) for _, same in groupby(odd, key=lambda look: tuple(look.odd))]

    def share(self) -> str:
        """How many of the requests were its own."""
        served = self.kept
        if served["share"] is None:
            return f"one of {len(served['among'])} of its name" if served["among"] else ""
        return f"{served['requests']} of them, {served['share'] * 100:.0f} %"


def _stand(stand: str) -> tuple[str, str]:
    """Where it stood in words, and the badge that they are shown on."""
    return explain.of_stand(stand), BADGES[stand]
