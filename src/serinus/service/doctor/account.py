"""The key, the account's credit, and our clock against the gateway's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from serinus.core.instants import parse_instant
from serinus.service.doctor.diagnosis import Diagnosis, fine, note, problem
from serinus.service.ports import KeyState

LOW: Final = 10.0  # USD; under it the gateway checks the balance before each request, which costs time
SKEW: Final = timedelta(seconds=5)
SECOND: Final = timedelta(seconds=1)
SOON: Final = timedelta(days=7)
SET_KEY: Final = "set OPENROUTER_API_KEY, or name a file that holds the key in gateway.api_key_file"


def check_no_account(gateway: str) -> Diagnosis:
    """A gateway without an account of ours: there is neither key nor credit to look at."""
    return fine("key", f"{gateway} has no account; each server's own key shows in the listing.")


def check_key(state: KeyState | None, now: datetime) -> Iterator[Diagnosis]:
    """Whether the key can ask at all; None where there is none."""
    if state is None:
        yield problem("key", "There is no key: probes cannot be sent.", SET_KEY)
        return
    if not state.known:
        reach = "see whether gateway.base_url can be reached from here"
        yield problem("key", _sentence("; ".join(state.notes)), reach)
        return
    if state.trouble is not None:
        what, _, remedy = state.trouble.partition("; ")
        yield problem("key", _sentence(what), remedy or SET_KEY)
        return
    yield fine("key", f"The gateway accepts the key; {_left(state.limit_remaining)}.")
    for said in state.notes:
        what, _, remedy = said.partition("; ")
        yield note("key", _sentence(what), _sentence(remedy) if remedy else "buy credits if you can")
    yield from _expiry(state.expires_at, now)


def _left(remaining: float | None) -> str:
    return (
        "it has no limit of its own" if remaining is None else f"{remaining:.2f} USD remain under its limit"
    )


def _expiry(expires_at: str | None, now: datetime) -> Iterator[Diagnosis]:
    try:
        ends = parse_instant(expires_at) if expires_at else None
    except ValueError:
        return
    if ends is not None and ends - now < SOON:
        yield note("key", f"The key ends on {ends:%Y-%m-%d %H:%M} UTC.", "make a new one before it does")


def check_credit(balance: float | None) -> Iterator[Diagnosis]:
    """Whether the account can pay; None where the gateway does not tell this key."""
    if balance is None:
        return
    if balance <= 0:
        found = f"The account's credit is used up ({balance:.2f} USD): each probe would be answered 402."
        yield problem("credit", found, "buy credits; a budget alone spends nothing")
    elif balance < LOW:
        found = (
            f"The account has {balance:.2f} USD of credit left; under {LOW:g} the gateway answers later, "
            "which looks like slow hosts."
        )
        yield note("credit", found, "buy credits before first tokens are measured")
    else:
        yield fine("credit", f"The account has {balance:.2f} USD of credit.")


def check_clock(theirs: datetime | None, before: datetime, after: datetime) -> Diagnosis:
    """Our clock against the gateway's, which answered between `before` and `after` of ours.

    Its header tells whole seconds: an answer of 12:00:07.9 says 12:00:07.
    """
    if theirs is None:
        return note(
            "clock", "The gateway did not say what time it is.", "compare the clock yourself: `date -u`"
        )
    ahead, behind = before - (theirs + SECOND), theirs - after
    off = max(ahead, behind)
    if off <= SKEW:
        return fine("clock", "Our clock agrees with the gateway's.")
    how = "ahead of" if ahead > behind else "behind"
    found = (
        f"Our clock is at least {off.total_seconds():.0f} s {how} the gateway's: rounds, suspensions and "
        "exclusions begin and end at the wrong time."
    )
    return problem("clock", found, "let the clock be set by NTP (timedatectl, chronyd)")


def _sentence(text: str) -> str:
    text = text.strip()
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else text
