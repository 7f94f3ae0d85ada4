"""A report as a person sees it: who may have served, how sure that is, what was known of each route."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from serinus.cli.inert import inert
from serinus.cli.paper import columned
from serinus.core import explain

Document = Mapping[str, Any]

STYLES: Final = {
    "production": "dim",
    "suspended": "bold red",
    "would_be_suspended": "yellow",
    "held_at_floor": "yellow",
    "excluded": "red",
    "unknown": "dim",
}
SAID: Final = 4  # anomalies of a route that are shown
LINE: Final = 400
FEW: Final = 2  # routes that fit a line


def parts(report: Document) -> list[RenderableType]:
    """What a terminal shows of a report."""
    period = f"{_minute(report['since'])} to {_minute(report['until'])} UTC"
    title = Text.assemble((f"report {report['report']}", "bold"), "  ", inert(report["model"]), f"  {period}")
    about = [
        ("suspected", report["contract"]),
        ("generation", report["generation"]),
        ("by", report["by"]),
        ("comparison", report["comparison"]),
    ]
    shown: list[RenderableType] = [
        Text(""),
        title,
        Text("  ".join(f"{name} {inert(value)}" for name, value in about if value), style="dim"),
        Text(""),
        *(Text(inert(note, LINE)) for note in report["notes"]),
        Text(""),
    ]
    candidates = report["candidates"]
    if candidates:
        shown += [_table(candidates), Text("")]
    for candidate in candidates:
        shown += _details(candidate)
    return shown


def _table(candidates: Sequence[Document]) -> Table:
    table = columned()
    for name in ("route", "served", "stood then", "stands now"):
        table.add_column(name, overflow="fold", no_wrap=name.startswith("st"))
    for name in ("failed before", "failed since"):
        table.add_column(name, overflow="fold")
    for c in candidates:
        table.add_row(
            Text(inert(c["route"]), style="bold"),
            _served(c),
            _stand(c["then"]),
            _stand(c["now"]),
            _failed(c["before"]),
            _failed(c["after"]),
        )
    return table


def _served(c: Document) -> str:
    if c["confidence"] == "exact":
        return "it did" if c["requests"] == 1 else f"all {c['requests']}"
    if c["share"] is None:
        return f"one of {len(c['among'])}" if c["among"] else "perhaps"
    shared = ", with others of its name" if c["among"] else ""
    return f"{c['requests']} ({c['share'] * 100:.0f} %){shared}"


def _stand(standing: Document) -> Text:
    return Text(explain.of_stand(standing["stand"]), style=STYLES[standing["stand"]])


def _failed(looks: Sequence[Document]) -> Text:
    """The contracts that failed in those rounds, with in how many of them."""
    if not looks:
        return Text("no round", style="dim")
    counts: dict[str, int] = {}
    for look in looks:
        for contract, word in look["verdicts"].items():
            if word in {"fail", "alarm"}:
                counts[contract] = counts.get(contract, 0) + 1
    if not counts:
        return Text(f"nothing of {len(looks)}", style="green")
    said = ", ".join(f"{inert(c)} {n} of {len(looks)}" for c, n in sorted(counts.items()))
    return Text(said, style="bold red")


def _details(candidate: Document) -> list[RenderableType]:
    """What was odd about one route around that time; nothing of a quiet one."""
    odd = [
        f"{_minute(look['at'])}  {said}"
        for look in (*reversed(candidate["before"]), *candidate["after"])
        for said in look["odd"]
    ]
    past = [
        f"{_minute(d['at'])}  {'would be ' if d['enforced'] is False else ''}"
        f"{d['decision'].replace('_', ' ')}: {d['why']}"
        for d in candidate["decisions"]
    ]
    stood = [s["why"] for s in (candidate["then"], candidate["now"]) if s["stand"] not in QUIET]
    lines = [*dict.fromkeys(stood), *odd[:SAID], *past]
    if not lines:
        return []
    more = [f"and {len(odd) - SAID} more; --json shows all"] if len(odd) > SAID else []
    return [
        Text(inert(candidate["route"]), style="bold cyan"),
        *(Text(f"  {inert(line, LINE)}") for line in [*lines, *more]),
        Text(""),
    ]


QUIET: Final = frozenset({"production", "unknown"})


def listed(reports: Sequence[Document]) -> list[RenderableType]:
    """Reports, a line each."""
    return [_line(report) for report in reports]


def _line(r: Document) -> Text:
    routes = [c["route"] for c in r["candidates"]]
    few = ", ".join(map(inert, routes[:FEW])) + (
        f" and {len(routes) - FEW} more" if len(routes) > FEW else ""
    )
    about = [f"suspected {r['contract']}"] if r["contract"] else []
    about += [f"compared as {r['comparison']}"] if r["comparison"] else []
    return Text.assemble(
        (f"{r['report']:>5}", "bold"),
        (f"  {_minute(r['at'])}  ", "dim"),
        inert(f"{r['by']}: {r['model']} at {_minute(r['since'])}: "),
        (few or "no route", "bold"),
        inert("".join(f"; {said}" for said in about)),
    )


def _minute(instant: str) -> str:
    return instant[:16].replace("T", " ")
