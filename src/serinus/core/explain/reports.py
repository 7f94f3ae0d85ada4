"""What a report found, as sentences (R26)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Final

from serinus.core.clocktime import Told
from serinus.core.explain.phrases import counted, listed, moment
from serinus.core.explain.verdicts import of_verdict
from serinus.core.model import Verdict, Word


def of_told_time(told: Told) -> str:
    """How a time was understood, and by whose clock."""
    zone = f" (by the clock of {told.zone})" if told.zone else ""
    if len(told.readings) == 1:
        return f"“{told.text}” is {moment(told.first)}{zone}."
    return (
        f"“{told.text}” came twice that night{zone}: at {moment(told.first)} and, after the clock was put "
        f"back, at {moment(told.last)}. Both are looked at; an instant with its offset tells them apart."
    )


def of_source(source: str, requests: int, routes: int) -> str:
    """What tells who served, and how surely."""
    return _SOURCES[source](requests, routes)


def of_no_source(routes: int, *, known: bool) -> str:
    """That nothing tells who served."""
    if not known:
        return (
            "Nothing tells who served: the route ledger holds nothing of that time, no generation was found, "
            "and no round was held around it."
        )
    return (
        "Nothing tells who served: the route ledger holds nothing of that time, and no generation was found. "
        f"It may have been any of the {counted(routes, 'route')} that were in production then. Requests "
        "that go through `serinus proxy` can be told apart."
    )


def of_other_time(at: datetime) -> str:
    """That a request came at another time than was told."""
    return f"The request of that id came at {moment(at)}, which is not the time that was told; the id counts."


def of_shared_name(tags: Collection[str]) -> str:
    """That several routes answer to one name."""
    return (
        f"Ambiguous: {listed(tags)} share one provider's name in answers, and only the gateway's endpoint "
        "id tells them apart, which could not be had."
    )


def of_unnamed(unnamed: int, requests: int) -> str:
    """That some requests name no known route."""
    return f"{unnamed} of {counted(requests, 'request')} name no route that was ever listed."


def of_served_while_out(tag: str) -> str:
    """That an exclusion did not reach the request."""
    return (
        f"{tag} was kept from user traffic then, and served all the same: either the request asked for it "
        "alone (`only`), or it did not get the ignore list. See that the application asks for the list, and "
        "that the names on it are the gateway's."
    )


def of_stand(stand: str) -> str:
    """Where a route stood, in a few words; `Stand` of `service/reporting/findings.py` has the codes."""
    return _STANDS.get(stand, stand.replace("_", " "))


_STANDS: Final[Mapping[str, str]] = MappingProxyType(
    {"held_at_floor": "held at the floor", "unknown": "not known"}
)


def of_held() -> str:
    """That only the floor keeps a route in."""
    return "Held at the floor: it was due to be suspended, and too few providers would have been left."


def of_in_production() -> str:
    """That nothing keeps a route out."""
    return "In production: no layer excludes it."


def of_never_seen() -> str:
    """That nothing is known of a route around a time."""
    return "No round asked it around that time."


def of_finding(contract: str, word: str, reason: str, detail: str) -> str:
    """A kept finding as a sentence."""
    return of_verdict(contract, Verdict(Word(word), reason, detail))


def _conversation(requests: int, routes: int) -> str:
    if routes == 1:
        return f"The route ledger holds {counted(requests, 'request')} of this conversation, of one route."
    return (
        f"Ambiguous: the route ledger holds {counted(requests, 'request')} of this conversation, served by "
        f"{counted(routes, 'route')}; a narrower --window around the time, or a generation id, tells which."
    )


def _window(requests: int, routes: int) -> str:
    if routes == 1:
        return (
            f"The route ledger holds {counted(requests, 'request')} of this model around that time, all "
            "served by one route."
        )
    return (
        f"Ambiguous: the route ledger holds {counted(requests, 'request')} of this model around that time, "
        f"served by {counted(routes, 'route')}; a generation id would tell which. Each route's part of them "
        "is how likely it is."
    )


_SOURCES: Final[Mapping[str, Callable[[int, int], str]]] = MappingProxyType(
    {
        "ledger": lambda _, routes: (
            "The route ledger holds this very request."
            if routes
            else "The route ledger holds this very request, whose provider is none that was ever listed."
        ),
        "generation_record": lambda *_: "The gateway's own record of this generation tells who served.",
        "conversation": _conversation,
        "window": _window,
    }
)
