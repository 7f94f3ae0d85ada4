import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.intervals import wilson


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    # the worked values of Newcombe, Statistics in Medicine 17 (1998), table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_intervals_are_met(hits, of, low, high):
    found = wilson(hits, of)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_nothing_counted_says_nothing():
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(0, 500), st.integers(1, 500))
def test_the_share_itself_is_always_inside(hits, more):
    of = hits + more
    found = wilson(hits, of)
    assert 0 <= found.low <= hits / of <= found.high <= 1
