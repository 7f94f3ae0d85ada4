"""Where a route or model stands, and what would change that, as sentences (R24)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from serinus.core.evidence import Tally
from serinus.core.explain.phrases import counted, lasting, listed, moment
from serinus.core.policy.state import Rung, Suspension


def of_streak(contract: str, held: Tally, more: int | None, until: datetime | None, *, enforced: bool) -> str:
    """What is held against a route, and what would suspend it."""
    said = f"{contract} failed {counted(held.rounds, 'round')} in a row, last at {moment(held.last)}."
    if more is None:
        return said
    number = "The next failing round" if more <= 1 else f"{more} more failing rounds"
    by = f" by {moment(until)}" if until else ""
    verb = "suspend" if more > 1 else "suspends"
    does = f"{verb} it" if enforced else "would suspend it, were it enforced"
    return f"{said} {number} of {contract}{by} {does}."


def of_confinement(suspension: Suspension, *, enforced: bool, running: bool) -> str:
    """That a route is suspended, in which lane, for what and until when."""
    contracts = listed(suspension.contracts)
    state = "Suspended" if enforced else "Would be suspended (observe mode: nothing reaches routing)"
    if not running:
        over = (
            f"Its suspension for {contracts} ran out at {moment(suspension.until)}; the next round decides."
        )
        return over if enforced else f"{over} (observe mode)"
    return (
        f"{state} for {contracts} since {moment(suspension.since)}, until {moment(suspension.until)} "
        f"(level {suspension.level})."
    )


def of_recovery(suspension: Suspension, left: int | None, renewal: str) -> str:
    """What would end a suspension early, and what happens when its time is over."""
    contracts = listed(suspension.contracts)
    so_far = suspension.clean.rounds if suspension.clean else 0
    early = (
        f"{counted(left, 'more clean round' if so_far else 'clean round')} in a row "
        f"{'restores' if left == 1 else 'restore'} it early ({so_far} so far); clean means that every "
        f"contract asked passes, {contracts} among them. "
        if left is not None
        else ""
    )
    return (
        f"{early}At {moment(suspension.until)} it is renewed ({renewal}) if it is still failing then and "
        "the floor allows it; otherwise it is back in production."
    )


def of_step(level: int, length: timedelta) -> str:
    """A step of the ladder: `level 2, 3 days`."""
    return f"level {level}, {lasting(length)}"


def of_rung(rung: Rung | None, step: str, forgotten: datetime | None, *, enforced: bool) -> str:
    """Where a route stands on the ladder, and what its next suspension would be."""
    lane = "" if enforced else " (observe mode)"
    if rung is None or forgotten is None:
        return f"No suspension is remembered{lane}: its next one would be of {step}."
    return (
        f"Its latest suspension{lane} began at {moment(rung.since)} (level {rung.level}); another one before "
        f"{moment(forgotten)} would be of {step}."
    )


def of_hold(providers: int, floor: int, *, enforced: bool) -> str:
    """That only the floor keeps a failing route in production."""
    would = "" if enforced else " (observe mode)"
    return (
        f"Held at the floor{would}: it is due to be suspended, and stays in production because "
        f"{counted(providers, 'provider')} answer for this model and the floor is {floor}. Each further "
        "failing round tries again; another provider back in production, or a lower policy.floor, lets it go."
    )


def of_grace(until: datetime) -> str:
    """That a lift granted a time in which nothing suspends."""
    return f"It has grace until {moment(until)}: whatever fails before then, it is not suspended."


def of_debt(contract: str, language: str | None) -> str:
    """What a route is asked again."""
    asked = f"{contract} in {language}" if language else contract
    return f"It owes an answer on {asked}, and is asked that again in each round."


def of_production(answered: datetime | None) -> str:
    """That nothing keeps a route from user traffic."""
    return (
        "In production: it is live, no layer excludes it, and it "
        f"{f'answered at {moment(answered)}' if answered else 'was not asked yet'}."
    )


def of_control() -> str:
    """What a control is for."""
    return (
        "A control: a host known to filter, probed only to prove that the filtering probe detects filtering."
    )


def of_fail_open() -> str:
    """That a suspension reaches no request."""
    return (
        "All layers together would leave this model no route, so suspensions are left out of its ignore "
        "list: it gets traffic nevertheless."
    )


def of_clean_slate(rounds: int | None) -> str:
    """That nothing is held against a route."""
    if rounds is None:
        return "Nothing is held against it."
    needed = counted(rounds, "failing round")
    return f"Nothing is held against it; {needed} in a row of one contract would suspend it."


def of_absence(answered: datetime | None, *, live: bool) -> str:
    """Why a route that nothing excludes is no capacity."""
    if not live:
        return "The gateway does not list it now."
    when = f"since {moment(answered)}" if answered else "so far"
    return f"It counts for no capacity: it gave no answer that proves it alive {when}."


def of_age(model: str, last: datetime | None, interval: timedelta) -> str:
    """That no round was held for long, so that what is shown is old."""
    if last is None:
        return f"{model}: no round was held yet; `serinus run` holds them."
    return (
        f"{model}: the last round was planned for {moment(last)}, more than two intervals of "
        f"{lasting(interval)} ago: what is shown is old. Is `serinus run` running?"
    )


def of_shortage(model: str, providers: int, floor: int) -> str:
    """That too few providers are left in production."""
    return f"{model}: {counted(providers, 'provider')} left in production, the floor is {floor}."


def of_room(model: str, before: int, after: int, floor: int) -> str:
    """What an act does to the capacity of a model."""
    against = "below the floor of" if after < floor else "and the floor is"
    return f"{model}: from {before} to {counted(after, 'provider')} in production, {against} {floor}."


def of_money(spent: float, budget: float) -> str:
    """That the day's budget is reached."""
    return (
        f"The day's budget of {budget:.2f} USD is reached ({spent:.4f} USD spent): nothing is asked until "
        "the next day (UTC)."
    )


def of_routes_out(model: str, tags: Collection[str]) -> str:
    """That routes are suspended."""
    return (
        f"{model}: {listed(tags)} {'is' if len(tags) == 1 else 'are'} suspended; `serinus explain` says why."
    )
