"""What is wrong with a configuration: each problem one line with path, found, allowed and what to do.

"Your setting is wrong" is this module's error and no other's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from serinus.service import fields

KEY_LIKE: Final = re.compile(
    r"\b(sk|pk|rk)-[A-Za-z0-9_-]{8,}"
)  # what keys of gateways look like; never shown


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake. `where` is the file, or `environment`; `path` the key, the line or the variable."""

    where: str
    path: str
    found: str
    allowed: str
    advice: str

    def line(self) -> str:
        """The mistake as one line for a person."""
        place = f"{self.where}: {self.path}" if self.path else self.where
        return f"{place}: found {self.found}; allowed: {self.allowed}; {self.advice}"


class ConfigError(Exception):
    """The configuration cannot be used; every problem that could be found is told at once."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(p.line() for p in problems))
        self.problems = tuple(problems)


def shown(value: Any) -> str:
    """A value as the file writes it, cut short; tables and lists are only named."""
    if isinstance(value, dict):
        return f"a table with {', '.join(map(str, value)) or 'nothing in it'}"[: fields.LONGEST]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return KEY_LIKE.sub(r"\1-…", fields.shown(value))
