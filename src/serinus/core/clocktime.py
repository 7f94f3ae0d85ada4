"""Times as a user tells them: `21:40`, `yesterday 21:40`, `2h ago`, or an instant (R26).

A clock on the wall is not an instant: an hour that comes twice has two readings, one that is left out
has none. Both are told, and never guessed at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from serinus.core.durations import parse_duration
from serinus.core.instants import FIRST, LAST, parse_instant

ALLOWED: Final = (
    "a time such as 21:40, yesterday 21:40, 2026-11-30 21:40, 2h ago, or 2026-11-30T20:40:00Z with its offset"
)
_CLOCK: Final = re.compile(
    r"(?:(today|yesterday|\d{4}-\d{2}-\d{2})[ T]+)?(\d{1,2}:\d{2}(?::\d{2})?)", re.ASCII
)
_AGO: Final = re.compile(r"(\d{1,6}\s?[smhd]) ago", re.ASCII)
A_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Told:
    """What a told time means: one instant, or two where the hour came twice that night.

    `zone` is the name of the zone it was read in, None where it needed none; `text` is what was told.
    """

    text: str
    readings: tuple[datetime, ...]
    zone: str | None = None

    @property
    def first(self) -> datetime:
        """The earliest reading."""
        return self.readings[0]

    @property
    def last(self) -> datetime:
        """The latest one; the same, but for an hour that came twice."""
        return self.readings[-1]


def read_time(text: str, now: datetime, zone: tzinfo) -> Told:
    """The instant that somebody means who says so at `now`, with a clock of that zone.

    A clock time without a day is the latest one that is over: at 08:00, `21:40` is yesterday's.

    Raises:
        ValueError: it is written otherwise, is no real time, lies ahead, or is an hour that the clock
            skipped; the message says what was found and what is allowed.
    """
    said = " ".join(text.split()).lower()
    if said == "now":
        return Told(text, (now,))
    if ago := _AGO.fullmatch(said):
        return _past(Told(text, (now - parse_duration(ago[1].replace(" ", "")),)), now)
    if clock := _CLOCK.fullmatch(said.replace("t", " ") if said[:1].isdigit() else said):
        return _past(_on_the_wall(text, clock, now, zone), now)
    try:
        instant = parse_instant(text.strip())
    except ValueError:
        raise _refused(text) from None
    return _past(Told(text, (instant,)), now)


def _on_the_wall(text: str, clock: re.Match[str], now: datetime, zone: tzinfo) -> Told:
    here = now.astimezone(zone)
    try:
        of_day = time.fromisoformat(clock[2].zfill(8 if clock[2].count(":") > 1 else 5))
        if clock[1] is None:
            day = here.date() if of_day <= here.time() else here.date() - A_DAY
        else:
            day = _day(clock[1], here.date())
    except ValueError:
        raise _refused(text) from None
    found = _readings(datetime.combine(day, of_day), zone)
    if not found:
        message = (
            f"found {text!r}, and in {zone} the clock never showed {of_day:%H:%M} on {day}: it was put "
            "forward over it. Say the time that it was put to, or an instant such as 2026-11-30T20:40:00Z."
        )
        raise ValueError(message)
    return Told(text, found, str(zone))


def _day(word: str, today: date) -> date:
    if word == "today":
        return today
    return today - A_DAY if word == "yesterday" else date.fromisoformat(word)


def _readings(wall: datetime, zone: tzinfo) -> tuple[datetime, ...]:
    """The instants at which a clock of the zone showed that: one, two after it was put back, or none."""
    both = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return tuple(sorted(i for i in both if i.astimezone(zone).replace(tzinfo=None, fold=0) == wall))


def _past(told: Told, now: datetime) -> Told:
    if told.first > now + timedelta(minutes=5):  # clocks of two machines may differ by so much
        message = f"found {told.text!r}, which is {told.first:%Y-%m-%d %H:%M} UTC and lies ahead"
        raise ValueError(message)
    if not FIRST <= told.first < LAST:
        raise _refused(told.text)
    return told


def _refused(text: str) -> ValueError:
    return ValueError(f"found {text!r}, allowed is {ALLOWED}")
