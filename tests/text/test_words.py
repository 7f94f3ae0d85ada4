from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serinus.text.languages import languages
from serinus.text.words import FLOOR, pack, rivals, table, unpack, weight

WORDS = st.text(
    st.characters(codec="utf-8", categories=("Ll", "Lo", "Mn"), exclude_characters=" \n"), min_size=1
)


@settings(max_examples=12)  # the strongest compression takes its time
@given(st.dictionaries(WORDS, st.integers(10, 99), min_size=1, max_size=60))
def test_what_is_packed_is_unpacked(words):
    levels = {w: round(-10 * v / 2.302585092994046) for w, v in unpack(pack(words)).items()}
    assert levels == words


def test_the_same_words_are_the_same_bytes():
    words = {"bread": 40, "break": 41, "oven": 50, "öfen": 52}
    assert pack(words) == pack(dict(reversed(words.items())))


@pytest.mark.parametrize("code", [c for c, language in languages().items() if language.words])
def test_every_table_reads_and_is_as_large_as_promised(code):
    words = table(code)
    least = 4_000 if languages()[code].letters else 10_000
    assert least <= len(words) <= 20_100
    assert max(words.values()) < 0
    assert min(words.values()) >= FLOOR - 1.2
    assert 0.7 < sum(exp(v) for v in words.values()) < 1.3 or languages()[code].letters


def test_a_language_has_every_other_of_its_scripts_as_a_rival():
    assert {code for code, _ in rivals("uk")} == {"ru", "bg", "mk"}
    assert {code for code, _ in rivals("ja")} == {"zh-Hans", "zh-Hant"}
    assert "en" not in {code for code, _ in rivals("en")}
    assert {"pt", "gl", "sv", "ms"} <= {code for code, _ in rivals("en")}


def test_a_contraction_weighs_what_its_rarest_part_does():
    words = {"nell": -8.0, "oceano": -11.0, "don't": -6.0}
    assert weight(words, "don't") == -6.0
    assert weight(words, "nell'oceano") == -11.0
    assert weight(words, "nell'xyzzy") == FLOOR
    assert weight(words, "xyzzy") == FLOOR
    assert weight(words, "'") == FLOOR
