from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.clocktime import read_time
from serinus.core.explain import of_told_time

ROME = ZoneInfo("Europe/Rome")
NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)  # 09:00 in Rome


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("08:40", "2026-11-30T07:40"),
        ("21:40", "2026-11-29T20:40"),  # ahead of the clock, so it was yesterday's
        ("yesterday 21:40", "2026-11-29T20:40"),
        ("Yesterday  7:05", "2026-11-29T06:05"),
        ("today 00:30", "2026-11-29T23:30"),
        ("2026-11-28 21:40", "2026-11-28T20:40"),
        ("2026-11-28T21:40:30", "2026-11-28T20:40:30"),
        ("2026-11-28T21:40:30Z", "2026-11-28T21:40:30"),
        ("2026-11-28T21:40:30-05:00", "2026-11-29T02:40:30"),
        ("2h ago", "2026-11-30T06:00"),
        ("90 m ago", "2026-11-30T06:30"),
        ("now", "2026-11-30T08:00"),
    ],
)
def test_a_time_is_understood_by_the_clock_of_whoever_tells_it(text, wanted):
    assert read_time(text, NOW, ROME).readings == (datetime.fromisoformat(wanted).replace(tzinfo=UTC),)


@pytest.mark.parametrize(
    "text",
    ["", "25:00", "yesterday", "2026-02-30 10:00", "9 o'clock", "1e9h ago", "12", "21:60", "x" * 5000,
     "2026-11-28T21:40:30+99:00", "9999999d ago", "99999d ago"],
)  # fmt: skip
def test_what_is_no_time_is_refused_with_what_is_allowed(text):
    with pytest.raises(ValueError, match="yesterday 21:40"):
        read_time(text, NOW, ROME)


@pytest.mark.parametrize("text", ["today 23:00", "2026-12-01 10:00", "2026-11-30T09:00:00Z"])
def test_a_time_that_lies_ahead_is_refused(text):
    with pytest.raises(ValueError, match="lies ahead"):
        read_time(text, NOW, ROME)


def test_an_hour_that_came_twice_has_two_readings_and_is_told():
    told = read_time("2026-10-25 02:30", NOW, ROME)
    assert told.last - told.first == timedelta(hours=1)
    assert "came twice that night (by the clock of Europe/Rome)" in of_told_time(told)


def test_an_hour_that_the_clock_skipped_is_refused_and_told():
    with pytest.raises(ValueError, match="in Europe/Rome the clock never showed 02:30 on 2026-03-29"):
        read_time("2026-03-29 02:30", NOW, ROME)


@given(st.text(max_size=40))
def test_any_text_is_understood_or_refused(text):
    try:
        told = read_time(text, NOW, ROME)
    except ValueError:
        return
    assert told.readings
    assert told.first <= NOW + timedelta(minutes=5)
