"""The simulator counts tokens about as real vocabularies do, so that what it charges is worth a look."""

from __future__ import annotations

from statistics import fmean

import pytest

from serinus.probes.languages import LANGUAGES, available, language
from serinus.simulator import passages
from serinus.simulator.tokens import count, count_json, pieces


def rate(code: str) -> float:
    """Tokens a character of the language's passages, against the measured rate."""
    texts = passages.passages(code)
    return sum(map(count, texts)) / sum(map(len, texts)) / language(code).tokens_per_character


@pytest.mark.parametrize("code", available())
def test_each_language_takes_the_tokens_that_vocabularies_need_within_a_fifth(code):
    assert rate(code) == pytest.approx(1.0, abs=0.2)


def test_the_default_languages_together_take_them_within_a_twentieth():
    assert fmean(map(rate, LANGUAGES)) == pytest.approx(1.0, abs=0.05)


def test_pieces_joined_are_the_text():
    for text in passages.passages("th")[0], passages.passages("ja")[0], '{"a": [1, 2]} …«é»\n\n':
        assert "".join(pieces(text)) == text


def test_compact_json_takes_about_a_token_for_four_characters():
    schema = {"type": "object", "required": ["mood", "guests"], "properties": {"mood": {"type": "string"}}}
    assert count_json(schema) == pytest.approx(0.27 * 94, rel=0.2)
