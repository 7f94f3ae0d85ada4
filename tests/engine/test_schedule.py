from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from serinus.engine.schedule import due, jitter, planned_at, wait

HALF_HOUR = timedelta(minutes=30)
moments = st.datetimes(min_value=datetime(2020, 1, 1), max_value=datetime(2040, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
intervals = st.integers(1, 7200).map(lambda s: timedelta(seconds=s))


def at(clock: str) -> datetime:
    return datetime.fromisoformat(f"2026-11-30T{clock}Z")


def test_rounds_stand_on_the_half_hour():
    assert planned_at(at("02:44:59"), HALF_HOUR) == at("02:30:00")
    assert planned_at(at("03:00:00"), HALF_HOUR) == at("03:00:00")


def test_a_round_is_due_once():
    assert due(None, at("02:31:00"), HALF_HOUR) == at("02:30:00")
    assert due(at("02:30:00"), at("02:31:00"), HALF_HOUR) is None


def test_of_many_missed_rounds_only_the_latest_is_caught_up():
    assert due(at("02:00:00"), at("09:40:00"), HALF_HOUR) == at("09:30:00")


def test_a_clock_set_back_finds_nothing_due():
    assert due(at("09:30:00"), at("08:10:00"), HALF_HOUR) is None


@given(moments, intervals)
def test_the_next_instant_is_always_ahead(now, interval):
    assert timedelta() < wait(now, interval) <= interval
    assert planned_at(now + wait(now, interval), interval) > planned_at(now, interval)


@given(st.text(), intervals)
def test_jitter_stays_below_its_bound_and_repeats(name, most):
    assert timedelta() <= jitter(name, most) < most
    assert jitter(name, most) == jitter(name, most)
