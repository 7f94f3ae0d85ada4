"""The built-in exclusions: a reviewed file of their own (R22, `formats.md` §3)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, ValidationError

from serinus.config.kinds import Allowed, ModelId, Tag
from serinus.config.problems import Problem
from serinus.config.section import Section
from serinus.config.sources import read_toml
from serinus.config.validation import problems_of
from serinus.core.exclusions import Layer
from serinus.core.policy import Exclude

FILE: Final = "exclusions.toml"
_Sentence = Annotated[
    str, Field(min_length=1, max_length=2000), Allowed("a text for whoever reviews it next")
]


class Exclusion(Section):
    """One `[[exclusion]]`: a route that gets no user traffic until someone reviews it again."""

    route: Annotated[Tag, Allowed("the tag of a route, or a provider's name for all its routes")]
    """The gateway's tag of the route, or a provider's name, which covers every route of it."""
    model: Annotated[ModelId | None, Allowed("the gateway's name of a model; absent for all")] = None
    """The model it holds for; absent for all."""
    reason: _Sentence
    """Why."""
    evidence: _Sentence
    """What was seen, or where it is written down."""
    reviewed_by: _Sentence
    """Who looked at it."""
    date: Annotated[date, Allowed("a date, such as 2026-11-30")]
    """When."""

    def event(self) -> Exclude:
        """The entry as the policy takes it: in force since the start of its day, in UTC, without an end."""
        at = datetime.combine(self.date, time(), UTC)
        return Exclude(
            at, Layer.BUILTIN, self.route, self.model, self.reviewed_by, f"{self.reason} ({self.evidence})"
        )


class _File(Section):
    exclusion: Annotated[tuple[Exclusion, ...], Allowed("[[exclusion]] tables")] = ()


def read_exclusions(path: Path) -> tuple[tuple[Exclusion, ...], list[Problem]]:
    """The exclusions of a file, and what is wrong with it."""
    tables, problems = read_toml(path)
    if problems:
        return (), problems
    try:
        found = _File.model_validate(tables).exclusion
    except ValidationError as error:
        return (), problems_of(error, _File, lambda key: (str(path), key))
    return found, _repeated(found, str(path))


def _repeated(found: tuple[Exclusion, ...], where: str) -> list[Problem]:
    """A second entry for one route and model would silently replace the first."""
    first: dict[tuple[str, str | None], int] = {}
    problems = []
    for n, entry in enumerate(found):
        before = first.setdefault((entry.route, entry.model), n)
        if before != n:
            other = f"one entry for a route and model; exclusion[{before}] has it too"
            problems.append(
                Problem(where, f"exclusion[{n}]", f"{entry.route} again", other, "keep one of the two")
            )
    return problems
