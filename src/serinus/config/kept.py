"""A secret text that the configuration only names the place of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from serinus.config.problems import Problem
from serinus.config.sources import ENVIRONMENT, reason


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a secret text is: in a variable, or alone in a file. `what` it is, for messages."""

    what: str
    variable: str | None
    file: Path | None
    environ: Mapping[str, str]

    @property
    def named(self) -> bool:
        """Whether the configuration names any."""
        return self.variable is not None or self.file is not None

    @property
    def place(self) -> tuple[str, str]:
        """The file, or the environment and the variable."""
        return (str(self.file), "") if self.file is not None else (ENVIRONMENT, self.variable or "")

    def text(self) -> str | None:
        """The text; None where there is none."""
        if self.file is None:
            return self.environ.get(self.variable or "", "").strip() or None
        try:
            return self.file.read_text(encoding="utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            return None

    def problems(self) -> list[Problem]:
        """Why there is none."""
        if self.text() is not None:
            return []
        if self.file is None:
            return [Problem(*self.place, "nothing", self.what, "set it where serinus runs")]
        return [Problem(*self.place, _unreadable(self.file), self.what, "write it into that file, alone")]


def _unreadable(file: Path) -> str:
    try:
        file.read_text(encoding="utf-8")
    except OSError as error:
        return reason(error)
    except UnicodeDecodeError:
        return "bytes that are not text"
    return "an empty file"
