from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.durations import format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"), [("0s", 0), ("45s", 45), ("90m", 5400), ("6h", 21600), ("14d", 14 * 86400)]
)
def test_a_duration_is_a_whole_number_and_a_unit(text, seconds):
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "text", ["", "6", "h", "6 h", "-6h", "1.5h", "6H", "6hours", "٣h", "6h\n", "9999999999s"]
)
def test_anything_else_is_refused_with_what_was_found_and_what_is_allowed(text):
    with pytest.raises(
        ValueError, match=r"found '.*', allowed is a whole number", check=lambda e: repr(text) in str(e)
    ):
        parse_duration(text)


@pytest.mark.parametrize("text", ["0s", "1s", "90m", "2h", "1d", "3d", "25h"])
def test_a_duration_is_written_in_its_largest_exact_unit(text):
    assert format_duration(parse_duration(text)) == text


@given(st.integers(0, 10**8))
def test_what_is_written_reads_back_the_same(seconds):
    duration = timedelta(seconds=seconds)
    assert parse_duration(format_duration(duration)) == duration
