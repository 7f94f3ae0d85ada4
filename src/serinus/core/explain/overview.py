"""What somebody must know who looks for the first time this night, as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from serinus.core.explain.phrases import counted, lasting, listed, moment
from serinus.core.policy.state import Suspension


def of_headline(out: int, would: int, models: int) -> str:
    """How much is out, in one line."""
    if out:
        also = f", and {counted(would, 'route')} would be, were everything enforced" if would else ""
        return f"{counted(out, 'route')} of {counted(models, 'model')} {_are(out)} out of production{also}."
    if would:
        return (
            f"Nothing is out. {counted(would, 'route')} of {counted(models, 'model')} would be, "
            "were everything enforced."
        )
    return "Nothing is out of production."


def of_left(short: Mapping[str, int], least: tuple[str, int], models: int, floor: int) -> str:
    """What is left to serve users.

    `short` are the models below the floor, `least` is the model that has fewest: with the providers that
    each has in production.
    """
    if short:
        each = listed([f"{name} ({providers} left)" for name, providers in short.items()])
        return f"Below the floor of {counted(floor, 'provider')}: {each}."
    name, providers = least
    left = f"{counted(providers, 'provider')} {_are(providers)} left in production"
    if models == 1:
        return f"{left}; the floor of {floor} holds."
    holds = f"The floor of {counted(floor, 'provider')} holds for each of {models} models"
    return f"{holds}; fewest: {left} of {name}."


def of_silence(last: datetime, at: datetime) -> str:
    """That no round was held for long: what is shown is how things stood then."""
    return f"No round for {lasting(rounded(at - last))}: what is shown is old."


def of_nothing_yet() -> str:
    """That there is nothing to show before the first round."""
    return "No round was held yet."


def of_first_round(*, held: bool) -> str:
    """What to wait for, or to do, before the first round; `held` says whether rounds are held here."""
    if held:
        return "The first one is under way; what it finds is shown here as soon as it ends."
    return "Nothing holds rounds at this store: start `serinus run`, and what it finds is shown here."


def of_cause(suspension: Suspension) -> str:
    """What a suspension is for, in few words: `language, level 2`."""
    return f"{listed(suspension.contracts)} (level {suspension.level})"


def of_span(until: datetime | None, at: datetime) -> str:
    """Until when, and how long that is from now: `2026-12-01 09:30 UTC, in 22 hours`."""
    if until is None:
        return "until it is taken back"
    left = until - at
    if left.total_seconds() <= 0:
        return f"{moment(until)}: the next round decides"
    return f"{moment(until)}, in {lasting(rounded(left))}"


def of_words(counts: dict[str, int], rounds: int, span: str) -> str:
    """What a bar of rounds shows, for who cannot see it: `last 24 hours, 48 rounds: 46 kept, 2 broken`."""
    said = ", ".join(f"{n} {word}" for word, n in counts.items() if n)
    return f"{span}, {counted(rounds, 'round')}: {said or 'not asked'}"


def of_peace(routes: int) -> str:
    """That healthy routes are folded away."""
    return f"{counted(routes, 'route')} in production kept every promise"


def rounded(length: timedelta) -> timedelta:
    """A length as a person says it: in minutes up to two hours, in hours up to two days, else in days."""
    seconds = length.total_seconds()
    fitting = (unit for unit, limit in ((1, 120), (60, 7200), (3600, 172_800)) if seconds < limit)
    unit = next(fitting, 86400)
    return timedelta(seconds=unit * round(seconds / unit))


def of_past(length: timedelta) -> str:
    """How long ago something was: `3 minutes ago`."""
    return f"{lasting(rounded(length))} ago" if length.total_seconds() >= 1 else "just now"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
