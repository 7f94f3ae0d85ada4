"""The ignore lists of every model as one document: what serinus publishes and applications read (R33).

    {"version": 1, "at": T, "models": {MODEL: LIST}, "others": LIST}
    LIST = {"model", "at", "ignore": [...], "fail_open", "entries": [...], "unmatched": [...]}

A `LIST` is the line of `formats.md` §2 rule 12 with `unmatched`; `others` holds for every model that is
not named, and its `model` is null. Readers ignore keys that they do not know and refuse a wrong shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from serinus.core.exclusions import Exclusion, IgnoreList
from serinus.core.instants import FIRST, format_instant

VERSION: Final = 1
OTHERS: Final = ""  # the model of the list that holds for every model that is not named

# Ways to ask for the same routes (openrouter.ai/docs/features/model-routing): these have no pool of
# their own. `:free`, `:extended` and `:thinking` have, so the plain model's suspensions say nothing there.
VIRTUAL: Final = frozenset({"nitro", "floor", "exacto", "online"})

NOTHING: Final = IgnoreList(OTHERS, FIRST, ignore=(), fail_open=False, entries=())


@dataclass(frozen=True, slots=True)
class Published:
    """What requests must leave out, of every model, as it was known at `at`."""

    at: datetime
    models: Mapping[str, IgnoreList]
    others: IgnoreList = NOTHING

    def of(self, model: str) -> IgnoreList:
        """The list for requests that name this model: its own, its plain model's, or that of all others."""
        found = self.models.get(model) or self.models.get(plain(model))
        return replace(self.others, model=model) if found is None else found

    def lists(self) -> Iterator[IgnoreList]:
        """Every list, that of all other models last."""
        yield from self.models.values()
        yield self.others

    def next_end(self, at: datetime) -> datetime | None:
        """The first instant after `at` at which an entry ends by itself: a list changes then."""
        ends = (e.until for found in self.lists() for e in found.entries if e.until is not None)
        return min((until for until in ends if until > at), default=None)


def plain(model: str) -> str:
    """The model whose routes a request is spread over: `a/b:nitro@preset/c` asks those of `a/b`."""
    name = model.partition("@")[0]
    base, _, variant = name.rpartition(":")
    return base if base and variant in VIRTUAL else name


def alike(one: Published, other: Published) -> bool:
    """Whether two say the same, whenever they were written."""
    return _said(one) == _said(other)


def _said(published: Published) -> list[tuple[object, ...]]:
    lists = sorted(published.lists(), key=lambda found: found.model)
    return [(found.model, found.entries, found.fail_open, found.unmatched) for found in lists]


def document(published: Published) -> dict[str, Any]:
    """The document of all models."""
    return {
        "version": VERSION,
        "at": format_instant(published.at),
        "models": {name: list_document(found) for name, found in sorted(published.models.items())},
        "others": list_document(published.others),
    }


def list_document(found: IgnoreList) -> dict[str, Any]:
    """One model's list with its provenance, and the names that cover no known route."""
    return {
        "model": found.model or None,
        "at": format_instant(found.at),
        "ignore": list(found.ignore),
        "fail_open": found.fail_open,
        "entries": [entry_document(e) for e in found.entries],
        "unmatched": list(found.unmatched),
    }


def entry_document(entry: Exclusion) -> dict[str, Any]:
    """One entry of a layer, a suspension included."""
    return {
        "name": entry.name,
        "layer": str(entry.layer),
        "since": format_instant(entry.since),
        "until": None if entry.until is None else format_instant(entry.until),
        "level": entry.level,
        "contracts": None if entry.contracts is None else list(entry.contracts),
        "by": entry.by,
        "why": entry.why,
    }


def etag_of(written: Mapping[str, Any]) -> str:
    """The entity tag of a document, or of one model's list: what it says, whenever it was written.

    It is computed from everything but the instants `at`, so that the same lists have the same tag in
    every process and after a restart. With its quotes, as the header has it.
    """
    import hashlib  # noqa: PLC0415  only who publishes or fetches pays for it
    import json  # noqa: PLC0415  as above

    said = json.dumps(_timeless(written), sort_keys=True, separators=(",", ":"))
    return f'"{hashlib.sha256(said.encode()).hexdigest()[:32]}"'


def _timeless(written: Mapping[str, Any]) -> dict[str, Any]:
    said = {key: value for key, value in written.items() if key != "at"}
    if isinstance(models := said.get("models"), Mapping):
        said["models"] = {name: _timeless(found) for name, found in models.items()}
    if isinstance(others := said.get("others"), Mapping):
        said["others"] = _timeless(others)
    return said
