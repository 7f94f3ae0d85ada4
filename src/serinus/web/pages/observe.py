"""What observe mode would have done, how often it would have been wrong, and the mode itself (R17)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Final, Literal, get_args

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from serinus.contracts import contract_names
from serinus.core import explain
from serinus.core.durations import parse_duration
from serinus.core.policy import Lane, Mode, SetMode
from serinus.service.desk import Desk
from serinus.service.observing import ContractReport, ModelReport
from serinus.service.records.observing import advice
from serinus.web import acts
from serinus.web.access import Actor, Reader
from serinus.web.pages.done import done_lines, done_range
from serinus.web.pages.fields import Given, Name, chosen
from serinus.web.pages.paper import Paper
from serinus.web.problems import Problem

FRESH: Final = timedelta(minutes=5)  # a report grows this old before it is made anew without a change
Period = Literal["7d", "14d", "30d"]


@dataclass(slots=True)
class Reports:
    """Reports as they were made, until the log grows: reading weeks of rounds takes a moment."""

    desk: Desk
    _made: dict[tuple[str, str], tuple[int, int, datetime, ModelReport]] = field(default_factory=dict)

    def of(self, model: str, period: str) -> ModelReport:
        """The report on a model."""
        self.desk.memory.catch_up()
        seen, at = self.desk.memory.seen, self.desk.at
        marks = hash(frozenset(self.desk.store.marks().items()))
        kept = self._made.get((model, period))
        if kept is None or kept[:2] != (seen, marks) or at - kept[2] > FRESH:
            kept = (seen, marks, at, self.desk.observed(model, parse_duration(period)))
            self._made[model, period] = kept
        return kept[3]


def observe(paper: Paper) -> APIRouter:
    """The report of a model, and the form that changes its mode."""
    router = APIRouter(include_in_schema=False)
    desk = paper.office.desk
    reports = Reports(desk)

    @router.get("/observe")
    def show(
        request: Request, _caller: Reader, model: Name = "", period: Period = "14d", done: Name = ""
    ) -> Response:
        of, models = chosen(desk, model)
        report = reports.of(of, period) if of else None
        values = {
            "place": "/observe",
            "watched": desk.memory.seen,
            "done": done_lines(desk.store, done),
            "model": of,
            "models": models,
            "period": period,
            "periods": get_args(Period),
            "report": report,
            "rows": [Row.of(c, report) for c in report.contracts] if report else [],
            "shadow": Lane.SHADOW,
        }
        return paper.page(request, "observe.html", values)

    _mode(paper, router)
    return router


@dataclass(frozen=True, slots=True)
class Row:
    """One contract of the report, in words."""

    contract: str
    enforced: bool
    days: int
    share: str
    chance: str
    would: int
    unmarked: int
    doubtful: int
    wrong: str
    advice: str
    ready: bool

    @classmethod
    def of(cls, c: ContractReport, report: ModelReport) -> Row:
        """The contract's part of a report."""
        share = c.share.fails / c.share.of if c.share.of else 0.0
        return cls(
            c.contract,
            c.lane is Lane.REAL,
            c.days,
            explain.of_share(c.share.fails, c.share.of, c.share.interval),
            explain.of_chance(share, c.share.interval, report.rounds_a_day),
            len(c.would),
            c.unmarked,
            c.doubtful,
            explain.of_share(c.wrong, c.right + c.wrong, c.wrong_share),
            advice(c),
            c.advice == "enforce",
        )


def _mode(paper: Paper, router: APIRouter) -> None:
    desk = paper.office.desk

    @router.get("/mode")
    def ask(
        request: Request, _caller: Actor, mode: Mode = Mode.ENFORCE, model: Name = "", contract: Name = ""
    ) -> Response:
        models = desk.models([model] if model else ())
        enforcing = mode is Mode.ENFORCE
        found = desk.prospects(models, contract or None) if enforcing else []
        values = {
            "place": "/observe",
            "w": {"mode": mode.value, "model": model, "contract": contract},
            "models": desk.models(),
            "contracts": contract_names(),
            "short": [said for p in found if (said := p.shortage)],
            "enforcing": enforcing,
            # Switching to enforce first shows what observe mode saw of each contract that would change.
            "said": [(p.report.model, c.contract, advice(c)) for p in found for c in p.changed],
        }
        return paper.page(request, "mode.html", values)

    @router.post("/mode")
    def do(  # noqa: PLR0913, PLR0917  each is a field of the form
        caller: Actor, mode: Annotated[Mode, Form()], why: Given, model: Given = "", contract: Given = "",
        confirm: Given = "",
    ) -> Response:  # fmt: skip
        if contract and contract not in contract_names():
            raise Problem(422, f"There is no contract {contract!r}. Nothing was changed.")
        wanted = SetMode(desk.at, mode, model or None, contract or None, None, why)
        acted = acts.set_mode(desk, caller.name, wanted, confirm=bool(confirm))
        done = done_range(acted.done) if acted.done else None
        return paper.to("/observe", model=model or None, done=done)
