"""What all operators' acts share: who acts, whether it is agreed, and what followed."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Mapping
from typing import Final

from serinus.cli.inert import inert

REFUSED: Final = 1  # nothing was changed, and why was told
LINE: Final = 600
VARIABLE: Final = "SERINUS_BY"


def signed(by: str | None, why: str, environ: Mapping[str, str] = os.environ) -> str:
    """Who acts: as given, else as SERINUS_BY says, else the login name, which is then told.

    Raises:
        LookupError: nobody can be found, or no reason was given.
    """
    if not why.strip():
        message = "--why needs a reason: whoever looks at this next must know it"
        raise LookupError(message)
    if name := (by or environ.get(VARIABLE, "")).strip():
        return name
    try:
        name = getpass.getuser()
    except (OSError, KeyError):
        message = f"who acts? Give --by or set {VARIABLE}"
        raise LookupError(message) from None
    tell(f"Signed as {name}, the login name; --by or {VARIABLE} says otherwise.")
    return name


def agreed(question: str, *, yes: bool) -> bool:
    """Whether to go on: `--yes` says so, else a person is asked; where nobody can be, it is refused."""
    if yes:
        return True
    if not sys.stdin.isatty():
        tell("Nobody can be asked here: give --yes to go on all the same. Nothing was changed.")
        return False
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() in {"y", "yes"}:
        return True
    tell("Nothing was changed.")
    return False


def say(line: str) -> None:
    """Print a line of what the command was asked for."""
    sys.stdout.write(f"{inert(line, LINE)}\n")


def tell(sentence: str) -> None:
    """Say something to the person, beside what the command prints."""
    sys.stderr.write(f"{inert(sentence, LINE)}\n")
