"""The overview: what is out, why, since when and until when, and what is left; then every model."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from serinus.core import explain
from serinus.core.policy import Lane
from serinus.service.board import Board, ModelBoard
from serinus.service.boards import Boards
from serinus.service.logbook import Line, Wanted, lines
from serinus.service.standing import troubles_of
from serinus.web.access import Reader
from serinus.web.pages.paper import Paper
from serinus.web.pages.past import told
from serinus.web.pages.seen import Seen, remember, seen_by

DAY: Final = timedelta(days=1)
CARDS: Final = 12  # routes that are out and shown each with its own reason
ROWS: Final = 6  # routes of one model that need a look, shown as bars
MODELS: Final = 10  # models that need a look, shown with their routes
FEW: Final = 60  # routes in all, up to which those in production are shown too, folded
NEWS: Final = 8


def overview(paper: Paper, boards: Boards) -> APIRouter:
    """The first page."""
    router = APIRouter(include_in_schema=False)
    desk = paper.office.desk

    @router.get("/")
    def show(request: Request, _caller: Reader) -> Response:
        board = boards.board()
        before = seen_by(request)
        seen = before.looked(board.seen, board.at) if before else Seen(board.seen, board.seen, board.at)
        after = seen.before if before else 0
        news = list(lines(desk.store, Wanted(board.at - DAY if not before else _EVER, after=after)))
        values = _values(board, news, desk.store.holder(), first_look=before is None)
        values["spent"] = desk.store.spent(board.at.date())
        values["budget"] = desk.budget
        return remember(paper.page(request, "overview.html", values), seen, paper.office.site.root)

    @router.get("/model")
    def model(request: Request, _caller: Reader, id: str) -> Response:  # noqa: A002  the address's word
        board = boards.board([id])
        values = {"m": board.models[0], "span": span_of(board), "watched": board.seen, "place": "/"}
        values["troubles"] = troubles_of(board.models[0].standing, desk.interval)
        return paper.page(request, "model.html", values)

    @router.post("/seen")
    def seen(_caller: Reader, seq: Annotated[int, Form(ge=0, le=10**15)]) -> Response:
        return remember(paper.to("/"), Seen(seq, seq, desk.at), paper.office.site.root)

    return router


_EVER: Final = datetime(1970, 1, 1, tzinfo=UTC)


def span_of(board: Board) -> str:
    """The time that its bars show."""
    hours = board.grid.length / timedelta(hours=1)
    return f"last {explain.counted(int(hours), 'hour') if hours >= 1 else explain.lasting(board.grid.length)}"


def _values(board: Board, news: list[Line], holder: str | None, *, first_look: bool) -> dict[str, Any]:
    out, would = board.out(), board.would_be_out()
    loud = sorted((m for m in board.models if not m.calm), key=_loudness)
    counted = [m for m in board.models if m.standing.last]
    # A first round under way is no trouble of its model; that no model had one is said in the first line.
    told_of = [m for m in board.models if m.standing.last or (counted and holder is None)]
    failing = [*board.held(), *would]
    few = sum(len(m.routes) for m in board.models) <= FEW
    affected = {m.standing.model for m, _ in out or would}
    shown_loud = [*loud, *(m for m in board.models if m.calm)] if few else loud
    return {
        "place": "/",
        "watched": board.seen,
        **_first_lines(board, counted, holder, explain.of_headline(len(out), len(would), len(affected))),
        "counted": counted,
        "short": any(m.standing.below for m in board.models),
        "stale": any(m.standing.stale for m in told_of),
        "troubles": [s for m in told_of for s in _troubles(m, board.grid.slot)],
        "holder": holder,
        "out": out[:CARDS],
        "more_out": max(0, len(out) - CARDS),
        "failing": failing[:CARDS],
        "more_failing": max(0, len(failing) - CARDS),
        "shadow": Lane.SHADOW,
        "news": [told(line) for line in news[: -NEWS - 1 : -1]],
        "more_news": max(0, len(news) - NEWS),
        "first_look": first_look,
        "many": len(board.models) > 1,
        "loud": shown_loud[:MODELS],
        "more_loud": shown_loud[MODELS:],
        "calm": [] if few else [m for m in board.models if m.calm],
        "small": few,
        "rows": FEW if few else ROWS,
        "span": span_of(board),
    }


def _first_lines(
    board: Board, counted: Sequence[ModelBoard], holder: str | None, headline: str
) -> dict[str, str]:
    """What is out, and what is left; of a canary that fell silent, first that all of this is old."""
    if not counted:
        return {
            "headline": explain.of_nothing_yet(),
            "left": explain.of_first_round(held=holder is not None),
        }
    short = {m.standing.model: m.standing.capacity for m in counted if m.standing.below}
    floor = max(m.standing.floor for m in counted)
    left = explain.of_left(short, _least(counted), len(counted), floor)
    if all(m.standing.stale for m in counted):
        last = max(m.standing.last.at for m in counted if m.standing.last)
        return {"headline": explain.of_silence(last, board.at), "left": f"At that time: {headline} {left}"}
    return {"headline": headline, "left": left}


def _troubles(m: ModelBoard, interval: timedelta) -> list[str]:
    """Its troubles, without those that the second line tells of all models at once."""
    short = explain.of_shortage(m.standing.model, m.standing.capacity, m.standing.floor)
    return [told for told in troubles_of(m.standing, interval) if told != short]


def _least(models: Sequence[ModelBoard]) -> tuple[str, int]:
    """The model with the fewest providers left."""
    least = min(models, key=lambda m: m.standing.capacity).standing
    return least.model, least.capacity


def _loudness(m: ModelBoard) -> tuple[bool, int, str]:
    ill = [r for r in m.routes if not r.healthy]
    return not m.standing.below, -sum(3 if r.standing.out else 1 for r in ill), m.standing.model
