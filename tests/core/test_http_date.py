"""What a `Date` header says, and that a wrong one says nothing."""

from datetime import UTC, datetime

import pytest

from serinus.core.http_date import http_date


@pytest.mark.parametrize("zone", ["GMT", "+0000", "-0000", ""])
def test_a_date_is_an_instant_whatever_zone_this_machine_is_in(zone):
    assert http_date(f"Mon, 30 Nov 2026 10:00:00 {zone}") == datetime(2026, 11, 30, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "header",
    ["", "soon", "Mon, 30 Nov 2026 10:00:00 +9999", "Fri, 31 Dec 9999 23:59:59 -0100"],
)
def test_what_is_no_date_tells_nothing(header):
    assert http_date(header) is None
