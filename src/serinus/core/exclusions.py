"""The layers of exclusion, merged with their provenance into one ignore list (R22, R23)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final


class Layer(StrEnum):
    """Who keeps a route from user traffic.

    `ACCOUNT` is what the gateway shows as ignored by the account itself.
    """

    BUILTIN = "builtin"
    OPERATIONAL = "operational"
    ACCOUNT = "account"
    SUSPENSION = "suspension"


STANDING: Final = (Layer.BUILTIN, Layer.OPERATIONAL, Layer.ACCOUNT)  # the layers that people keep
_RANK: Final = {layer: rank for rank, layer in enumerate(Layer)}


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One entry of a layer: a name that gets no traffic, and why.

    `name` is a route's tag or a provider's name. `model` is None for every model, `until` None
    where it has no end. `level` and `contracts` are those of a suspension, None elsewhere.
    """

    name: str
    layer: Layer
    since: datetime
    until: datetime | None = None
    model: str | None = None
    by: str | None = None
    why: str | None = None
    level: int | None = None
    contracts: tuple[str, ...] | None = None

    def concerns(self, model: str) -> bool:
        """Whether it speaks of this model."""
        return self.model is None or self.model == model

    def holds(self, model: str, at: datetime) -> bool:
        """Whether it keeps something from this model's traffic at that instant."""
        return self.concerns(model) and in_force(self.since, self.until, at)


@dataclass(frozen=True, slots=True)
class IgnoreList:
    """What a request for a model must tell the gateway to leave out, and which entry says so.

    `fail_open` means that the layers together would have left no live route, so suspensions were
    left out. `unmatched` are names that cover no known route: the gateway drops them silently.
    """

    model: str
    at: datetime
    ignore: tuple[str, ...]
    fail_open: bool
    entries: tuple[Exclusion, ...]
    unmatched: tuple[str, ...] = ()


def in_force(since: datetime, until: datetime | None, now: datetime) -> bool:
    """Whether an interval holds at `now`: `since <= now < until`, the one place that says so."""
    return since <= now and (until is None or now < until)


def provider_of(tag: str, providers: Mapping[str, str]) -> str:
    """A route's provider: as the round said, else the part of its tag before the first `/`."""
    return providers.get(tag) or tag.partition("/")[0]


def covers(name: str, tag: str, providers: Mapping[str, str]) -> bool:
    """Whether a name takes this route out: its own tag, or its provider's name."""
    return name in (tag, provider_of(tag, providers))


@dataclass(frozen=True, slots=True)
class Offered:
    """What the gateway offers of a model: the routes that are live now, and each one's provider.

    `known` are routes that were live before and may come back.
    """

    live: frozenset[str]
    providers: Mapping[str, str]
    known: frozenset[str] = frozenset()


def merge(model: str, at: datetime, entries: Iterable[Exclusion], offered: Offered) -> IgnoreList:
    """Merge the layers as they stand at `at` into one list.

    Should they cover every live route, suspensions are left out of it (`formats.md` §2 rule 12):
    a canary may never empty a model's pool.
    """
    held = [e for e in entries if e.holds(model, at)]
    fail_open = bool(offered.live) and all(_covered(tag, held, offered) for tag in offered.live)
    if fail_open:
        held = [e for e in held if e.layer is not Layer.SUSPENSION]
    names = sorted({e.name for e in held})
    routes = offered.live | offered.known
    return IgnoreList(
        model,
        at,
        ignore=tuple(names),
        fail_open=fail_open,
        entries=tuple(sorted(held, key=lambda e: (e.name, _RANK[e.layer], e.since, e.model or ""))),
        unmatched=tuple(n for n in names if not any(covers(n, tag, offered.providers) for tag in routes)),
    )


def _covered(tag: str, entries: Iterable[Exclusion], offered: Offered) -> bool:
    return any(covers(e.name, tag, offered.providers) for e in entries)


def beside(callers: Sequence[str], ours: IgnoreList) -> list[str]:
    """The field to send: what the caller already ignored, kept first and in order, then the list."""
    return list(dict.fromkeys([*callers, *ours.ignore]))
