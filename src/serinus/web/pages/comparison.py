"""One comparison, running or ended: counts, intervals, what follows, and what one can send on (R27)."""

from __future__ import annotations

import io
import json
import zipfile
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response, StreamingResponse

from serinus.core.comparison.counts import Count, RouteCounts, of_routes
from serinus.core.comparison.standing import Standing
from serinus.core.exact import clopper_pearson
from serinus.core.explain import comparisons as told
from serinus.core.intervals import Interval
from serinus.core.model import Word
from serinus.service.comparing.documents import comparison_of, document, notes
from serinus.service.comparing.markdown import markdown, ordered, roles
from serinus.service.comparing.pack import FAILING, pack, samples
from serinus.service.comparing.result import Comparison, Sample
from serinus.service.comparisons import ComparisonRow, ComparisonState
from serinus.web.access import Prober, Reader
from serinus.web.office import Office
from serinus.web.pages import intervals
from serinus.web.pages.feed import HEADERS, changes
from serinus.web.pages.paper import Paper
from serinus.web.problems import Problem

Name = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")]
Kind = Literal["md", "json", "zip"]
TYPES: Final = {
    "md": "text/markdown; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "zip": "application/zip",
}
EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # a pack of the same comparison has the same bytes


def comparison(paper: Paper) -> APIRouter:
    """The page of a comparison, its stop, its feed, and its files."""
    router = APIRouter(include_in_schema=False)
    office = paper.office

    @router.get("/comparisons/{name}")
    def show(request: Request, _caller: Reader, name: Name) -> Response:
        return paper.page(request, "comparison.html", _shown(paper, _row(office, name)))

    @router.post("/comparisons/{name}/stop")
    async def stop(_caller: Prober, name: Name) -> Response:
        office.laboratory.stop(name)
        return paper.to(f"/comparisons/{name}")

    @router.get("/comparisons/{name}/live")
    async def live(_caller: Reader, name: Name) -> StreamingResponse:
        events = progress(office, name, office.changes.seen)
        return StreamingResponse(events, headers=HEADERS, media_type="text/event-stream")

    @router.get("/download/{name}.{kind}")
    def download(_caller: Reader, name: Name, kind: Kind) -> Response:
        found = comparison_of(_row(office, name))
        headers = {
            "Content-Disposition": f'attachment; filename="{name}.{kind}"',
            "Cache-Control": "no-store",
        }
        return Response(_file(found, kind), media_type=TYPES[kind], headers=headers)

    return router


async def progress(office: Office, name: str, seen: int) -> AsyncIterator[str]:
    """An event with each answer of a comparison, one at its end, and then those of the log."""
    yield "retry: 2000\n: serinus\n\n"
    number = 0
    while (running := office.laboratory.running) is not None and running.name == name:
        await running.news.wait()
        number += 1
        yield f"event: changed\ndata: {number}\n\n"
    yield f"event: changed\ndata: {number + 1}\n\n"
    async for event in changes(office, seen):
        yield event


def _row(office: Office, name: str) -> ComparisonRow:
    row = office.desk.store.comparisons.get(name)
    if row is None:
        raise Problem(404, f"There is no comparison {name}.")
    return row


def _shown(paper: Paper, row: ComparisonRow) -> dict[str, Any]:
    found = comparison_of(row)
    running = paper.office.laboratory.running
    here = running is not None and running.name == row.name
    values: dict[str, Any] = {
        "place": "/compare",
        "c": found,
        "asked": found.asked,
        "stoppable": here,
    }
    if found.state is ComparisonState.RUNNING:
        told_now = running.progress if here and running else None
        return {
            **values,
            "watched": paper.office.desk.memory.seen,
            "feed": paper.url(f"/comparisons/{row.name}/live"),
            "done_now": told_now.done if told_now else found.done,
            "cost_now": told_now.cost if told_now else found.cost,
            "counts": told_now.counts if told_now else {r.tag: r.total for r in found.routes},
            "apart": told_now.apart if told_now else {r.tag: sum(r.apart.values()) for r in found.routes},
        }
    conclusion = found.conclusion
    striking = [
        s.route.tag for s in conclusion.standings if s.stands_out and s.route.tag not in conclusion.tags
    ]
    return {
        **values,
        "sentence": told.of_comparison(conclusion),
        "kind": conclusion.kind.value,
        "notes": notes(found),
        "rows": [Row.of(s, found) for s in ordered(conclusion.standings)],
        "classes": _classes(found.routes),
        "axis": intervals.axis(),
        "shown_samples": _samples(found, striking),
        "blaming": bool(conclusion.blamed or conclusion.classes),
        "striking": striking,
    }


def _samples(found: Comparison, striking: Sequence[str]) -> list[Sample]:
    """The answers that a pack shows, and failing ones of routes that stand out though nobody asked."""
    failing = [s for s in found.samples if s.word == Word.FAIL and s.tag in striking]
    return [*failing[:FAILING], *samples(found)]


@dataclass(frozen=True, slots=True)
class Row:
    """One route of the table, in words and as a picture."""

    tag: str
    roles: Sequence[str]
    bad: bool
    count: str
    picture: Any
    share: str
    between: str
    peers: str
    p: str
    precision: str
    apart: str
    nothing: bool

    @classmethod
    def of(cls, s: Standing, found: Comparison) -> Row:
        """A route's row."""
        bad = s.route.tag in found.conclusion.blamed or s.stands_out
        peers = s.peers.share if s.peers.counted else None
        value = s.weighed if s.weighed is not None else s.corrected
        return cls(
            s.route.tag,
            roles(s, found),
            bad,
            told.of_count(s.count),
            intervals.interval(s.count.share, s.interval, peers, bad=bad),
            told.of_percent(s.count.share),
            told.of_percents(s.interval),
            told.of_count(s.peers),
            "–" if value is None else told.of_chance_value(value),
            s.route.known_precision or "not listed",
            told.of_apart(s.route.apart),
            not s.count.counted,
        )


@dataclass(frozen=True, slots=True)
class Class:
    """The routes of one precision class together."""

    name: str
    routes: int
    count: str
    between: str
    picture: Any


def _classes(routes: Sequence[RouteCounts]) -> list[Class]:
    """Each known precision class, where there are two of them or more."""
    by_class: dict[str, list[RouteCounts]] = defaultdict(list)
    for route in routes:
        if route.known_precision and route.total.counted:
            by_class[route.known_precision].append(route)
    return [_class(name, inside) for name, inside in sorted(by_class.items())] if len(by_class) > 1 else []


def _class(name: str, inside: Sequence[RouteCounts]) -> Class:
    count: Count = of_routes(inside)
    between: Interval = clopper_pearson(count.failed, count.counted)
    picture = intervals.interval(count.share, between, None, bad=False)
    return Class(name, len(inside), told.of_count(count), told.of_percents(between), picture)


def _file(found: Comparison, kind: Kind) -> str | bytes:
    if kind == "md":
        return markdown(found)
    if kind == "json":
        return json.dumps(document(found), indent=2, sort_keys=True)
    return _zipped(found)


def _zipped(found: Comparison) -> bytes:
    """The evidence pack: to send to the provider, without a key in it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in pack(found).items():
            entry = zipfile.ZipInfo(f"{found.asked.name}/{name}", EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.encode("utf-8", "backslashreplace"))
    return packed.getvalue()
