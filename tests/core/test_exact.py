"""Exact tests and intervals against whole numbers, textbook values and their own definitions."""

from __future__ import annotations

from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from serinus.core.exact import at_most, clopper_pearson, crossing, fisher, holm, newcombe, tail

COUNTS = st.tuples(st.integers(0, 40), st.integers(0, 40)).filter(sum)


def test_the_two_cases_of_the_source_text():
    assert isclose(fisher(19, 1, 0, 49), 4.32e-16, rel_tol=0.01)
    assert isclose(fisher(3, 0, 0, 12), 1 / 455)


def test_the_lady_tasting_tea():
    assert isclose(fisher(4, 0, 0, 4), 2 / 70)
    assert isclose(fisher(3, 1, 1, 3), 34 / 70)


def test_the_interval_of_clopper_and_pearson_has_its_published_values():
    low, high = clopper_pearson(2, 10)
    assert (round(low, 4), round(high, 4)) == (0.0252, 0.5561)
    low, high = clopper_pearson(0, 20)
    assert (low, round(high, 4)) == (0.0, 0.1684)


@given(COUNTS)
def test_at_the_ends_of_the_interval_the_count_is_just_improbable(counts):
    hits, misses = counts
    low, high = clopper_pearson(hits, hits + misses)
    assert 0 <= low <= hits / (hits + misses) <= high <= 1
    if hits:
        assert isclose(tail(hits, hits + misses, low), 0.025, rel_tol=1e-6)
    if misses:
        assert isclose(1 - tail(hits + 1, hits + misses, high), 0.025, rel_tol=1e-6)


def test_nothing_counted_says_nothing():
    assert clopper_pearson(0, 0) == (0.0, 1.0)
    assert newcombe(0, 0, 3, 5) == (-1.0, 1.0)


def test_the_one_sided_bound_is_the_rule_of_three_for_none_of_many():
    assert isclose(at_most(0, 300), 3 / 300, rel_tol=0.01)
    assert round(at_most(0, 20), 3) == 0.139


def test_newcombes_interval_has_its_published_value():
    low, high = newcombe(56, 70, 48, 80)  # Newcombe 1998, table II (a)
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)


def test_holm_corrects_the_smallest_most_and_keeps_the_order():
    assert [round(p, 3) for p in holm([0.01, 0.04, 0.03])] == [0.03, 0.06, 0.06]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_never_lowers_a_value_nor_exceeds_bonferroni(values):
    for raw, corrected in zip(values, holm(values), strict=True):
        assert raw <= corrected <= min(1.0, raw * len(values)) + 1e-12


def test_the_tail_of_a_sure_thing_and_of_an_impossible_one():
    assert (tail(0, 5, 0.3), tail(1, 5, 0.0), tail(6, 5, 0.9), tail(5, 5, 1.0)) == (1.0, 0.0, 0.0, 1.0)


def test_a_crossing_is_found_where_the_function_reaches_the_value():
    assert isclose(crossing(lambda x: x * x, 0.25), 0.5)
