"""`serinus doctor`: look over the account, the listings, the store and the channels, and say what to do."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

if TYPE_CHECKING:
    from rich.text import Text

    from serinus.config import Report, Settings
    from serinus.prober.secret import Key
    from serinus.service.doctor import Diagnosis, Examination

WELL, PROBLEMS, BLIND = 0, 1, 2
MARKS: Final = {"ok": ("ok  ", "green"), "note": ("note", "yellow"), "problem": ("FAIL", "bold red")}


def doctor(
    *,
    config: Path | None = None,
    probe: Annotated[bool, Parameter(negative="--no-probe")] = True,
    deep: bool = False,
    yes: bool = False,
    json_: bool = False,
) -> int:
    """Look over key, credit, clock, listings, names, budget, store and channels; say what to do.

    It ends with one pinned probe of the cheapest route, which proves who served, and one more that
    shows what the account's default plugins do; both cost a fraction of a cent, which is told. It
    feeds no streak and works beside a running canary. The exit status is 0 if there is no problem
    (notes are none), 1 if there is one, 2 if it could not look: a wrong configuration, a gateway
    that does not answer.

    Parameters
    ----------
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    probe
        Whether to send the two probes.
    deep
        Instead, ask the gateway what its documents leave open: what unknown names, display names and
        capitals do, whether an ignored host is left at once, how late records come, and more. Each
        answer comes with its evidence and its cost; the most that all can cost is shown first.
    yes
        Go on with --deep without asking whether its price is agreeable.
    json_
        Print one JSON object instead of lines.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light
    from serinus.engine.clock import now  # noqa: PLC0415  as above

    if deep:
        return told(lambda: asyncio.run(_deep(config, yes=yes, as_json=json_)))
    return told(lambda: asyncio.run(examined(config, probe=probe, as_json=json_, clock=now)))


async def _deep(config: Path | None, *, yes: bool, as_json: bool) -> int:
    from serinus.cli.deep import deep as settled  # noqa: PLC0415  as above
    from serinus.engine.clock import now  # noqa: PLC0415  as above

    _, settings, key = _configured(config)
    status, usd = await settled(settings, key, yes=yes, as_json=as_json)
    if usd:
        _note_cost(settings, now(), usd)
    return status


async def examined(config: Path | None, *, probe: bool, as_json: bool, clock: Callable[[], datetime]) -> int:
    """The examination by a clock of ours; the exit status.

    Raises:
        ConfigError: something is wrong with the configuration.
        StoreError: the store could be opened and not read.
    """
    from serinus.bootstrap.gateways import open_clinic  # noqa: PLC0415  as above
    from serinus.cli.surroundings import surroundings  # noqa: PLC0415  as above
    from serinus.service.doctor import Examination  # noqa: PLC0415  as above

    report, settings, key = _configured(config)
    with surroundings(report, settings, os.environ) as around:
        async with open_clinic(settings, key) as clinic:
            examination = Examination(clinic, clock, around, has_key=key is not None)
            found = await examination.run(probe=probe)
    if examination.cost:
        _note_cost(settings, clock(), examination.cost, examination.tokens)
    _show(found, examination, as_json=as_json)
    if not examination.reached:
        return BLIND
    return PROBLEMS if any(d.severity == "problem" for d in found) else WELL


def _configured(config: Path | None) -> tuple[Report, Settings, Key | None]:
    """The configuration and the key.

    Raises:
        ConfigError: something is wrong with it; a channel's missing URL is a diagnosis instead.
    """
    from serinus.config import ConfigError, api_key, inspect  # noqa: PLC0415  as above

    report = inspect(config, os.environ)
    if report.settings is None:
        raise ConfigError(report.problems)
    return report, report.settings, api_key(report.settings, os.environ)


def _note_cost(settings: Settings, at: datetime, usd: float, tokens: int = 0) -> None:
    """Write the probes' cost beside what rounds cost, where there is a store."""
    from serinus.service.store_errors import StoreError  # noqa: PLC0415  as above
    from serinus.store import open_store  # noqa: PLC0415  as above

    try:
        store = open_store(settings.store.path)
    except StoreError:
        return  # that the store cannot be used is a diagnosis of its own
    try:
        store.spend("doctor", at, usd, tokens)
    except StoreError:
        pass
    finally:
        store.close()


def _show(found: Sequence[Diagnosis], examination: Examination, *, as_json: bool) -> None:
    from serinus.cli.paper import console  # noqa: PLC0415  as above
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.cli.tables import show  # noqa: PLC0415  as above

    if as_json:
        put(_document(found, examination))
    else:
        show(console(), [part for d in found for part in _lines(d)])
        show(console(), [_sum(found, examination)])


def _lines(diagnosis: Diagnosis) -> list[Text]:
    from rich.text import Text  # noqa: PLC0415  as above

    from serinus.cli.inert import inert  # noqa: PLC0415  as above

    mark, style = MARKS[diagnosis.severity]
    model = f" ({diagnosis.model})" if diagnosis.model else ""
    said = inert(f"{diagnosis.found}{model}", 800)
    lines = [Text.assemble((mark, style), "  ", (f"{diagnosis.topic:10}", "bold"), " ", said)]
    if diagnosis.remedy:
        lines.append(Text(f"{'':17}→ {inert(diagnosis.remedy, 600)}", style="dim"))
    return lines


def _sum(found: Sequence[Diagnosis], examination: Examination) -> Text:
    from rich.text import Text  # noqa: PLC0415  as above

    from serinus.core.explain.phrases import counted  # noqa: PLC0415  as above

    problems = sum(d.severity == "problem" for d in found)
    notes = sum(d.severity == "note" for d in found)
    cost = f"; the probes cost {examination.cost:.6f} USD" if examination.cost else ""
    return Text(f"{counted(problems, 'problem')}, {counted(notes, 'note')}{cost}")


def _document(found: Sequence[Diagnosis], examination: Examination) -> dict[str, Any]:
    return {
        "ok": not any(d.severity == "problem" for d in found),
        "reached": examination.reached,
        "usd": round(examination.cost, 9),
        "findings": [
            {
                "topic": d.topic,
                "severity": d.severity.value,
                "model": d.model,
                "found": d.found,
                "remedy": d.remedy,
            }
            for d in found
        ],
    }
