"""`serinus replay`: fold a recorded history through the policy (`formats.md` §2)."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from serinus.cli.inert import inert
from serinus.cli.inputs import STDIN, named, opened, readable
from serinus.core import explain
from serinus.core.instants import parse_instant
from serinus.core.listing import ignore_list, named_models
from serinus.core.policy import Decision, Policy, State, Tick, Warned, decide, fold
from serinus.core.policy.events import Event
from serinus.service.history import BadLine, read_history
from serinus.service.policy_file import PolicyError, parse_policy
from serinus.service.records import decision, listing

BAD_LINES = 1
CANNOT_START = 2
LONGEST_LINE = 2000  # characters of one message


def replay(
    *files: Annotated[Path, Parameter(show_default=False)],
    policy: Path | None = None,
    ignore_at: str | None = None,
) -> int:
    """Fold a history through the policy and print each decision it leads to.

    One JSON object a line goes in, one a decision comes out. A bad line is reported on standard error
    with its number and never stops the good ones; the exit status is then 1, else 0, whatever was
    decided. It is 2 where a file, the policy or the time cannot be read at all.

    Parameters
    ----------
    files
        The history, one event a line; several files are read as one, in this order. Standard input
        when none is named.
    policy
        A TOML file with the numbers of the policy; what it leaves out has its default.
    ignore_at
        Print each model's ignore list as it stood at this time (RFC 3339) instead of the decisions.
    """
    try:
        numbers = parse_policy(policy.read_bytes()) if policy else Policy()
        until = None if ignore_at is None else parse_instant(ignore_at)
        for file in files:
            readable(file)
    except PolicyError as error:
        for problem in error.problems:
            _tell(f"{policy}: {problem.line()}")
        return CANNOT_START
    except OSError as error:
        _tell(f"{error.filename} cannot be read: {(error.strerror or str(error)).lower()}")
        return CANNOT_START
    except ValueError as error:
        _tell(f"--ignore-at: {error}")
        return CANNOT_START
    fold_ = _Fold(numbers, until)
    try:
        for file in files or (STDIN,):
            _read(file, fold_)
        fold_.finish()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BAD_LINES if fold_.bad else 0


def _read(file: Path, fold_: _Fold) -> None:
    name = named(file)
    with opened(file) as lines:
        for line in read_history(lines):
            where = f"{name}, line {line.number}"
            if isinstance(line, BadLine):
                fold_.bad = True
                _tell(f"{where}: {line.problem}")
            else:
                fold_.take(line.event, where)


@dataclass
class _Fold:
    """The history so far. With a time, only what had happened by then, and no decisions are printed."""

    policy: Policy
    until: datetime | None
    state: State = State()  # noqa: RUF009  a frozen value
    bad: bool = False
    over: bool = False

    def take(self, event: Event, where: str) -> None:
        """Take in one event, unless the time asked for is past."""
        if self.over:
            return
        if self.until is not None and event.at > self.until:
            self.over = True  # the clock did reach that time: what ran out before it has run out
            event = Tick(self.until)
        entries = decide(self.policy, self.state, event)
        self.state = fold(entries, self.state)
        for entry in entries:
            if isinstance(entry, Warned):
                _tell(f"{where}: {explain.of_warning(entry)}")
            elif isinstance(entry, Decision) and self.until is None:
                _print(decision(entry))

    def finish(self) -> None:
        """Print the ignore lists, if they were asked for."""
        if self.until is None:
            return
        for model in named_models(self.state):
            found = ignore_list(self.state, model, self.until)
            _print(listing(found))
            for sentence in explain.of_list(found):
                _tell(sentence)


def _print(record: dict[str, Any]) -> None:
    line = json.dumps(record, sort_keys=True, ensure_ascii=False)
    sys.stdout.buffer.write(f"{line}\n".encode())  # UTF-8, whatever the locale says


def _tell(sentence: str) -> None:
    sys.stderr.write(inert(sentence, LONGEST_LINE) + "\n")
