"""`serinus config`: check a configuration, or write one to start from."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App, Parameter

from serinus.core.durations import format_duration

if TYPE_CHECKING:
    from serinus.config import Report, Settings

app = App(
    name="config",
    help="Check the configuration, or write one to start from.",
    default_parameter=Parameter(negative=()),
)


@app.command
def check(file: Path | None = None, *, json_: bool = False) -> int:
    """Look at a configuration and the environment, and tell all that is wrong with them at once.

    Each problem is one line: where it stands, what was found, what is allowed, what to do. The exit status
    is 1 if there is any.

    Parameters
    ----------
    file
        The file; without it the one that SERINUS_CONFIG names, else serinus.toml in the current folder.
    json_
        Print one JSON object instead.
    """
    from serinus.config import inspect  # noqa: PLC0415  costs 0.3 s, which `serinus --help` must not pay

    report = inspect(file, os.environ)
    lines = [_json(report)] if json_ else [*(p.line() for p in report.problems), *_summary(report)]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if report.problems else 0


@app.command
def init(file: Path = Path("serinus.toml"), *, force: bool = False) -> int:
    """Write a configuration to start from: every key at its default, with what it is for.

    Parameters
    ----------
    file
        Where to write it.
    force
        Write over a file that is already there.
    """
    from serinus.config.starter import starter  # noqa: PLC0415  as above

    try:
        with file.open("w" if force else "x", encoding="utf-8") as out:
            out.write(starter())
    except FileExistsError:
        sys.stderr.write(f"{file} is already there; --force writes over it\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"{file} cannot be written: {(error.strerror or str(error)).lower()}\n")
        return 1
    sys.stdout.write(f"Wrote {file}. Put your models into it, then: serinus config check {file}\n")
    return 0


def _json(report: Report) -> str:
    found = {
        "file": str(report.file),
        "ok": not report.problems,
        "problems": [asdict(p) for p in report.problems],
        "notes": list(report.notes),
    }
    return json.dumps(found, sort_keys=True, ensure_ascii=False)


def _summary(report: Report) -> list[str]:
    if report.settings is None or report.problems:
        count = len(report.problems)
        return [f"{count} problem{'s' if count > 1 else ''}"]
    return [
        f"{report.file} is good: {_what(report.settings)}",
        f"{len(report.exclusions)} built-in exclusions",
        *(f"note: {n}" for n in report.notes),
    ]


def _modes(settings: Settings) -> str:
    """The modes that are set, of which the policy's is the one for whatever has none of its own."""
    from serinus.engine.clock import now  # noqa: PLC0415  `serinus --help` stays light

    modes = {event.mode.value for event in settings.modes(now())}
    return f"{modes.pop()} mode" if len(modes) == 1 else "observe mode and enforce mode"


def _what(settings: Settings) -> str:
    models = len(settings.model)
    return (
        f"{models} model{'s' if models > 1 else ''}, "
        f"a round each {format_duration(settings.rounds.interval)}, {_modes(settings)}, "
        f"floor of {settings.policy.floor} providers, "
        f"at most {settings.budget.usd_per_day:.2f} USD a day"
    )
