"""`serinus exclusions`: what keeps routes from user traffic, and what operators add to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from serinus.cli.acting import REFUSED, agreed, signed, tell
from serinus.cli.arguments import Duration, Instant

if TYPE_CHECKING:
    from datetime import datetime

    from serinus.service.desk import Desk
    from serinus.service.operators import Act

app = App(
    name="exclusions",
    help="List what keeps routes from user traffic, and add to it or take it back.",
    default_parameter=Parameter(negative=()),
)


@app.command(name="list")
def list_(*, model: str | None = None, config: Path | None = None, json_: bool = False) -> int:
    """List the entries of every layer: built-in, operational, account, suspensions.

    An entry that covers no known route is told, since the gateway drops such names silently; so is a
    built-in one whose review is older than 180 days.

    Parameters
    ----------
    model
        Only what concerns this model.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object an entry instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  `serinus --help` stays light

    return told(lambda: _list(model, config, as_json=json_))


def _list(model: str | None, config: Path | None, *, as_json: bool) -> int:
    import os  # noqa: PLC0415  as above

    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.layers import show_layers, tell_of_reviews  # noqa: PLC0415  as above
    from serinus.config import inspect  # noqa: PLC0415  as above

    with open_desk(config) as desk:
        models = desk.models([model] if model else ())
        show_layers(desk, models, as_json=as_json)
        tell_of_reviews(desk, models, [e.event() for e in inspect(config, os.environ).exclusions])
    return 0


@app.command
def merged(*, model: str | None = None, config: Path | None = None, json_: bool = False) -> int:
    """Print each model's ignore list as the gateway gets it, and which entry each name is from.

    Parameters
    ----------
    model
        Only this model's.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object a model instead, as `serinus replay --ignore-at` does.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  as above

    return told(lambda: _merged(model, config, as_json=json_))


def _merged(model: str | None, config: Path | None, *, as_json: bool) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.layers import show_merged  # noqa: PLC0415  as above

    with open_desk(config) as desk:
        show_merged(desk, desk.models([model] if model else ()), as_json=as_json)
    return 0


@app.command
def add(  # noqa: PLR0913  each is an option of the command
    route: str,
    *,
    why: str,
    by: str | None = None,
    model: str | None = None,
    until: Instant | None = None,
    for_: Annotated[Duration | None, Parameter(name="--for")] = None,
    anyway: bool = False,
    yes: bool = False,
    config: Path | None = None,
    json_: bool = False,
) -> int:
    """Keep a route, or all routes of a provider, from user traffic.

    What it does to capacity is shown before it is made; if a model would be left below its floor, you
    are asked. A running canary goes on probing the route. The exit status is 1 if nothing was changed.

    Parameters
    ----------
    route
        The gateway's tag of the route, or a provider's name for all its routes.
    why
        The reason, for whoever looks at it next.
    by
        Who acts; SERINUS_BY or the login name when absent.
    model
        For this model only; for all when absent.
    until
        When it ends by itself (RFC 3339).
    for_
        How long it lasts (6h, 14d), instead of --until.
    anyway
        Exclude a name that covers no known route.
    yes
        Go on without asking.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  as above

    wanted = _Wanted(route, model, by, why, until, for_, anyway, yes, config, json_)
    return told(lambda: _add(wanted))


@app.command
def remove(  # noqa: PLR0913  each is an option of the command
    route: str,
    *,
    why: str,
    by: str | None = None,
    model: str | None = None,
    config: Path | None = None,
    json_: bool = False,
) -> int:
    """Take back an operational exclusion: the one of this name and model, and no other.

    Built-in ones end only by a reviewed change of exclusions.toml, suspensions by `serinus lift`. The
    exit status is 1 if there is no such exclusion.

    Parameters
    ----------
    route
        The name as it was excluded.
    why
        The reason, for whoever looks at it next.
    by
        Who acts; SERINUS_BY or the login name when absent.
    model
        The model it was excluded for; the entry for all models when absent.
    config
        The configuration; without it the environment's, else serinus.toml in the current folder.
    json_
        Print one JSON object instead.
    """
    from serinus.cli.failing import told  # noqa: PLC0415  as above

    wanted = _Wanted(route, model, by, why, config=config, json=json_)
    return told(lambda: _remove(wanted))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The arguments of an act."""

    route: str
    model: str | None
    by: str | None
    why: str
    until: datetime | None = None
    lasting: Duration | None = None
    anyway: bool = False
    yes: bool = False
    config: Path | None = None
    json: bool = False


def _add(wanted: _Wanted) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.doings import report  # noqa: PLC0415  as above
    from serinus.core.exclusions import Layer  # noqa: PLC0415  as above
    from serinus.core.policy import Exclude  # noqa: PLC0415  as above
    from serinus.engine.clock import now  # noqa: PLC0415  as above
    from serinus.service.operators import act, foreseen  # noqa: PLC0415  as above
    from serinus.service.records.doings import room_lines  # noqa: PLC0415  as above

    if wanted.until is not None and wanted.lasting is not None:
        tell("Give --until or --for, not both. Nothing was changed.")
        return REFUSED
    by = signed(wanted.by, wanted.why)
    with open_desk(wanted.config, acting=True) as desk:
        models = desk.models([wanted.model] if wanted.model else ())
        if not _known(desk, wanted, models):
            return REFUSED
        until = desk.at + wanted.lasting if wanted.lasting is not None else wanted.until
        if until is not None and until <= desk.at:
            tell(f"--until is past: it is {desk.at:%Y-%m-%dT%H:%M:%SZ} now. Nothing was changed.")
            return REFUSED
        event = Exclude(desk.at, Layer.OPERATIONAL, wanted.route, wanted.model, by, wanted.why, until)
        rooms = foreseen(desk.policy, desk.state, event, models)
        for line in room_lines(rooms):
            tell(line)
        if any(r.falls for r in rooms) and not agreed("Go below the floor?", yes=wanted.yes):
            return REFUSED
        event = replace(event, at=now())  # a person may have thought it over
        report(desk, act(desk.memory, desk.policy, event), models, as_json=wanted.json)
    return 0


def _known(desk: Desk, wanted: _Wanted, models: list[str]) -> bool:
    """Whether the name covers anything, or is wanted anyway; what is wrong with it is told."""
    from serinus.service.names import UnknownNameError, proved  # noqa: PLC0415  as above

    try:
        proved(wanted.route, desk.names(models))
    except UnknownNameError as error:
        tell(str(error))
        if not wanted.anyway:
            tell("Give --anyway to exclude it all the same. Nothing was changed.")
        return wanted.anyway
    return True


def _remove(wanted: _Wanted) -> int:
    from serinus.cli.desk import open_desk  # noqa: PLC0415  as above
    from serinus.cli.doings import report  # noqa: PLC0415  as above
    from serinus.core.exclusions import Layer  # noqa: PLC0415  as above
    from serinus.core.policy import Include  # noqa: PLC0415  as above
    from serinus.service.operators import act  # noqa: PLC0415  as above

    by = signed(wanted.by, wanted.why)
    with open_desk(wanted.config, acting=True) as desk:
        event: Act = Include(desk.at, Layer.OPERATIONAL, wanted.route, wanted.model, by, wanted.why)
        key = (Layer.OPERATIONAL, wanted.route, wanted.model)
        if key not in desk.state.exclusions:
            _tell_of_others(desk, wanted)
            return REFUSED
        models = desk.models([wanted.model] if wanted.model else ())
        report(desk, act(desk.memory, desk.policy, event), models, as_json=wanted.json)
    return 0


def _tell_of_others(desk: Desk, wanted: _Wanted) -> None:
    """Say that there is no such exclusion, and which ones there are of that name."""
    where = wanted.model or "all models"
    tell(f"There is no operational exclusion of {wanted.route} for {where}. Nothing was changed.")
    for entry in desk.state.exclusions.values():
        if entry.name == wanted.route:
            tell(f"The {entry.layer} layer has one for {entry.model or 'all models'}.")
