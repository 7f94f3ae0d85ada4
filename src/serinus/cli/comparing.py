"""A comparison for a terminal: what it will cost, its progress, its result, its pack."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from rich.console import RenderableType
from rich.status import Status
from rich.table import Table
from rich.text import Text

from serinus.cli.inert import inert
from serinus.cli.paper import columned, console
from serinus.cli.records import put
from serinus.cli.tables import show
from serinus.core.comparison.conclusion import Conclusion, Kind
from serinus.core.comparison.standing import Standing
from serinus.core.explain import comparisons as told
from serinus.core.explain.phrases import counted, listed, moment
from serinus.service.comparing.documents import document, notes, progress_document, summary
from serinus.service.comparing.markdown import markdown, ordered, roles
from serinus.service.comparing.pack import pack
from serinus.service.comparing.plan import Plan
from serinus.service.comparing.result import Comparison
from serinus.service.comparing.tally import Progress
from serinus.service.comparisons import ComparisonRow, ComparisonState

LINE: Final = 600
ENDED_EARLY: Final = 1  # exit status
NOT_ASKED: Final = 2
_BLAMING: Final = frozenset({Kind.ENDPOINT, Kind.PROMPT, Kind.CLASS, Kind.MODEL, Kind.SERVING})


def show_plan(found: Plan, *, simulated: bool) -> None:
    """What will be asked and what it costs, on standard error: before anything is spent."""
    estimate, request = found.estimate, found.request
    about = listed(found.suspects) if found.suspects else f"all {len(found.offers)} routes"
    cost = "at no cost, simulated" if simulated else _cost(found)
    lines = [
        f"comparison {found.name}: {request.model}, contract {found.contract.name}, about {about}",
        (
            f"{counted(estimate.requests, 'request')} to {counted(len(found.offers), 'route')}, "
            f"about {estimate.tokens} tokens, {cost}"
        ),
        f"seed {found.seed}: --seed repeats these prompts in this order",
    ]
    if found.detectable is None:
        lines.append("Too few answers: not even a fault in every answer would stand out.")
    else:
        share = told.of_percent(found.detectable)
        lines.append(f"A fault in {share} of the answers or more stands out four times in five.")
    lines += [f"{tag} is left out: {why}." for tag, why in found.left_out.items()]
    lines += found.notes
    sys.stderr.write("".join(f"{inert(line, LINE)}\n" for line in lines))
    sys.stderr.flush()


def _cost(found: Plan) -> str:
    estimate = found.estimate
    price = f"about {estimate.usd:.4f} USD, at most {estimate.most:.4f}"
    if estimate.unpriced:
        return f"{price}; without a price: {listed(estimate.unpriced)}"
    return price


class Watch:
    """Progress on standard error where a person looks; with JSON one object an answer on standard output."""

    def __init__(self, found: Plan, *, as_json: bool) -> None:
        self._wanted = len(found.asks)
        self._json = as_json
        self._console = console(stderr=True)
        self._status: Status | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._status = self._console.status(f"0 of {self._wanted} answers")
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def answered(self, progress: Progress) -> None:
        """One more answer."""
        if self._json:
            put({"progress": progress_document(progress)})
        if self._status is not None:
            self._status.update(inert(_state(progress), LINE))


def _state(progress: Progress) -> str:
    """`120 of 300 answers, 0.0031 USD; failing: iris/fp8 12/13`, the worst routes first."""
    failing = sorted(((c.share, tag, c) for tag, c in progress.counts.items() if c.failed), reverse=True)[:3]
    worst = ", ".join(f"{tag} {told.of_count(c)}" for _, tag, c in failing)
    head = f"{progress.done} of {progress.wanted} answers, {progress.cost:.4f} USD"
    return f"{head}; failing: {worst}" if worst else f"{head}; none failing"


@dataclass(frozen=True, slots=True)
class Shown:
    """How a comparison is shown, beside the table."""

    json: bool = False
    markdown: bool = False
    pack: Path | None = None


def give(found: Comparison, shown: Shown) -> int:
    """Show a comparison, write its pack where one is wanted; the exit status.

    Raises:
        OSError: the pack's folder cannot be written.
    """
    show_result(found, as_json=shown.json, as_markdown=shown.markdown)
    if shown.pack is not None:
        write_pack(found, shown.pack)
    return 0 if found.state is ComparisonState.DONE else ENDED_EARLY


def show_result(found: Comparison, *, as_json: bool, as_markdown: bool) -> None:
    """The result, in the wanted form."""
    if as_json:
        put(document(found))
    elif as_markdown:
        sys.stdout.write(markdown(found))
    else:
        _show_table(found)


def _show_table(found: Comparison) -> None:
    asked, conclusion = found.asked, found.conclusion
    paper = console()
    title = f"{asked.name}  {moment(asked.at)}  {asked.model}  {asked.contract}"
    parts: list[RenderableType] = [
        Text(f"\n{inert(title, LINE)}", style="bold"),
        Text(""),
        _table(found),
        Text(""),
        Text(inert(told.of_comparison(conclusion), LINE), style=_style(conclusion)),
    ]
    parts += [Text(f"  {inert(note, LINE)}") for note in notes(found)]
    ended = f"{found.done} of {counted(asked.wanted, 'request')}, {found.cost:.4f} USD, {found.state}"
    parts.append(Text(ended, style="dim"))
    show(paper, parts)


def _style(conclusion: Conclusion) -> str:
    if conclusion.kind in _BLAMING:
        return "bold red"
    return "bold green" if conclusion.kind is Kind.NOT_REPRODUCED else "bold yellow"


def _table(found: Comparison) -> Table:
    table = columned()
    for name in ("route", "precision", "failed", "95 %", "p", "not counted", ""):
        table.add_column(name, no_wrap=name in {"route", "failed", "95 %", "p"}, overflow="fold")
    for standing in ordered(found.conclusion.standings):
        style = "red" if standing.stands_out else ""
        table.add_row(*(Text(inert(cell), style=style) for cell in _cells(standing, found)))
    return table


def _cells(standing: Standing, found: Comparison) -> Sequence[str]:
    route = standing.route
    value = standing.weighed
    return (
        route.tag,
        route.known_precision or "?",
        told.of_count(standing.count),
        told.of_percents(standing.interval) if standing.count.counted else "",
        "" if value is None else told.of_chance_value(value).removeprefix("p = "),
        told.of_apart(route.apart),
        ", ".join(roles(standing, found)),
    )


def show_list(rows: Sequence[ComparisonRow], *, as_json: bool) -> None:
    """Comparisons, a line each."""
    if as_json:
        for row in rows:
            put(summary(row))
        return
    for row in rows:
        found = summary(row)
        said = found["sentence"] or f"{row.state}, {found['done']} of {found['wanted']} answers"
        if row.state is ComparisonState.FAILED:
            said = f"failed: {said}"
        line = f"{row.name}  {row.at:%Y-%m-%d %H:%M}  {row.model}  {found['contract']}  {said}"
        sys.stdout.write(f"{inert(line, LINE)}\n")
    if not rows:
        sys.stdout.write("no comparisons are kept\n")


def cannot_pack(folder: Path | None) -> str | None:
    """Why no pack can be written there, told before anything is spent."""
    if folder is None or not folder.exists():
        return None
    if not folder.is_dir():
        return f"--pack {folder}: it is no folder; name a new or an empty one"
    if any(folder.iterdir()):
        return f"--pack {folder}: it holds something already; name a new or an empty folder"
    return None


def write_pack(found: Comparison, folder: Path) -> None:
    """Write the pack's files and say where.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = pack(found)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    sys.stderr.write(f"{inert(f'evidence pack: {folder} ({listed(files)})', LINE)}\n")
