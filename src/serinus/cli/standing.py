"""Where everything stands, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from serinus.cli.inert import inert
from serinus.cli.layers import ignore_line
from serinus.cli.tables import LEGEND, MARKS
from serinus.contracts import FIRST
from serinus.core import explain
from serinus.core.exclusions import Layer
from serinus.core.instants import format_instant
from serinus.core.model import Word
from serinus.core.policy import Lane
from serinus.service.records import exclusion, time
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
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="bold")
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


def document(standing: Standing, troubles: Sequence[str]) -> dict[str, Any]:
    """The same as one JSON object."""
    return {
        "at": format_instant(standing.at),
        "budget": standing.budget,
        "holder": standing.holder,
        "models": [_model(model) for model in standing.models],
        "spent": round(standing.spent, 6),
        "troubles": list(troubles),
    }


def _model(model: ModelStanding) -> dict[str, Any]:
    return {
        "model": model.model,
        "capacity": model.capacity,
        "floor": model.floor,
        "last_round": time(model.last.at) if model.last else None,
        "next_round": time(model.next),
        "stale": model.stale,
        "fail_open": model.ignore.fail_open,
        "ignore": model.ignore.ignore,
        "unmatched": model.ignore.unmatched,
        "routes": [route_document(route) for route in model.routes],
    }


def route_document(route: RouteStanding) -> dict[str, Any]:
    """A route as one JSON object."""
    return {
        "route": route.tag,
        "model": route.model,
        "provider": route.provider,
        "live": route.live,
        "capacity": route.counts,
        "control": route.control,
        "production": route.live and not route.out,
        "answered": time(route.answered),
        "grace": time(route.grace),
        "held_at_floor": list(route.held),
        "exclusions": [{"model": e.model, **exclusion(e)} for e in route.exclusions],
        "suspensions": [_suspension(s) for s in route.suspensions],
        "contracts": {c.contract: _contract(c) for c in route.contracts},
        "owed": [[d.contract, d.language] for d in route.owed.debts],
    }


def _suspension(standing: SuspensionStanding) -> dict[str, Any]:
    s = standing.suspension
    return {
        "layer": Layer.SUSPENSION,
        "enforced": standing.lane is Lane.REAL,
        "running": standing.running,
        "since": time(s.since),
        "until": time(s.until),
        "level": s.level,
        "contracts": s.contracts,
        "clean_rounds": s.clean.rounds if s.clean else 0,
    }


def _contract(c: ContractStanding) -> dict[str, Any]:
    return {
        "enforced": c.lane is Lane.REAL,
        "verdict": c.latest.word if c.latest else None,
        "reason": c.latest.reason if c.latest else None,
        "at": time(c.latest.at) if c.latest else None,
        "streak": c.held.rounds if c.held else 0,
        "due_after": c.more,
        "streak_until": time(c.until),
    }
