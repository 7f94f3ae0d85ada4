"""Users' reports (R26)."""

from __future__ import annotations

from datetime import tzinfo
from typing import Annotated, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from serinus.service.reporting import BadReportError, Complaint, file_report, report_document, understood
from serinus.web.access import Reader, Reporter
from serinus.web.api.shapes.acts import ModelName
from serinus.web.api.shapes.traffic import ReportBody, ReportShape, ReportsShape
from serinus.web.documents import answer
from serinus.web.office import Office
from serinus.web.problems import Problem, documented
from serinus.web.threads import aside

MOST: Final = 200


def reporting(office: Office) -> APIRouter:
    """The routes of reports."""
    router = APIRouter(prefix="/reports", tags=["reports"], responses=documented(401, 403, 422, 503))
    desk = office.desk

    @router.post("", response_model=ReportShape, responses=documented(400, 413))
    async def file(caller: Reporter, body: ReportBody) -> Response:
        """Find the routes that may have served, and what the canary knew of them around that time.

        There is no field for what a user wrote or read, and none of it is kept.
        """
        asked = body.model_dump(exclude={"zone"})
        try:
            complaint = Complaint(by=caller.name, **asked)
            wanted = await aside(lambda: understood(desk, complaint, zone_of(body.zone, office.zone)))
            filed = await file_report(desk, wanted, office.lookup)
        except LookupError as error:
            raise Problem(422, f"{error}. Nothing was kept.", kind="report") from None
        return answer(report_document(filed.row))

    @router.get("", response_model=ReportsShape)
    def reports(
        _: Reader,
        model: Annotated[ModelName | None, Query()] = None,
        limit: Annotated[int, Query(ge=1, le=MOST)] = 50,
        before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    ) -> Response:
        """Reports, newest first."""
        rows = desk.store.reports.latest(model, limit=limit + 1, before=before)
        page = rows[:limit]
        more = page[-1].id if len(rows) > limit else None
        return answer({"reports": [report_document(row) for row in page], "next": more})

    @router.get("/{number}", response_model=ReportShape, responses=documented(404))
    def report(_: Reader, number: Annotated[int, Path(ge=1, le=2**53)]) -> Response:
        """One report as it was answered."""
        row = desk.store.reports.one(number)
        if row is None:
            raise Problem(404, f"There is no report {number}.")
        return answer(report_document(row))

    return router


def zone_of(name: str | None, usual: tzinfo) -> tzinfo:
    """The zone of that name, or the usual one; raises BadReportError where there is none."""
    if name is None:
        return usual
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        message = f"found the time zone {name!r}; allowed is a name such as Europe/Rome or Asia/Tokyo"
        raise BadReportError(message) from None
