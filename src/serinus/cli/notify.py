"""`serinus notify`: the channels by which operators are told; try them, and switch one on again."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclopts import App, Parameter

from serinus.cli.acting import signed, tell

if TYPE_CHECKING:
    from serinus.bootstrap.operators import Operators
    from serinus.config.notifying import Notify
    from serinus.config.settings import Settings
    from serinus.service.notice_kinds import Wants
    from serinus.service.ports import DeliveryError
    from serinus.service.storage import Store

TAKEN, REFUSED = 0, 1
MANY = 1000  # waiting notices are counted up to here
NO_CHANNEL = "no channel is configured: add a [[notify]] table, as docs/howto/notifications.md shows"

app = App(
    name="notify",
    help="Show and try the channels by which operators are told, and switch one on again.",
    default_parameter=Parameter(negative=()),
)


@app.command(name="list")
def list_(*, config: Path | None = None, json_: bool = False) -> int:
    """Show each channel: what it is sent, whether it is disabled and why, how much waits for it.

    Parameters
    ----------
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object a channel instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: _list(config, as_json=json_))


@app.command(name="test")
def try_(name: str | None = None, *, config: Path | None = None, json_: bool = False) -> int:
    """Send one test notice to each channel, or to one, and say what came of it.

    A disabled channel is tried too, and stays disabled. The exit status is 1 if a channel did not
    take the notice, 2 if none could be tried.

    Parameters
    ----------
    name
        The channel; all of them when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object a channel instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  as above

    return told(lambda: _try(name, config, as_json=json_))


@app.command
def enable(
    name: str,
    *,
    why: str = "It was put right.",
    by: str | None = None,
    config: Path | None = None,
) -> int:
    """Send to a disabled channel again; what it missed meanwhile is sent too.

    A running canary does so within a minute. The exit status is 0 also where it was not disabled.

    Parameters
    ----------
    name
        The channel.
    why
        The reason, for whoever looks at it next.
    by
        Who acts; SERINUS_BY or the login name when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  as above

    return told(lambda: _enable(name, by, why, config))


@app.command
def preview(kind: str | None = None, *, config: Path | None = None, json_: bool = False) -> int:
    """Show what a notice of each kind says, with made-up names: nothing is sent.

    Parameters
    ----------
    kind
        Only of this kind; all when absent.
    config
        The configuration, for the links that notices carry; none is needed.
    json_
        Print one JSON object a notice, as a webhook gets it, instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  as above

    return told(lambda: _preview(kind, config, as_json=json_))


def _preview(kind: str | None, config: Path | None, *, as_json: bool) -> int:
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.config import load  # noqa: PLC0415  as above
    from serinus.engine.clock import now  # noqa: PLC0415  as above
    from serinus.notify.apprise_url import body, title  # noqa: PLC0415  as above
    from serinus.notify.webhook import document  # noqa: PLC0415  as above
    from serinus.service.links import NOWHERE, Links  # noqa: PLC0415  as above
    from serinus.service.notice_kinds import KINDS  # noqa: PLC0415  as above
    from serinus.service.notice_samples import samples  # noqa: PLC0415  as above

    if kind not in (None, "test", *KINDS):
        message = f"no notice is of the kind {kind!r}; there are: {', '.join(KINDS)}"
        raise LookupError(message)
    links = Links(load(config, os.environ).serve.public_url) if config else NOWHERE
    for notice in samples(now().replace(microsecond=0)):
        if kind not in (None, notice.kind):
            continue
        if as_json:
            put(document(notice, links))
        else:
            _print(title([notice]), "")
            sys.stdout.write(f"{body([notice], links)}\n\n")
    return TAKEN


def _chosen(tables: tuple[Notify, ...], name: str | None) -> list[Notify]:
    """The channels of that name, or all.

    Raises:
        LookupError: there is none.
    """
    found = [table for table in tables if name in (None, table.name)]
    if found:
        return found
    known = ", ".join(table.name for table in tables)
    message = f"no channel is called {name!r}; configured: {known}" if known else NO_CHANNEL
    raise LookupError(message)


def _list(config: Path | None, *, as_json: bool) -> int:
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.config import load  # noqa: PLC0415  as above

    settings = load(config, os.environ)
    tables = _chosen(settings.notify, None)
    kept = _kept(settings, tables)
    for table in tables:
        row = _row(table, kept)
        if as_json:
            put(row)
        else:
            _print(row["channel"], _standing(row))
    for name in sorted(set(kept.disabled) - {table.name for table in tables}):
        tell(f"{name} was disabled and is not configured any more: {kept.disabled[name]}")
    return TAKEN


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the store remembers of the channels: why disabled, how many notices taken and waiting, by name."""

    disabled: Mapping[str, str] = field(default_factory=dict)
    taken: Mapping[str, int] = field(default_factory=dict)
    waiting: Mapping[str, int] = field(default_factory=dict)


def _kept(settings: Settings, tables: Sequence[Notify]) -> _Kept:
    from serinus.config.channels import wants_of  # noqa: PLC0415  as above
    from serinus.service.store_errors import StoreMissingError  # noqa: PLC0415  as above
    from serinus.store import open_store  # noqa: PLC0415  as above

    try:
        store = open_store(settings.store.path, read_only=True)
    except StoreMissingError:
        return _Kept()  # nothing ever happened
    try:
        return _Kept(
            store.disabled_channels(),
            {table.name: store.deliveries(table.name) for table in tables},
            {name: _waiting(store, name, wants) for name, wants in wants_of(settings).items()},
        )
    finally:
        store.close()


def _waiting(store: Store, name: str, wants: Wants) -> int:
    notices = [notice for _, notice in store.outbox(name, limit=MANY)]
    return sum(wants.takes(notice) for notice in notices)


def _row(table: Notify, kept: _Kept) -> dict[str, Any]:
    return {
        "channel": table.name,
        "kind": table.kind,
        "notices": list(table.kinds) or "all",
        "severity": table.severity,
        "models": list(table.models) or "all",
        "disabled": kept.disabled.get(table.name),
        "taken": kept.taken.get(table.name, 0),
        "waiting": kept.waiting.get(table.name, 0),
    }


def _standing(row: dict[str, Any]) -> str:
    notices = row["notices"] if isinstance(row["notices"], str) else ", ".join(row["notices"])
    if row["severity"] != "info":
        notices += f" from {row['severity']} on"
    if row["models"] != "all":
        notices += f" of {', '.join(row['models'])}"
    state = "on" if row["disabled"] is None else f"DISABLED: {row['disabled']}"
    return f"{row['kind']}, sent {notices}; {row['taken']} taken, {row['waiting']} waiting; {state}"


def _try(name: str | None, config: Path | None, *, as_json: bool) -> int:
    from serinus.bootstrap.operators import operators_of  # noqa: PLC0415  as above
    from serinus.config import load  # noqa: PLC0415  as above

    settings = load(config, os.environ)
    wanted = {table.name for table in _chosen(settings.notify, name)}
    only = settings.model_copy(update={"notify": tuple(t for t in settings.notify if t.name in wanted)})
    return asyncio.run(_send(operators_of(only, os.environ), as_json=as_json))


async def _send(operators: Operators, *, as_json: bool) -> int:
    from serinus.bootstrap.operators import channel_of  # noqa: PLC0415  as above
    from serinus.cli.records import put  # noqa: PLC0415  as above
    from serinus.engine.clock import now  # noqa: PLC0415  as above
    from serinus.service.courier import attempt  # noqa: PLC0415  as above
    from serinus.service.notices import trial  # noqa: PLC0415  as above

    at, channels = now(), operators.channels
    sent = (attempt(channel_of(c, operators.links), [trial(c.name, at)]) for c in channels)
    errors = await asyncio.gather(*sent)
    for channel, error in zip(channels, errors, strict=True):
        if as_json:
            put({"channel": channel.name, "taken": error is None, "trouble": error and str(error)})
        else:
            _print(channel.name, _came(error))
    return REFUSED if any(errors) else TAKEN


def _came(error: DeliveryError | None) -> str:
    if error is None:
        return "took the test notice"
    again = "a running canary would disable it" if error.permanent else "a running canary would try again"
    return f"{error}; {again}"


def _enable(name: str, by: str | None, why: str, config: Path | None) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.config import load  # noqa: PLC0415  as above
    from serinus.service.notices import channel_enabled  # noqa: PLC0415  as above

    who = signed(by, why)
    with open_desk(config, acting=True) as desk:
        disabled = desk.store.disabled_channels()
        if name not in disabled:
            _chosen(load(config, os.environ).notify, name)
            _print(name, "was not disabled; nothing was changed")
            return TAKEN
        desk.store.enable_channel(name, [channel_enabled(name, desk.at, who, why)])
    _print(name, f"is enabled again; it was disabled because: {disabled[name]}")
    return TAKEN


def _print(name: str, said: str) -> None:
    from rich.text import Text  # noqa: PLC0415  as above

    from serinus.cli.inert import inert  # noqa: PLC0415  as above
    from serinus.cli.paper import console  # noqa: PLC0415  as above
    from serinus.cli.tables import show  # noqa: PLC0415  as above

    show(console(), [Text.assemble((inert(name), "bold"), "  ", inert(said, 600))])
