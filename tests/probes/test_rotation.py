"""Prompts take turns evenly, whatever else takes turns beside them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.model import Turn
from serinus.probes.rotation import choose, draw, position


@given(st.integers(0, 10**6), st.integers(1, 12))
def test_a_position_is_in_the_pool(index, size):
    assert 0 <= position(index, size) < size


@pytest.mark.parametrize("languages", range(1, 21))
@pytest.mark.parametrize("prompts", [3, 4, 5])
def test_every_language_gets_every_prompt_whatever_the_number_of_languages(languages, prompts):
    for first in range(languages):
        rounds = range(first, first + languages * 400, languages)
        seen = Counter(position(index, prompts) for index in rounds)
        assert set(seen) == set(range(prompts))
        assert min(seen.values()) >= 0.5 * 400 / prompts


def test_each_block_of_rounds_goes_once_through_the_pool():
    for block in range(50):
        assert {position(4 * block + n, 4) for n in range(4)} == {0, 1, 2, 3}


def test_a_draw_depends_on_round_tag_attempt_and_purpose():
    turns = [
        Turn("m@1", 0, "a", "en"),
        Turn("m@2", 0, "a", "en"),
        Turn("m@1", 0, "b", "en"),
        Turn("m@1", 0, "a", "en", attempt=1),
    ]
    draws = [draw(t, "p", 2**60) for t in turns] + [draw(turns[0], "q", 2**60)]
    assert len(set(draws)) == 5


def test_a_draw_is_the_same_on_every_machine():
    assert draw(Turn("m@2026-11-30T02:30Z", 3, "deepinfra/fp8", "pt"), "mood", 1000) == 24


def test_choices_spread_over_the_pool():
    seen = Counter(choose(Turn(f"m@{n}", n, "a", "en"), "p", "abcd") for n in range(2000))
    assert min(seen.values()) > 400
