"""What lookups read: an immutable snapshot of all lists at an instant, swapped whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from serinus.core.exclusions import Exclusion, IgnoreList, Layer, in_force
from serinus.core.published import OTHERS, VIRTUAL, Published, plain

NEVER: Final = float("inf")
AT_ONCE: Final = float("-inf")
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """The last good list, and how its source's clock goes on from when it was last heard.

    `confirmed` is when the source last said that the list is current. `at` is the source's clock at the
    moment `heard` of our monotonic one, which no step of a wall clock reaches.
    """

    published: Published
    confirmed: datetime
    at: datetime
    heard: float
    tag: str | None = None

    def now(self, monotonic: float) -> datetime:
        """The source's clock."""
        return self.at + timedelta(seconds=monotonic - self.heard)

    def age(self, monotonic: float) -> timedelta:
        """For how long nobody has confirmed it."""
        return max(self.now(monotonic) - self.confirmed, timedelta())


@dataclass(frozen=True, slots=True)
class View:
    """The names to leave out, by model, until `turns` on the monotonic clock, when one of them ends.

    `people` are those of the names that people excluded, kept apart where a request is pinned.
    """

    turns: float = AT_ONCE
    names: Mapping[str, Names] = field(default_factory=dict)
    people: Mapping[str, Names] = field(default_factory=dict)
    others: Names = ()
    nothing: bool = True  # no model has any name: a request need not even be looked at

    def of(self, model: str) -> Names:
        """The names for a model."""
        found = self.names.get(model)
        return self.of_another(model) if found is None else found

    def of_another(self, model: str) -> Names:
        """The names for a model that `names` does not hold under this very name."""
        return self.names.get(plain(model), self.others)

    def of_people(self, model: str) -> Names:
        """What people excluded for a model, as `names` and `of_another` say of all."""
        found = self.people.get(model)
        return self.people.get(plain(model), self.others) if found is None else found


BLANK: Final = View()


def view_of(known: Known, monotonic: float, max_age: timedelta) -> View:
    """The view of a list at an instant.

    Entries run out by their own `until`. Suspensions of a list that nobody has confirmed for longer than
    `max_age` no longer apply: by then a host may be well again, and only a canary could say so. What
    people excluded stays.
    """
    now = known.now(monotonic)
    old = known.age(monotonic) > max_age
    lists = known.published.models
    held = {found.model: _held(found, now, old=old) for found in known.published.lists()}
    variants = {f"{m}:{v}": m for m in lists for v in VIRTUAL if f"{m}:{v}" not in lists}
    all_names = {model: _names(entries) for model, entries in held.items()}
    people = {model: _names(e for e in es if e.layer is not Layer.SUSPENSION) for model, es in held.items()}
    return View(
        _turns(known, [e for entries in held.values() for e in entries], monotonic, max_age),
        all_names | {variant: all_names[model] for variant, model in variants.items()},
        people | {variant: people[model] for variant, model in variants.items()},
        all_names[OTHERS],
        not any(all_names.values()),
    )


def _held(found: IgnoreList, now: datetime, *, old: bool) -> list[Exclusion]:
    """The entries that apply."""
    return [
        e
        for e in found.entries
        if in_force(e.since, e.until, now) and not (old and e.layer is Layer.SUSPENSION)
    ]


def _names(entries: Iterable[Exclusion]) -> Names:
    return tuple(sorted({e.name for e in entries}))


def _turns(known: Known, held: Sequence[Exclusion], monotonic: float, max_age: timedelta) -> float:
    """When the next of these entries ends, or suspensions become too old, on the monotonic clock."""
    now = known.now(monotonic)
    ends = [e.until for e in held if e.until is not None]
    if any(e.layer is Layer.SUSPENSION for e in held):
        ends.append(known.confirmed + max_age + timedelta.resolution)
    return min((monotonic + (end - now).total_seconds() for end in ends), default=NEVER)
