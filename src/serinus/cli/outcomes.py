"""A finished round for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from serinus.cli.inert import inert
from serinus.cli.tables import (
    LEGEND,
    columns,
    controls_line,
    decisions,
    ignore_lines,
    matrix,
    shift_lines,
    standing,
    troubles,
)
from serinus.core import explain
from serinus.core.instants import format_instant
from serinus.core.policy import Decision
from serinus.service.canary import Outcome


def parts(outcome: Outcome, order: Sequence[str]) -> list[RenderableType]:
    """What a terminal shows of a round, from the table to the ignore list."""
    report = outcome.report
    shown: list[RenderableType] = [Text(f"\n{inert(report.name)}", style="bold"), Text("")]
    if outcome.trouble:
        shown.append(Text(inert(outcome.trouble, limit=400), style="bold yellow"))
    if report.routes:
        names, others = columns(report.routes, order)
        shown += [matrix(report, names, standing(outcome.ignore)), Text(LEGEND, style="dim")]
        shown += [Text(f"broken by no route: {', '.join(others)}", style="dim")] if others else []
        shown.append(Text(""))
    for lines in (
        troubles(report),
        shift_lines(report),
        controls_line(report.controls),
        decisions(outcome.entries),
        ignore_lines(outcome.ignore),
    ):
        shown += [*lines, Text("")] if lines else []
    asked = sum(len(r.answered) for r in report.routes)
    shown.append(Text(f"{asked} probes, {len(report.routes)} routes, {report.cost:.4f} USD", style="dim"))
    return shown


def document(outcome: Outcome) -> dict[str, Any]:
    """The same as one JSON object."""
    report = outcome.report
    return {
        "round": report.name,
        "model": report.model,
        "at": format_instant(report.at),
        "trouble": outcome.trouble,
        "routes": {
            r.offer.route.tag: {
                f.contract: {
                    "verdict": f.verdict.word.value,
                    "reason": f.verdict.reason,
                    "detail": f.verdict.detail,
                    "votes": [v.word.value for v in f.votes],
                }
                for f in r.findings
            }
            for r in report.routes
        },
        "languages": {r.offer.route.tag: r.turn.language for r in report.routes},
        "controls": {tag: what.value for tag, what in report.controls.items()},
        "decisions": [_decision(e) for e in outcome.entries if isinstance(e, Decision)],
        "ignore": list(outcome.ignore.ignore),
        "fail_open": outcome.ignore.fail_open,
        "prompt_token_shifts": {s.tag: {"tokens": s.tokens, "usual": s.usual} for s in report.shifts},
        "cost": round(report.cost, 6),
        "probes": sum(len(r.answered) for r in report.routes),
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "decision": decision.kind.value,
        "route": decision.route,
        "contracts": list(decision.contracts or ()),
        "level": decision.level,
        "until": decision.until and format_instant(decision.until),
        "enforced": decision.enforced,
        "why": explain.of_decision(decision),
    }
