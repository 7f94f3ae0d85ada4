"""What operators do from a browser or by the API, in their own name; capacity is looked at before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from serinus.core.exclusions import Layer
from serinus.core.policy import Decision, Entry, Exclude, Include, Lift, Mode, SetMode, State, decide
from serinus.service.desk import Desk
from serinus.service.names import UnknownNameError, proved
from serinus.service.operators import OPINIONS, Act, Done, Mark, Room, foreseen, mark, record
from serinus.service.records.doings import room_document
from serinus.web.problems import Problem


@dataclass(frozen=True, slots=True)
class Acted:
    """An act and the capacity it was foreseen to leave; `done` is None where it was only tried."""

    models: tuple[str, ...]
    at: datetime
    rooms: tuple[Room, ...] = ()
    done: Done | None = None


@dataclass(frozen=True, slots=True)
class Excluding:
    """A route or provider to keep from user traffic."""

    route: str
    model: str | None
    why: str
    until: datetime | None = None
    lasts: timedelta | None = None
    anyway: bool = False
    dry_run: bool = False
    confirm: bool = False


def exclude(desk: Desk, by: str, wanted: Excluding) -> Acted:
    """Exclude a name, unless that leaves a model below its floor and nobody confirmed it.

    Raises:
        Problem: the name covers nothing, its end is past, or a model would fall below its floor.
        LookupError: the model is not known.
    """
    models = tuple(desk.models([wanted.model] if wanted.model else ()))
    at = desk.at
    until = _end(wanted, at)
    if not wanted.anyway:
        _prove(desk, wanted.route, models)
    event = Exclude(at, Layer.OPERATIONAL, wanted.route, wanted.model, by, wanted.why, until)
    if wanted.dry_run:
        return Acted(models, at, foreseen(desk.policy, desk.state, event, models))
    return _acted(desk, event, models, confirm=wanted.confirm)


def include(desk: Desk, by: str, route: str, model: str | None, why: str) -> Acted:
    """Take back an operational exclusion: the one of this name and model, and no other.

    Raises:
        Problem: there is none, or it is not operators' to take back.
    """
    models = tuple(desk.models([model] if model else ()))
    if (Layer.OPERATIONAL, route, model) not in desk.state.exclusions:
        raise Problem(404, _no_such(desk.state, route, model), kind="no_such_exclusion")
    event = Include(desk.at, Layer.OPERATIONAL, route, model, by, why)
    return _acted(desk, event, models, confirm=True)


def lift(desk: Desk, by: str, wanted: Lift) -> Acted:
    """End a suspension by hand; `wanted` without instant and author, which are the desk's and the caller's.

    Raises:
        Problem: the name is no route of the model.
    """
    models = tuple(desk.models([wanted.model]))
    covered = _prove(desk, wanted.route, models)
    if wanted.route not in covered:
        message = (
            f"{wanted.route!r} is a provider; a lift is of one route: {', '.join(covered)}. "
            "Nothing was changed."
        )
        raise Problem(404, message, kind="unknown_name")
    event = Lift(desk.at, wanted.model, wanted.route, by, wanted.why, wanted.grace, wanted.forget)
    return _acted(desk, event, models, confirm=True)


def set_mode(desk: Desk, by: str, wanted: SetMode, *, confirm: bool) -> Acted:
    """Observe or enforce; enforcing what was observed for less than a week needs to be confirmed (R17).

    Raises:
        Problem: it does, and was not.
        LookupError: the model is not known.
    """
    models = tuple(desk.models([wanted.model] if wanted.model else ()))
    if wanted.mode is Mode.ENFORCE and not confirm:
        short = [said for p in desk.prospects(models, wanted.contract) if (said := p.shortage)]
        if short:
            detail = f'{" ".join(short)} Send "confirm": true to enforce all the same. Nothing was changed.'
            raise Problem(409, detail, kind="observed_too_little")
    event = SetMode(desk.at, wanted.mode, wanted.model, wanted.contract, by, wanted.why)
    return _acted(desk, event, models, confirm=True)


def give_mark(desk: Desk, by: str, seq: int, opinion: str, why: str) -> Decision:
    """Note whether a decision was right; raises LookupError where it is none."""
    return mark(desk.store, Mark(seq, OPINIONS[opinion], by, why, desk.at))


def _acted(desk: Desk, event: Act, models: tuple[str, ...], *, confirm: bool) -> Acted:
    """Write an act; what it does to capacity is looked at on the very state that it is written on."""
    rooms: tuple[Room, ...] = ()

    def decided(state: State) -> Sequence[Entry]:
        nonlocal rooms
        rooms = foreseen(desk.policy, state, event, models)
        if not confirm and any(room.falls for room in rooms):
            raise _below_floor(rooms)
        return decide(desk.policy, state, event)

    done = record(desk.memory, decided, desk.policy)
    return Acted(models, event.at, rooms, done)


def _below_floor(rooms: Sequence[Room]) -> Problem:
    falling = [room_document(room) for room in rooms if room.falls]
    said = " ".join(room["what"] for room in falling)
    detail = f'{said} Send "confirm": true to do it all the same. Nothing was changed.'
    return Problem(409, detail, kind="below_floor", capacity=[room_document(room) for room in rooms])


def _end(wanted: Excluding, at: datetime) -> datetime | None:
    if wanted.until is not None and wanted.lasts is not None:
        raise Problem(422, "Give until or lasts, not both. Nothing was changed.", kind="end")
    until = at + wanted.lasts if wanted.lasts is not None else wanted.until
    if until is not None and until <= at:
        message = f"The end is past: it is {at:%Y-%m-%dT%H:%M:%SZ} now. Nothing was changed."
        raise Problem(409, message, kind="end")
    return until


def _prove(desk: Desk, name: str, models: Sequence[str]) -> list[str]:
    """The routes that a name covers."""
    try:
        covered = proved(name, desk.names(models))
    except UnknownNameError as error:
        message = f"{error} Nothing was changed."
        raise Problem(404, message, kind="unknown_name") from None
    return sorted({tag for tags in covered.values() for tag in tags})


def _no_such(state: State, route: str, model: str | None) -> str:
    others = [
        f"{e.layer} for {e.model or 'all models'}" for e in state.exclusions.values() if e.name == route
    ]
    where = f" There are others of that name: {', '.join(others)}." if others else ""
    said = f"There is no operational exclusion of {route} for {model or 'all models'}. Nothing was changed."
    return said + where
