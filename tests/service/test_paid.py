from __future__ import annotations

import pytest

from serinus.core.model import Offer, Route
from serinus.core.transcript import Usage
from serinus.service.paid import billed, paid

LISTED = Offer(Route("m", "a"), "a", "A", prompt_price=0.001, completion_price=0.002)
UNLISTED = Offer(Route("m", "a"), "a", "A")


def test_what_the_gateway_reports_is_what_was_paid() -> None:
    assert paid(LISTED, Usage(prompt_tokens=10, completion_tokens=10, cost=0.5)) == 0.5


@pytest.mark.parametrize("reported", [None, -1.0, float("nan"), float("inf")])
def test_where_it_reports_no_money_counted_tokens_are_paid_by_the_listing(reported: float | None) -> None:
    usage = Usage(prompt_tokens=10, completion_tokens=5, cost=reported)
    assert paid(LISTED, usage) == pytest.approx(0.02)
    assert paid(UNLISTED, usage) == 0.0


def test_without_money_and_counts_nobody_can_tell() -> None:
    assert paid(LISTED, None) is None
    assert paid(LISTED, Usage(total_tokens=7)) is None


def test_counts_that_no_host_can_have_counted_are_not_believed() -> None:
    assert paid(LISTED, Usage(prompt_tokens=10**12, completion_tokens=5)) == pytest.approx(0.01)
    assert billed(Usage(total_tokens=10**12)) == billed(Usage(total_tokens=-3)) == billed(None) == 0
    assert billed(Usage(total_tokens=7)) == 7


def test_a_route_without_one_of_its_prices_has_no_price() -> None:
    half = Offer(Route("m", "a"), "a", "A", prompt_price=0.001)
    assert not half.priced
    assert half.usd(1, 1) is None
    assert LISTED.usd(10, 5) == pytest.approx(0.02)
