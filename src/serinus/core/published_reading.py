"""A published document read again: leniently where it may grow, strictly where it would mislead."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, TypeVar

from serinus.core.exclusions import Exclusion, IgnoreList, Layer
from serinus.core.instants import ALLOWED, parse_instant
from serinus.core.published import NOTHING, OTHERS, VERSION, Published

LONGEST: Final = 512  # characters of a name; a gateway's tags have some twenty
SHOWN: Final = 80  # characters of what was found that a message shows

_T = TypeVar("_T")


class PublishedError(ValueError):
    """The document is no published list; the message says what was found, where, and what is allowed."""


def read(written: object) -> Published:
    """The lists that a document holds.

    Raises:
        PublishedError: it has another shape, or was written for a newer reader.
    """
    said = _mapping(written, "the document")
    version = said.get("version")
    if version != VERSION or isinstance(version, bool):
        message = f"found a list of version {_shown(version)}, this reader knows {VERSION}: update serinus"
        raise PublishedError(message)
    models = _mapping(said.get("models"), "models")
    others = said.get("others")
    return Published(
        _instant(said.get("at"), "at"),
        {_name(name, "models"): _list(found, f"models[{name!r}]", name) for name, found in models.items()},
        NOTHING if others is None else _list(others, "others", OTHERS),
    )


def _list(written: object, where: str, model: str) -> IgnoreList:
    said = _mapping(written, where)
    entries = tuple(
        _entry(e, f"{where}.entries[{n}]", model) for n, e in enumerate(_each(said, "entries", where))
    )
    ignore = tuple(_name(name, f"{where}.ignore") for name in _each(said, "ignore", where))
    if set(ignore) != {e.name for e in entries}:
        message = f"{where} contradicts itself: its ignore names other routes than its entries"
        raise PublishedError(message)
    return IgnoreList(
        model,
        _instant(said.get("at"), f"{where}.at"),
        ignore,
        _a(bool, said.get("fail_open"), f"{where}.fail_open", "true or false"),
        entries,
        tuple(
            _name(name, f"{where}.unmatched") for name in _each({"unmatched": [], **said}, "unmatched", where)
        ),
    )


def _entry(written: object, where: str, model: str) -> Exclusion:
    said = _mapping(written, where)
    layer, until = _layer(said.get("layer"), where), said.get("until")
    if layer is Layer.SUSPENSION and until is None:
        message = f"{where} is a suspension without an end (`until`); every suspension has one"
        raise PublishedError(message)
    contracts = said.get("contracts")
    return Exclusion(
        _name(said.get("name"), f"{where}.name"),
        layer,
        _instant(said.get("since"), f"{where}.since"),
        None if until is None else _instant(until, f"{where}.until"),
        model=model or None,
        by=_optional(str, said.get("by"), f"{where}.by", "a text or null"),
        why=_optional(str, said.get("why"), f"{where}.why", "a text or null"),
        level=_optional(int, said.get("level"), f"{where}.level", "a whole number or null"),
        contracts=None if contracts is None else tuple(map(str, _each(said, "contracts", where))),
    )


def _layer(found: object, where: str) -> Layer:
    try:
        return Layer(_a(str, found, f"{where}.layer", "the name of a layer"))
    except ValueError:
        known = ", ".join(Layer)
        message = f"{where}.layer is {_shown(found)}, this reader knows {known}: update serinus"
        raise PublishedError(message) from None


def _instant(found: object, where: str) -> datetime:
    try:
        return parse_instant(_a(str, found, where, ALLOWED))
    except PublishedError:
        raise
    except ValueError:
        raise _wrong(found, where, ALLOWED) from None


def _name(found: object, where: str) -> str:
    name = _a(str, found, where, "a name")
    if not 0 < len(name) <= LONGEST or not name.isprintable():
        raise _wrong(found, where, f"a printable name of 1 to {LONGEST} characters")
    return name


def _mapping(found: object, where: str) -> Mapping[str, Any]:
    return _a(dict, found, where, "an object")


def _each(said: Mapping[str, Any], key: str, where: str) -> list[Any]:
    return _a(list, said.get(key), f"{where}.{key}", "a list")


def _optional(kind: type[_T], found: object, where: str, allowed: str) -> _T | None:
    return None if found is None else _a(kind, found, where, allowed)


def _a(kind: type[_T], found: object, where: str, allowed: str) -> _T:
    if not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool):
        raise _wrong(found, where, allowed)
    return found


def _wrong(found: object, where: str, allowed: str) -> PublishedError:
    return PublishedError(f"{where} is {_shown(found)}, allowed is {allowed}")


def _shown(found: object) -> str:
    text = repr(found)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
