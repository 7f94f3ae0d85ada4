"""Where everything stands, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from serinus.cli.inert import inert
from serinus.cli.layers import ignore_line
from serinus.cli.paper import columned
from serinus.cli.tables import LEGEND, MARKS
from serinus.contracts import FIRST
from serinus.core import explain
from serinus.core.model import Word
from serinus.core.policy import Lane
from serinus.service.standing import (
    ContractStanding,
    ModelStanding,
    RouteStanding,
    Standing,
    SuspensionStanding,
)
from serinus.service.storage import RoundRow

WORTH: Final = frozenset({Word.FAIL, Word.ALARM, "held"})


def parts(standing: Standing, troubles: Sequence[str]) -> list[RenderableType]:
    """What a terminal shows, from the models to the money."""
    shown: list[RenderableType] = []
    for model in standing.models:
        shown += [Text(f"\n{inert(model.model)}", style="bold"), _rounds(standing, model), Text("")]
        if model.routes:
            columns, others = _columns(model)
            shown += [_matrix(model, columns), Text(LEGEND, style="dim")]
            shown += [Text(f"broken by no route: {', '.join(others)}", style="dim")] if others else []
        shown += [*_suspensions(model), Text(""), ignore_line(model.ignore), Text("")]
    shown += [Text(inert(sentence, 600), style="bold yellow") for sentence in troubles]
    shown.append(_money(standing))
    return shown


def _rounds(standing: Standing, model: ModelStanding) -> Text:
    last = "no round yet"
    if model.last:
        last = f"last round {explain.moment(model.last.at)} ({_ago(standing.at - model.last.at)})"
    planned = "now" if model.next <= standing.at else explain.moment(model.next)
    room = f"{explain.counted(model.capacity, 'provider')} in production, floor {model.floor}"
    return Text.assemble(
        last,
        f", next {planned}; ",
        (room, "bold red" if model.below else ""),
        style="" if model.last else "dim",
    )


def _ago(age: timedelta) -> str:
    minutes = max(0, age // timedelta(minutes=1))
    if minutes < 120:  # noqa: PLR2004  as a person would say it
        return f"{minutes} min ago"
    return f"{minutes // 60} h ago" if minutes < 48 * 60 else f"{minutes // 1440} days ago"


def _columns(model: ModelStanding) -> tuple[list[str], list[str]]:
    """The contracts worth a column, and the others that were asked; as `tables.columns`.

    Beside the first four a contract earns one by a failure or by a streak.
    """
    words: dict[str, set[str]] = {}
    for route in model.routes:
        for c in route.contracts:
            words.setdefault(c.contract, set()).update(
                [c.latest.word] if c.latest else [], ["held"] if c.held else []
            )
    order = sorted(words, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))
    asked = [name for name in order if words[name] - {Word.NOT_APPLICABLE}]
    worth = [name for name in asked if name in FIRST or words[name] & WORTH]
    return worth, [name for name in asked if name not in worth]


def _matrix(model: ModelStanding, columns: Sequence[str]) -> Table:
    """Routes × contracts: the last settled word of each, with its streak where it has one."""
    table = columned()
    table.add_column("route", no_wrap=True)
    for name in columns:
        table.add_column(name.replace("_", "\n", 1), justify="center", vertical="bottom", overflow="fold")
    table.add_column("stands")
    for route in model.routes:
        by_name = {c.contract: c for c in route.contracts}
        cells = [_cell(by_name.get(name), model.last) for name in columns]
        table.add_row(Text(inert(route.tag)), *cells, _stands(route))
    return table


def _cell(standing: ContractStanding | None, last: RoundRow | None) -> Text:
    """A dim word is of an earlier round: the contract was not asked in the last one."""
    if standing is None or (standing.latest is None and standing.held is None):
        return Text("-", style="dim")
    word = Word(standing.latest.word) if standing.latest else Word.NOT_APPLICABLE
    mark, style = MARKS[word]
    old = standing.latest is None or last is None or standing.latest.round != last.name
    streak = f" ×{standing.held.rounds}" if standing.held else ""
    return Text.assemble((mark, f"{style} dim" if old and word is not Word.FAIL else style), (streak, "red"))


def _stands(route: RouteStanding) -> Text:
    said = [(f"out ({layer})", "red") for layer in dict.fromkeys(e.layer for e in route.exclusions)]
    said += [_confined(standing) for standing in route.suspensions]
    said += [("control", "dim")] if route.control else []
    if not route.live:
        said.append(("not listed", "dim"))
    elif not route.out and not route.control:
        said.insert(0, ("production", "dim") if route.counts else ("no answer lately", "yellow"))
    said += [("held at floor", "bold yellow")] if route.held else []
    said += [(f"grace until {route.grace:%m-%d %H:%M}", "cyan")] if route.grace else []
    return Text(", ").join(Text(*one) for one in said)


def _confined(standing: SuspensionStanding) -> tuple[str, str]:
    until = (
        f"until {standing.suspension.until:%m-%d %H:%M}" if standing.running else "over, next round decides"
    )
    if standing.lane is Lane.SHADOW:
        return f"would be out {until}", "yellow"
    return f"out {until}", "red"


def _suspensions(model: ModelStanding) -> list[Text]:
    """One line for each suspension of either lane."""
    lines = []
    for route in model.routes:
        for s in route.suspensions:
            said = explain.of_confinement(s.suspension, enforced=s.lane is Lane.REAL, running=s.running)
            lines.append(Text.assemble((inert(route.tag), "bold"), "  ", inert(said, 600)))
    return [Text(""), *lines] if lines else []


def _money(standing: Standing) -> Text:
    holder = f"canary: {standing.holder}" if standing.holder else "no canary is running at this store"
    return Text(
        f"{standing.spent:.4f} of {standing.budget:.2f} USD spent today (UTC); {inert(holder)}", style="dim"
    )
