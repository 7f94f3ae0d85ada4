from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.instants import FIRST, LAST, format_instant, parse_instant


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026-11-30T02:00:00Z", "2026-11-30T02:00:00Z"),
        ("2026-11-30t02:00:00z", "2026-11-30T02:00:00Z"),
        ("2026-11-30T02:00:00+01:00", "2026-11-30T01:00:00Z"),
        ("2026-11-30T02:00:00-00:30", "2026-11-30T02:30:00Z"),
        ("2026-11-30T02:00:00.5Z", "2026-11-30T02:00:00.500Z"),
        ("2026-11-30T02:00:00.000001Z", "2026-11-30T02:00:00.000001Z"),
        ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
    ],
)
def test_any_offset_is_read_and_utc_is_written(text, written):
    assert format_instant(parse_instant(text)) == written


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-11-30",
        "2026-11-30T02:00:00",
        "2026-11-30T02:00Z",
        "2026-11-30 02:00:00Z",
        "20261130T020000Z",
        "2026-02-30T02:00:00Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T02:00:60Z",
        "2026-11-30T02:00:00+25:00",
        "2026-11-30T02:00:00Z\n",
        "２026-11-30T02:00:00Z",
        "1969-12-31T23:59:59Z",
        "9000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
    ],
)
def test_anything_else_is_refused_with_what_was_found_and_what_is_allowed(text):
    with pytest.raises(
        ValueError, match="allowed is a time as in RFC 3339", check=lambda e: repr(text) in str(e)
    ):
        parse_instant(text)


@given(st.datetimes(FIRST.replace(tzinfo=None), datetime(8999, 12, 31), timezones=st.just(UTC)))  # noqa: DTZ001  hypothesis wants naive bounds
def test_what_is_written_reads_back_the_same(instant):
    assert parse_instant(format_instant(instant)) == instant
    assert instant < LAST
