"""From file and environment to settings: all problems at once, or a configuration that holds together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from serinus.config.channels import channels, heartbeat_url
from serinus.config.checks import clashes, notes
from serinus.config.exclusions import FILE, Exclusion, read_exclusions
from serinus.config.keys import FILE_VARIABLE, MODEL_VARIABLE, PREFIX, REPEATED
from serinus.config.problems import ConfigError, Problem
from serinus.config.replica_keys import replica_keys
from serinus.config.secrets import api_key, take_literals
from serinus.config.section import Section
from serinus.config.settings import Settings
from serinus.config.sources import ENVIRONMENT, overlay, read_environment, read_toml
from serinus.config.validation import Loc, dotted, problems_of

DEFAULT_FILE: Final = "serinus.toml"


@dataclass(frozen=True, slots=True)
class Report:
    """What looking at a configuration brought.

    `settings` is None if there is any problem but one with what a channel's URL or secret was left in:
    commands that send nothing do without those.
    """

    file: Path
    settings: Settings | None
    exclusions: tuple[Exclusion, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


def load(file: Path | None, environ: Mapping[str, str]) -> Settings:
    """The settings of a file and the environment.

    Without a file, `SERINUS_CONFIG` names it, else it is `serinus.toml` in the current folder.

    Raises:
        ConfigError: something is wrong with them; its `problems` tell everything at once.
    """
    report = inspect(file, environ)
    if report.settings is None:
        raise ConfigError(report.problems)
    return report.settings


def inspect(file: Path | None, environ: Mapping[str, str]) -> Report:
    """Look at a configuration and never raise: settings or problems.

    A configuration may stand in the environment alone, where `SERINUS_MODEL` names what to watch.
    """
    path = file or Path(environ.get(FILE_VARIABLE) or DEFAULT_FILE)
    named = file is not None or FILE_VARIABLE in environ
    if not named and not path.exists() and environ.get(MODEL_VARIABLE):
        return looked_at(Path(ENVIRONMENT), {}, environ)
    tables, problems = read_toml(path)
    if not path.exists():
        advice = f"`serinus config init {path}` writes one; or name another"
        problems = [replace(problem, advice=advice) for problem in problems]
    if problems:
        return Report(path, None, (), tuple(problems), ())
    return looked_at(path, tables, environ)


def looked_at(path: Path, tables: dict[str, Any], environ: Mapping[str, str]) -> Report:
    """The report on the tables of a file that could be read."""
    tables, literals = take_literals(str(path), tables)
    above, unknown = read_environment(environ)
    above, more = take_literals(ENVIRONMENT, above)
    where = _Where(str(path), above)
    merged = overlay(tables, above)
    settings, wrong, broken = _validated(merged, where)
    broken |= {f"{p.path}_env" for p in (*literals, *more)} | {p.path for p in (*literals, *more)}
    broken |= {path.partition("[")[0] for path in broken if "[" in path}  # rules over all tables of a name
    crossed = [
        Problem(*where(c.key), c.found + _default(merged, c.key), c.allowed, c.advice)
        for c in clashes(settings)
        if broken.isdisjoint((c.key, *c.others))
    ]
    settings = _anchored(settings, path.parent, above)
    exclusions, files = _files(settings, path.parent, environ)
    problems = [*literals, *more, *unknown, *wrong, *crossed, *files]
    if problems:
        return Report(path, None, (), tuple(problems), ())
    _, unsent = channels(settings, environ)
    _, unheard = heartbeat_url(settings, environ)
    _, unkeyed = replica_keys(settings.replica, environ)
    return Report(path, settings, exclusions, (*unsent, *unheard, *unkeyed), notes(settings, environ))


@dataclass(frozen=True, slots=True)
class _Where:
    """Tells of each key whether the environment set it or the file."""

    file: str
    above: dict[str, Any]

    def __call__(self, key: str) -> tuple[str, str]:
        section, _, name = key.partition(".")
        section = section.partition("[")[0]
        name = name.partition(".")[0].partition("[")[0]
        value = self.above.get(section)
        if section in REPEATED and value is not None:
            return ENVIRONMENT, f"{PREFIX}{section.upper()}: {key}"
        if isinstance(value, dict) and name in value:
            return ENVIRONMENT, f"{PREFIX}{section}_{name}".upper()
        return self.file, key


def _default(tables: dict[str, Any], key: str) -> str:
    """A remark where nobody wrote the value that clashes."""
    section, _, name = key.partition(".")
    return "" if "[" in section or name in tables.get(section, {}) else " (the default)"


def _validated(tables: dict[str, Any], where: _Where) -> tuple[Settings, list[Problem], set[str]]:
    """The settings, as far as they can be read; what was wrong with them; the paths left out for it.

    The wrong keys are taken out and the rest is read again, so that rules between settings are looked at in
    the same run.
    """
    try:
        return Settings(**tables).common(), [], set()
    except ValidationError as error:
        problems = problems_of(error, Settings, where)
        wrong = [e["loc"] for e in error.errors(include_url=False)]
    return _rest(tables, wrong).common(), problems, {dotted(loc) for loc in wrong}


def _rest(tables: dict[str, Any], wrong: list[Loc]) -> Settings:
    """The settings without the wrong keys; whole tables are left out where that is not enough."""
    rest: dict[str, Any] = {
        name: {k: v for k, v in table.items() if not any(loc[:2] == (name, k) for loc in wrong)}
        for name, table in tables.items()
        if isinstance(table, dict) and not any(loc == (name,) for loc in wrong)
    }
    models = tables.get("model")
    if isinstance(models, list):
        spoilt = {loc[1] for loc in wrong if loc[0] == "model" and len(loc) > 1}
        rest["model"] = [m for n, m in enumerate(models) if n not in spoilt]
    for name in ("notify", "replica"):
        if not any(loc[0] == name for loc in wrong):
            rest[name] = tables.get(name, ())
    if not rest.get("model"):
        rest["model"] = [{"id": "none/none"}]  # only to read the others by; never handed out
    return Settings(**rest)


def _anchored(settings: Settings, folder: Path, above: dict[str, Any]) -> Settings:
    """Paths that the file names start at the file; those of the environment where the command runs."""
    anchored: dict[str, Any] = {}
    for name in Settings.model_fields:
        table, set_above = getattr(settings, name), above.get(name, {})
        if isinstance(table, Section):
            anchored[name] = _from(folder, table, set_above)
        elif not set_above:
            anchored[name] = tuple(_from(folder, one, {}) for one in table)
    return settings.model_copy(update=anchored)


def _from(folder: Path, table: Section, set_above: dict[str, Any]) -> Section:
    found = {name: getattr(table, name) for name in type(table).model_fields if name not in set_above}
    return table.model_copy(update={n: folder / path for n, path in found.items() if isinstance(path, Path)})


def _files(
    settings: Settings, folder: Path, environ: Mapping[str, str]
) -> tuple[tuple[Exclusion, ...], list[Problem]]:
    """The built-in exclusions, and what is wrong with the files that the settings name."""
    problems: list[Problem] = []
    try:
        api_key(settings, environ)
    except ConfigError as error:
        problems += error.problems
    named = settings.exclusions.file
    path = named or folder / FILE
    if named is None and not path.exists():
        return (), problems
    found, wrong = read_exclusions(path)
    return found, [*problems, *wrong]
