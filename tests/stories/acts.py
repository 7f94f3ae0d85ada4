"""What may stand in brackets in a story, between two rounds.

lift            lift b, lift forget, lift grace 2h; lift early: committed after the next round began, and
                before it ended; lift now: at the planned instant of the next round
exclude b       an operational exclusion; exclude b until 1h, exclude b everywhere; builtin b; account b
include b       include builtin b
observe         of this model; observe filtering, observe everywhere; enforce likewise
5h later        the next round comes so long after the latest one
1d pass         the same, and the clock ticks at that instant
again           the latest round once more; again +10m
back 2h         the next round's clock is set back
control passed  in the next round; control caught, control unreachable; control a caught: the route a is it
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from serinus.core.durations import parse_duration
from serinus.core.exclusions import Layer
from serinus.core.model import Control
from serinus.core.policy import Exclude, Include, Lift, Mode, SetMode, Tick

MODEL = "m"
AFTER_A_ROUND = timedelta(minutes=10)
IN_FLIGHT = timedelta(minutes=5)
LAYERS = {"exclude": Layer.OPERATIONAL, "builtin": Layer.BUILTIN, "account": Layer.ACCOUNT}


def act(telling: Any, words: str) -> None:
    """Let an operator act, or the clock do something."""
    first, *rest = words.split()
    if rest and rest[-1] in {"later", "pass"}:
        _wait(telling, first, ticks=rest[-1] == "pass")
    elif first == "back":
        telling.clock -= parse_duration(rest[0])
    elif first == "again":
        later = parse_duration(rest[0][1:]) if rest else timedelta(0)
        telling.take(replace(telling.latest, at=telling.latest.at + later))
    elif first == "control":
        route = rest[0] if len(rest) > 1 else "openai"
        telling.controls = {**telling.controls, route: Control(rest[-1])}
    else:
        telling.acts += 1
        latest = telling.held[-1] if telling.held else telling.clock - AFTER_A_ROUND * 3
        at = latest + AFTER_A_ROUND + timedelta(minutes=telling.acts)
        telling.take(_event(telling, at, first, rest))


def _wait(telling: Any, duration: str, *, ticks: bool) -> None:
    telling.clock = telling.held[-1] + parse_duration(duration)
    if ticks:
        telling.take(Tick(telling.clock))


def _event(telling: Any, at: Any, first: str, rest: list[str]) -> Any:
    model = None if "everywhere" in rest else MODEL
    rest = [word for word in rest if word != "everywhere"]
    if first == "lift":
        return _lift(telling, at, rest)
    if first in LAYERS:
        until = at + parse_duration(rest[2]) if "until" in rest else None
        return Exclude(at, LAYERS[first], rest[0], model, by="ops", why="said so", until=until)
    if first == "include":
        layer = LAYERS.get(rest[0], Layer.OPERATIONAL)
        return Include(at, layer, rest[-1], model, by="ops", why="done")
    return SetMode(at, Mode(first), model, rest[0] if rest else None, by="ops", why="trial")


def _lift(telling: Any, at: Any, rest: list[str]) -> Lift:
    route, grace, forget = "a", timedelta(0), False
    while rest:
        word = rest.pop(0)
        if word == "early":
            at = telling.clock + IN_FLIGHT
        elif word == "now":
            at = telling.clock
        elif word == "grace":
            grace = parse_duration(rest.pop(0))
        elif word == "forget":
            forget = True
        else:
            route = word
    return Lift(at, MODEL, route, by="ops", why="looked at it", grace=grace, forget=forget)
