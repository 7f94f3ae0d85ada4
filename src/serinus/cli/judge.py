"""`serinus judge`: recorded answers judged offline (`formats.md` §1)."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from serinus.cli.inert import inert
from serinus.cli.inputs import STDIN, named, opened, readable
from serinus.contracts import contracts
from serinus.core.model import Limits
from serinus.service.cases.case import CaseReader, LimitsOf
from serinus.service.cases.hints import Fixtures
from serinus.service.cases.limits import limits_of
from serinus.service.cases.lines import JudgedLines
from serinus.service.cases.problems import CaseError, reject

BAD_LINES = 1
CANNOT_START = 2
LONGEST_LINE = 2000  # characters of one message


def judge(
    *files: Annotated[Path, Parameter(show_default=False)],
    fixtures: Path | None = None,
    config: Path | None = None,
    json_: Annotated[bool, Parameter(name="--json")] = True,
) -> int:
    """Judge recorded answers, one case a line, and print one judgement a line as JSON.

    No network and no clock: the same input gives the same bytes. A line that is no case is reported
    on standard error with its number and never stops the others; the exit status is 1 then, else 0,
    whatever the verdicts. It is 2 where a file cannot be read at all.

    Parameters
    ----------
    files
        Files of cases (JSON lines); standard input when none is named, or for -.
    fixtures
        A JSON file with the schemas and tools that cases name.
    config
        A serinus.toml whose limits, common or by model, are used in place of the built-in ones.
    json_
        Print JSON lines, which is what this command always prints.
    """
    del json_
    try:
        reader = CaseReader(_fixtures(fixtures), _limits(config))
        for file in files:
            readable(file)
    except CaseError as error:
        _tell(str(error))
        return CANNOT_START
    except OSError as error:
        _tell(f"{error.filename} cannot be read: {(error.strerror or str(error)).lower()}")
        return CANNOT_START
    lines = JudgedLines(reader, contracts(), _tell)
    try:
        for file in files or (STDIN,):
            with opened(file) as stream:
                for out in lines.judge(stream, named(file)):
                    sys.stdout.buffer.write(out)
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BAD_LINES if lines.bad else 0


def _tell(sentence: str) -> None:
    sys.stderr.write(f"{inert(sentence, LONGEST_LINE)}\n")


def _fixtures(path: Path | None) -> Fixtures:
    if path is None:
        return Fixtures()
    try:
        entries = json.loads(path.read_text(encoding="utf-8-sig"))
    except RecursionError:
        reject(f"the fixtures {path} nest thousands deep")
    except ValueError as error:
        reject(f"the fixtures {path} are not JSON: {error}")
    if not isinstance(entries, dict):
        reject(f"the fixtures {path} are no object of names")
    return Fixtures(entries)


def _limits(path: Path | None) -> LimitsOf:
    if path is None:
        return lambda _model: Limits()
    try:
        return limits_of(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        reject(f"the configuration {path} is not UTF-8: {error}")
