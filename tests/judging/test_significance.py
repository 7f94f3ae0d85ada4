from __future__ import annotations

from fractions import Fraction
from math import comb, isclose

from hypothesis import given
from hypothesis import strategies as st

from serinus.core.exact import fisher
from serinus.judging.significance import chi_square, counts_of, median

COUNTS = st.integers(0, 60)


def exactly(bad_a, ok_a, bad_b, ok_b):
    """Fisher's sum in whole numbers: every table with these margins that is at most as likely."""
    row, column, total = bad_a + ok_a, bad_a + bad_b, bad_a + ok_a + bad_b + ok_b
    ways = [comb(column, k) * comb(total - column, row - k) for k in range(row + 1) if row - k >= 0]
    seen = comb(column, bad_a) * comb(total - column, row - bad_a)
    return Fraction(sum(w for w in ways if w <= seen), comb(total, row))


def test_fisher_agrees_with_published_values():
    assert isclose(fisher(3, 1, 1, 3), 0.4857, abs_tol=1e-4)  # the lady tasting tea
    assert isclose(fisher(1, 9, 11, 3), 0.002759456, rel_tol=1e-6)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_fisher_agrees_with_whole_numbers(a, b, c, d):
    assert isclose(fisher(a, b, c, d), float(exactly(a, b, c, d)), rel_tol=1e-6)


# upper tail of the chi-square distribution: 3.841 at one degree has 5 %, 11.345 at three has 1 %
def test_chi_square_agrees_with_its_table():
    assert isclose(chi_square({"a": 30, "b": 10}, {"a": 20, "b": 20}), 0.02092, rel_tol=1e-3)
    assert isclose(
        chi_square({"a": 10, "b": 20, "c": 30}, {"a": 30, "b": 20, "c": 10}), 4.54e-5, rel_tol=1e-2
    )
    assert chi_square({"a": 40, "b": 40}, {"a": 20, "b": 20}) == 1.0


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_a_p_value_is_one_and_does_not_depend_on_the_order(a, b, c, d):
    p = fisher(a, b, c, d)
    assert 0 < p <= 1
    assert isclose(p, fisher(c, d, a, b), rel_tol=1e-6)


@given(st.dictionaries(st.sampled_from("abcd"), COUNTS), st.dictionaries(st.sampled_from("abcd"), COUNTS))
def test_any_counts_have_a_p_value(host, reference):
    assert 0 <= chi_square(host, reference) <= 1
    assert isclose(chi_square(host, reference), chi_square(reference, host), abs_tol=1e-9)


def test_counts_are_whole_numbers():
    assert counts_of({"a": 3, "b": True, "c": -1, "d": "4", "e": 2.0}) == {"a": 3}
    assert counts_of([1, 2]) == {}


def test_the_median_of_an_even_number_is_the_mean_of_the_middle():
    assert median([3, 1, 2]) == 2
    assert median([4, 1, 2, 3]) == 2.5
