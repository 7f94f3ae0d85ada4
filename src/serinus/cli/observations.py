"""The observe report, for people, for documents and for programs."""

from __future__ import annotations

from collections.abc import Sequence

from serinus.core import explain
from serinus.core.policy import Lane
from serinus.service.observing import ContractReport, ModelReport, Would
from serinus.service.records.observing import advice

MARKS = {True: "right", False: "wrong", None: "not marked"}


def summary(report: ModelReport, contracts: Sequence[ContractReport]) -> list[str]:
    """The report on some contracts in a few lines: what `mode enforce` shows before it asks."""
    return [_period(report), *(f"{c.contract}: {_share(c)}. {advice(c)}" for c in contracts)]


def _period(report: ModelReport) -> str:
    rounds, days, routes, would, held = (
        explain.counted(number, noun)
        for number, noun in (
            (report.rounds, "round"),
            (report.days, "day"),
            (report.routes, "route"),
            (len(report.would), "would-be suspension"),
            (report.floor_rounds, "round"),
        )
    )
    return (
        f"{report.model}: {rounds} on {days} of {routes} since {explain.moment(report.since)}; {would}, "
        f"{report.hours:.0f} route-hours excluded; {held} in which the floor held one back."
    )


def _share(c: ContractReport) -> str:
    return (
        f"failed on otherwise clean routes in {explain.of_share(c.share.fails, c.share.of, c.share.interval)}"
    )


def lines(reports: Sequence[ModelReport]) -> list[str]:
    """The report as Markdown, which is plain to read in a terminal too."""
    said = ["# What observe mode would have done", ""]
    for report in reports:
        said += [f"## {report.model}", "", _period(report), ""]
        said += ["### By contract", "", *_table(report), ""] if report.contracts else []
        said += ["### Recommendation", "", *(f"- {c.contract}: {advice(c)}" for c in report.contracts), ""]
        said += (
            ["### Would-be suspensions", "", *(_would(w) for w in report.would), ""] if report.would else []
        )
    return said


def _table(report: ModelReport) -> list[str]:
    head = (
        "| contract | mode | days observed | fails on otherwise clean routes | if independent "
        "| would-be suspensions | wrong of marked |"
    )
    return [head, "| --- | --- | --- | --- | --- | --- | --- |", *(_row(report, c) for c in report.contracts)]


def _row(report: ModelReport, c: ContractReport) -> str:
    share = c.share.fails / c.share.of if c.share.of else 0.0
    cells = (
        c.contract,
        "enforce" if c.lane is Lane.REAL else "observe",
        str(c.days),
        explain.of_share(c.share.fails, c.share.of, c.share.interval),
        explain.of_chance(share, c.share.interval, report.rounds_a_day),
        f"{len(c.would)} ({c.unmarked} not marked, {c.doubtful} doubtful)",
        explain.of_share(c.wrong, c.right + c.wrong, c.wrong_share),
    )
    return f"| {' | '.join(cells)} |"


def _would(w: Would) -> str:
    s = w.span
    ended = f"{s.end} {explain.moment(s.ended)}" if s.end and s.ended else "still in force"
    doubts = "; ".join(explain.of_sign(sign) for sign in w.signs)
    return (
        f"- {w.seq}: {s.route} for {explain.listed(s.contracts)}, {explain.moment(s.since)}, {ended}, "
        f"{w.hours:.1f} h, {MARKS[w.mark]}{f' (doubtful: {doubts})' if doubts else ''}"
    )
