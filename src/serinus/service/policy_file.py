"""Reading `policy.toml` (`formats.md` §2). All that is wrong with it is told at once."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from serinus.core.durations import ALLOWED, format_duration, parse_duration
from serinus.core.policy import Mode, Policy
from serinus.core.two_rounds import TwoRounds
from serinus.service.fields import shown

LONGEST: Final = timedelta(days=36525)  # a hundred years: room to write "never", and no overflow
MOST: Final = 1000  # rounds in a row, providers: more is a slip

STREAK_ROUNDS: Final = 2.5  # a streak must outlive one lost round between two that were held
GAPS_A_ROUND: Final = 2  # two planned rounds may never count as one


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a policy: the key's path, what was found, what is allowed."""

    path: str
    found: str
    allowed: str

    def line(self) -> str:
        """The mistake as one line for a person."""
        return f"{self.path}: found {self.found}, allowed is {self.allowed}"


class PolicyError(ValueError):
    """A policy cannot be used; `problems` are all that could be found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(p.line() for p in problems))
        self.problems = tuple(problems)


class _NotAllowedError(ValueError):
    """One value is not allowed; the message says what is."""


def parse_policy(data: bytes) -> Policy:
    """The policy that a TOML file writes; what it leaves out is as `formats.md` says.

    Raises:
        PolicyError: it is no TOML, or has unknown keys or values that are not allowed.
    """
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise PolicyError(
            [Problem("file", f"bytes that are no UTF-8, at byte {error.start}", "UTF-8")]
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise PolicyError([Problem("file", f"no TOML: {error}", "TOML")]) from None
    except RecursionError:
        raise PolicyError([Problem("file", "brackets in brackets, hundreds deep", "TOML")]) from None
    return policy_of(table)


def policy_of(table: Mapping[str, Any]) -> Policy:
    """The policy of a table with the keys of `policy.toml`.

    Raises:
        PolicyError: as above.
    """
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in KEYS:
            problems.append(Problem(key, "an unknown key", ", ".join(KEYS)))
            continue
        kind = KEYS[key]
        if isinstance(value, list) and key == "suspensions":
            values[key] = tuple(_read(f"{key}[{n}]", v, kind, problems) for n, v in enumerate(value))
            if not value:
                problems.append(Problem(key, "an empty list", SOME_DURATIONS))
        elif key == "suspensions":
            problems.append(Problem(key, shown(value), SOME_DURATIONS))
        else:
            values[key] = _read(key, value, kind, problems)
    if problems:
        raise PolicyError(problems)
    evidence = {key: values.pop(key) for key in OF_EVIDENCE if key in values}
    return Policy(**values, rule=TwoRounds(**evidence))


def misfits(policy: Policy, interval: timedelta) -> list[Problem]:
    """What does not fit the time between two rounds of a model, once that is known."""
    said = f"the round interval ({format_duration(interval)})"
    found = []
    age = getattr(policy.rule, "streak_max_age", None)
    if isinstance(age, timedelta) and age < interval * STREAK_ROUNDS:
        least = f"at least {STREAK_ROUNDS} times {said}"
        found.append(Problem("streak_max_age", format_duration(age), least))
    if policy.min_gap * GAPS_A_ROUND > interval:
        found.append(Problem("min_gap", format_duration(policy.min_gap), f"at most half of {said}"))
    return found


def _read(path: str, value: Any, kind: Callable[[Any], Any], problems: list[Problem]) -> Any:
    try:
        return kind(value)
    except _NotAllowedError as refused:
        problems.append(Problem(path, shown(value), str(refused)))
        return None


def _duration(value: Any) -> timedelta:
    allowed = f"{ALLOWED}, at most {format_duration(LONGEST)}"
    if not isinstance(value, str):
        raise _NotAllowedError(allowed)
    try:
        duration = parse_duration(value)
    except ValueError:
        raise _NotAllowedError(allowed) from None
    if duration > LONGEST:
        raise _NotAllowedError(allowed)
    return duration


def _span(value: Any) -> timedelta:
    duration = _duration(value)
    if not duration:
        message = f"{ALLOWED}, more than 0"
        raise _NotAllowedError(message)
    return duration


def _number(least: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
            message = f"a whole number from {least} to {MOST}"
            raise _NotAllowedError(message)
        return value

    return read


def _mode(value: Any) -> Mode:
    if value not in tuple(Mode):
        message = " or ".join(Mode)
        raise _NotAllowedError(message)
    return Mode(value)


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        message = "true or false"
        raise _NotAllowedError(message)
    return value


SOME_DURATIONS: Final = 'a list of durations, such as ["1d", "3d", "7d"]'
OF_EVIDENCE: Final = ("consecutive_failures", "consecutive_clean", "streak_max_age")
KEYS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "mode": _mode,
    "consecutive_failures": _number(1),
    "consecutive_clean": _number(1),
    "suspensions": _span,
    "forget_after": _duration,
    "floor": _number(0),
    "streak_max_age": _span,
    "min_gap": _duration,
    "capacity_max_age": _duration,
    "void_majority": _switch,
}
