"""`serinus drill`: an accelerated stretch of days on a simulated gateway, and what came of it."""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from serinus.cli.arguments import Count, Every
from serinus.core.durations import format_duration

if TYPE_CHECKING:
    from serinus.simulator.drill import DrillReport


def drill(  # noqa: PLR0913  each is an option of the command
    scenario: Path | None = None,
    *,
    faults: str | None = None,
    hours: Count | None = None,
    every: Every = timedelta(minutes=30),
    seed: int | None = None,
    json_: bool = False,
) -> int:
    """Run days on a simulated gateway in minutes, and show what was caught, missed and wrongly suspended.

    Time is logical: a host that is silent for a minute costs none. The policy enforces with its
    usual durations. The exit status is 1 if a persistent fault was missed or a healthy host was
    suspended.

    With --faults each of the named faults is put on trial instead: one host has it, four are healthy,
    and rounds are held until it is suspended, at most --hours of them. The report says which contract
    named it and after how many rounds. The exit status is then 1 if a healthy host or a harmless
    oddity was suspended.

    Parameters
    ----------
    scenario
        A scenario file; without it the one that comes with serinus: twelve hosts, four of them faulty.
    faults
        The faults to put on trial: all, or names and kinds of docs/reference/simulator.md with commas
        between them (canned_refusal,language).
    hours
        How long the drill lasts, in simulated hours; 12 for a trial.
    every
        The time between two rounds (10m, 1h); half an hour when absent.
    seed
        Fixes all chance; the same seed gives the same drill.
    json_
        Print one JSON object instead of a report.
    """
    from serinus.cli.failing import CANNOT_START, told  # noqa: PLC0415  `serinus --help` stays light

    if faults is not None:
        return told(lambda: asyncio.run(_trials(faults, hours or 12, as_json=json_)))
    hours = hours or 48
    length = timedelta(hours=hours)
    if every > length:
        sys.stderr.write(f"--every: found {format_duration(every)}, allowed is at most --hours, {hours}h\n")
        return CANNOT_START
    return told(lambda: asyncio.run(_drill(scenario, length, every, seed, as_json=json_)))


async def _trials(wanted: str, hours: int, *, as_json: bool) -> int:
    """Put faults on trial; the exit status."""
    from serinus.bootstrap.simulation import faults_named, run_trials  # noqa: PLC0415  as above
    from serinus.cli.trials import document, table  # noqa: PLC0415  as above
    from serinus.simulator.trial import INTERVAL, Fate, Found  # noqa: PLC0415  as above

    shown = not as_json and sys.stderr.isatty()

    def progress(found: Found, done: int, of: int) -> None:
        if shown:
            sys.stderr.write(f"\r\033[K{done} of {of}: {found.fault} {found.fate}" + "\n" * (done == of))
            sys.stderr.flush()

    rounds = int(timedelta(hours=hours) / INTERVAL)
    found = await run_trials(faults_named(wanted), progress, rounds)
    sys.stdout.write(json.dumps(document(found, rounds), indent=1) + "\n" if as_json else table(found))
    return int(any(f.wronged for f in found) or any(f.harmless and f.fate is Fate.CAUGHT for f in found))


async def _drill(
    file: Path | None, length: timedelta, every: timedelta, seed: int | None, *, as_json: bool
) -> int:
    from serinus.bootstrap.simulation import run_drill  # noqa: PLC0415  as above

    shown = not as_json and sys.stderr.isatty()

    def progress(done: int, rounds: int) -> None:
        if shown:
            sys.stderr.write(f"\rround {done} of {rounds}" + ("\r\033[K" if done == rounds else ""))
            sys.stderr.flush()

    report, used = await run_drill(file, length, every, seed, progress)
    sys.stdout.write(
        json.dumps(_document(report, used), sort_keys=True) + "\n" if as_json else _text(report, used)
    )
    return int(bool(report.missed or report.wrong))


def _text(report: DrillReport, seed: int) -> str:
    money = f"{report.charged:.4f} USD charged, {report.forecast:.4f} forecast for healthy hosts"
    days = f"{report.rounds} rounds, {report.probes} probes, {money} (seed {seed} replays it)"
    healthy = f"wrongly suspended in {report.healthy_host_days:.1f} days of healthy hosts"
    lines = [f"{report.model}: {days}", "", "caught"]
    lines += [
        f"  {c.onset.tag:<16} {c.onset.fault:<28} from {c.onset.since:%d %H:%M}, suspended {c.at:%d %H:%M} "
        f"at failing round {c.failing} of {c.rounds}, for {', '.join(c.contracts)}"
        for c in report.caught
    ] or ["  nothing"]
    lines += ["missed", *([f"  {o.tag:<16} {o.fault}" for o in report.missed] or ["  nothing"])]
    wrong = [f"  {tag:<16} {at:%d %H:%M} for {', '.join(contracts)}" for at, tag, contracts in report.wrong]
    lines += [healthy, *(wrong or ["  nobody"])]
    lines += [
        "held at the floor",
        *([f"  {tag:<16} {at:%d %H:%M}" for at, tag in report.held] or ["  nobody"]),
    ]
    if report.least_capacity is not None:
        lines.append(f"least capacity left by a suspension: {report.least_capacity} providers")
    told = ", ".join(f"{kind} {n}" for kind, n in sorted(report.told.items())) or "none"
    return "\n".join([*lines, f"messages: {told}", ""])


def _document(report: DrillReport, seed: int) -> dict[str, Any]:
    return {
        "model": report.model,
        "seed": seed,
        "rounds": report.rounds,
        "probes": report.probes,
        "usd": round(report.usd, 6),
        "charged": round(report.charged, 6),
        "forecast": round(report.forecast, 6),
        "healthy_host_days": round(report.healthy_host_days, 3),
        "caught": [
            {
                "route": c.onset.tag,
                "fault": c.onset.fault,
                "since": c.onset.since.isoformat(),
                "at": c.at.isoformat(),
                "rounds": c.rounds,
                "failing": c.failing,
                "contracts": list(c.contracts),
            }
            for c in report.caught
        ],
        "missed": [{"route": o.tag, "fault": o.fault} for o in report.missed],
        "wrong": [{"route": tag, "at": at.isoformat(), "contracts": list(c)} for at, tag, c in report.wrong],
        "held": [{"route": tag, "at": at.isoformat()} for at, tag in report.held],
        "least_capacity": report.least_capacity,
        "messages": dict(sorted(report.told.items())),
    }
