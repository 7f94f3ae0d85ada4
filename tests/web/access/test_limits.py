"""Logins are limited per name and per address, in bounded memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offices import ANNA, PASSWORD, House
from serinus.web.limits import Attempts, network_of

AT = datetime(2026, 11, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
WRONG = "wrong wrong wrong"


@pytest.fixture
def house(tmp_path):
    made = House(tmp_path)
    made.operator()
    return made


def tried(house, name=ANNA, password=WRONG, **rest):
    return house.visitor(**rest).submit("/login", {"name": name, "password": password})


def test_after_ten_failures_a_name_has_to_wait_even_with_the_right_password(house):
    assert [tried(house, peer=f"10.0.0.{n}").status for n in range(10)] == [401] * 10
    refused = tried(house, password=PASSWORD, peer="10.0.1.1")
    assert refused.status == 429
    assert 0 < int(refused.headers["retry-after"]) <= 121
    house.clock.later(minutes=2)
    assert tried(house, password=PASSWORD, peer="10.0.1.1").status == 303


def test_after_twenty_failures_an_address_has_to_wait_whatever_the_name(house):
    assert {tried(house, name=f"n{n}").status for n in range(20)} == {401}
    assert tried(house, password=PASSWORD).status == 429
    assert tried(house, password=PASSWORD, peer="10.0.0.1").status == 303


def test_a_right_password_forgets_the_failures(house):
    for _ in range(9):
        tried(house)
    assert tried(house, password=PASSWORD).status == 303
    assert [tried(house).status for _ in range(9)] == [401] * 9


def test_a_refused_try_does_not_lengthen_the_wait(house):
    for n in range(10):
        tried(house, peer=f"10.0.0.{n}")
    waits = [int(tried(house, peer=f"10.0.1.{n}").headers["retry-after"]) for n in range(3)]
    assert len(set(waits)) == 1


def test_memory_is_bounded_however_many_names_are_tried():
    attempts = Attempts(3, MINUTE, most=50)
    for n in range(1000):
        attempts.failed(f"name {n}", AT)
    assert len(attempts._debts) == 50  # noqa: SLF001  what is claimed is its size


@given(st.lists(st.integers(0, 200), max_size=60))
def test_over_any_stretch_no_more_tries_get_through_than_allowed(gaps):
    attempts, at, passed = Attempts(5, MINUTE), AT, []
    for gap in gaps:
        at += timedelta(seconds=gap)
        if not attempts.wait("x", at):
            attempts.failed("x", at)
            passed.append(at)
    for n, begin in enumerate(passed):
        for m, end in enumerate(passed[n:], start=1):
            assert m <= 5 + (end - begin) / MINUTE + 1e-6


def test_a_clock_that_is_set_back_gives_no_tries_and_takes_none():
    attempts = Attempts(1, MINUTE)
    attempts.failed("x", AT)
    assert attempts.wait("x", AT - timedelta(hours=5)) == MINUTE


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8::1", "2001:db8::"),
        ("fe80::1%eth0", "fe80::"),
        ("odd", "odd"),
        ("", ""),
    ],
)
def test_an_ipv6_subscriber_is_one_address(address, network):
    assert network_of(address) == network
