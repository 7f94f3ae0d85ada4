"""A scenario as a table for people."""

from __future__ import annotations

import io
from datetime import datetime, timedelta

from rich.console import Console
from rich.table import Table

from serinus.core.durations import format_duration
from serinus.simulator.scenario import FaultUse, Host, Scenario, Window


def overview(scenario: Scenario, base_url: str, width: int = 100) -> str:
    """What is simulated, where it answers, and what is wrong with whom."""
    table = Table(box=None, pad_edge=False)
    for title in ("host", "shown as", "USD/M out", "faults"):
        table.add_column(title, overflow="fold")
    for host in scenario.hosts:
        table.add_row(host.tag, host.display, f"{host.price.completion:.2f}", _faults(host))
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False, markup=False, emoji=False)
    console.print(f"{scenario.title}\n")
    console.print(f"base URL  {base_url}")
    console.print(f"models    {', '.join(m.id for m in scenario.models)}")
    console.print(f"seed      {scenario.seed}\n")
    console.print(table)
    for use in scenario.faults:
        console.print(f"every host: {describe(use)}")
    console.print("\nCtrl-C stops it.")
    return out.getvalue()


def describe(use: FaultUse) -> str:
    """A fault's use in a few words: `json_fenced at 50 % from 20s`."""
    parts = [use.name]
    if use.rate < 1:
        parts.append(f"at {use.rate:.0%}".replace("%", " %"))
    parts += _when(use.window)
    if use.languages:
        parts.append(f"in {', '.join(sorted(use.languages))}")
    if use.kinds:
        parts.append(f"for {', '.join(sorted(use.kinds))}")
    return " ".join(parts)


def _faults(host: Host) -> str:
    notes = [*_when(host.present)]
    if host.control:
        notes.append("control: refuses role-play")
    if host.forward:
        notes.append(f"forwarded to {host.forward}")
    return "; ".join([*notes, *(describe(use) for use in host.faults)]) or "healthy"


def _when(window: Window) -> list[str]:
    found = []
    if window.start is not None:
        found.append(f"from {_edge(window.start)}")
    if window.end is not None:
        found.append(f"until {_edge(window.end)}")
    return found


def _edge(edge: timedelta | datetime) -> str:
    return format_duration(edge) if isinstance(edge, timedelta) else edge.isoformat()
