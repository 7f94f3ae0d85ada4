"""`serinus report`: from a user's report to the routes that may have served (R26)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from serinus.cli.acting import signed, tell
from serinus.cli.arguments import Count, Duration

if TYPE_CHECKING:
    from rich.console import RenderableType

    from serinus.config import Settings
    from serinus.service.reporting import Filed
    from serinus.service.reports import ReportRow
    from serinus.service.storage import Store

ENDED_EARLY = 1
NO_TEXT = (
    "there is no field for what a user wrote or read, and none of it is kept: name what went wrong by its "
    "contract (--contract language), and let --reproduce ask with synthetic prompts"
)
WHY = "A user reported it."

app = App(
    name="report",
    help="Find the routes that may have served what a user reports; list and show reports.",
    default_parameter=Parameter(negative=()),
)


@app.default
def report(  # noqa: PLR0913  each is an option of the command
    *,
    model: str | None = None,
    at: str | None = None,
    window: Duration = timedelta(minutes=10),
    generation: str | None = None,
    conversation: str | None = None,
    contract: str | None = None,
    zone: str | None = None,
    by: str | None = None,
    reproduce: bool = False,
    answers: Annotated[Count, Parameter(name=["--answers", "-n"])] = 20,
    text: Annotated[str | None, Parameter(show=False)] = None,
    config: Path | None = None,
    json_: bool = False,
) -> int:
    """Find the route or routes that may have served, and what the canary knew of them around that time.

    The route ledger of `serinus proxy` tells who served; without an entry the gateway's record of the
    generation does; without either, every route that was in production then may have. Nothing of what
    a user wrote is taken or kept. The exit status is 0, 1 if a reproduction ended early, or 2 if the
    report cannot be understood or nothing could be reproduced.

    Parameters
    ----------
    model
        The model; not needed if only one is configured, or an id tells it.
    at
        When it was: 21:40, "yesterday 21:40", "2026-11-30 21:40", "2h ago" or 2026-11-30T20:40:00Z.
    window
        How much earlier or later it may have been; 10m when absent.
    generation
        The gateway's id of the answer (gen-…), if the application kept it.
    conversation
        The application's own id of the conversation, as it sent it to the proxy; only a digest is kept.
    contract
        The contract that is suspected: language, opening, filtering, …
    zone
        The time zone of a time without offset, such as Europe/Rome; the machine's own when absent.
    by
        Who reports; SERINUS_BY or the login name when absent.
    reproduce
        Then ask the found route and its peers the same synthetic prompts, and compare, as `serinus
        compare` does: what it costs is printed before, and refused above what the day's budget has left.
    answers
        How many answers a reproduction asks of each suspect.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    if text is not None:
        return told(_refuse_text)
    wanted = _Wanted(model, at, window, generation, conversation, contract, zone, by, reproduce, answers)
    return told(lambda: asyncio.run(_report(wanted, config, as_json=json_)))


@app.command(name="list")
def list_(
    *, model: str | None = None, limit: Count = 20, config: Path | None = None, json_: bool = False
) -> int:
    """Show the reports that were made, the newest first.

    Parameters
    ----------
    model
        Only of this model.
    limit
        How many; 20 when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object a report instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  as above

    return told(lambda: _list(model, limit, config, as_json=json_))


@app.command
def show(number: Count, *, config: Path | None = None, json_: bool = False) -> int:
    """Show a report as it was answered.

    Parameters
    ----------
    number
        Its number, as `serinus report list` shows it.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  as above

    return told(lambda: _show(number, config, as_json=json_))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The command's arguments."""

    model: str | None
    at: str | None
    window: timedelta
    generation: str | None
    conversation: str | None
    contract: str | None
    zone: str | None
    by: str | None
    reproduce: bool
    answers: int


def _refuse_text() -> int:
    raise LookupError(NO_TEXT)


async def _report(wanted: _Wanted, config: Path | None, *, as_json: bool) -> int:
    from serinus.bootstrap.reporting import open_lookup, zone_of  # noqa: PLC0415  as above
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.config import api_key, load  # noqa: PLC0415  as above
    from serinus.service.reporting import Complaint, file_report, understood  # noqa: PLC0415  as above

    settings = load(config, os.environ)
    complaint = Complaint(
        by=signed(wanted.by, WHY),
        model=wanted.model,
        at=wanted.at,
        window=wanted.window,
        generation=wanted.generation,
        conversation=wanted.conversation,
        contract=wanted.contract,
    )
    with open_desk(config, acting=True) as desk:
        asked = understood(desk, complaint, zone_of(wanted.zone, os.environ))
        async with open_lookup(settings, api_key(settings, os.environ)) as lookup:
            filed = await file_report(desk, asked, lookup)
        _print(filed.row, as_json=as_json)
        if wanted.reproduce:
            return await _reproduce(filed, wanted.answers, settings, desk.store, as_json=as_json)
    return 0


async def _reproduce(filed: Filed, answers: int, settings: Settings, store: Store, *, as_json: bool) -> int:
    """Hold the comparison that proves or refutes a report, and link it."""
    from serinus.bootstrap.comparing import open_hands  # noqa: PLC0415  as above
    from serinus.cli.comparing import Shown, give  # noqa: PLC0415  as above
    from serinus.cli.comparison import STOPPING, watched  # noqa: PLC0415  as above
    from serinus.cli.stopping import stopper  # noqa: PLC0415  as above
    from serinus.config import required_key  # noqa: PLC0415  as above
    from serinus.service.comparing.request import ComparisonError  # noqa: PLC0415  as above
    from serinus.service.reporting import reproduction  # noqa: PLC0415  as above

    request, key, link = reproduction(filed, answers), required_key(settings, os.environ), store.reports.link
    stop = stopper(STOPPING)
    try:
        async with open_hands(settings, key, store, request.model) as hands:
            held = await watched(
                request, hands, stop, lambda taken: link(filed.row.id, taken.name), as_json=as_json
            )
    except ComparisonError as error:
        raise LookupError(str(error)) from error
    except asyncio.CancelledError:
        tell("Left unfinished; what was measured until then is kept, and `serinus compare list` names it.")
        return ENDED_EARLY
    return give(held, Shown(as_json))


def _print(row: ReportRow, *, as_json: bool) -> None:
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.cli.reported import parts  # noqa: PLC0415  as above
    from serinus.service.reporting import report_document  # noqa: PLC0415  as above

    document = report_document(row)
    put(document) if as_json else _on_paper(parts(document))


def _list(model: str | None, limit: int, config: Path | None, *, as_json: bool) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.cli.reported import listed  # noqa: PLC0415  as above
    from serinus.service.reporting import report_document  # noqa: PLC0415  as above

    with open_desk(config) as desk:
        rows = desk.store.reports.latest(model, limit=limit)
    documents = [report_document(row) for row in rows]
    if as_json:
        for document in documents:
            put(document)
    elif documents:
        _on_paper(listed(documents))
    else:
        tell("No report was made yet; `serinus report --model M --at 21:40` makes one.")
    return 0


def _show(number: int, config: Path | None, *, as_json: bool) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above

    with open_desk(config) as desk:
        row = desk.store.reports.one(number)
    if row is None:
        message = f"there is no report {number}; `serinus report list` shows those that were made"
        raise LookupError(message)
    _print(row, as_json=as_json)
    return 0


def _on_paper(shown: Sequence[RenderableType]) -> None:
    from serinus.cli.paper import console  # noqa: PLC0415  as above
    from serinus.cli.tables import show as on  # noqa: PLC0415  as above

    on(console(), shown)
