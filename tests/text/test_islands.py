from itertools import pairwise, product
from math import exp, log

import pytest

from passages import LATIN, PASSAGES
from serinus.text.islands import _forward, _posterior, find_islands
from serinus.text.languages import known
from serinus.text.tokens import tokens


def islands(text, lang, silent=frozenset()):
    language = known(lang)
    return find_islands(tokens(text, language), language, silent)


@pytest.mark.parametrize("lang", [*LATIN, "ru", "uk", "ja", "zh-Hans", "zh-Hant", "ar"])
def test_a_clean_passage_has_no_island(lang):
    found = islands(PASSAGES[lang], lang)
    assert found.gain < 4.0
    assert found.share < 0.05


@pytest.mark.parametrize(
    ("lang", "rival"), [("pt", "es"), ("ru", "uk"), ("nl", "de"), ("zh-Hans", "zh-Hant"), ("en", "vi")]
)
def test_half_a_passage_of_a_rival_is_an_island_where_it_stands(lang, rival):
    own, other = PASSAGES[lang], PASSAGES[rival]
    text = own[: len(own) // 2] + " " + other[len(other) // 2 :]
    found = islands(text, lang)
    assert found.rival == rival
    assert found.gain > 20
    assert min(a for a, _ in found.spans) > len(own) * 0.35


def test_a_capital_a_repetition_and_a_single_letter_say_little():
    plain = islands("the baker said quello che vedo and the oven", "en").gain
    named = islands("the baker said Quello Che Vedo and the oven", "en").gain
    assert named < plain
    assert (
        islands("la la la la la la la la la la la", "en").gain
        < islands("la casa bianca della nonna", "en").gain
    )


def test_silent_words_say_nothing():
    text = "the baker said quello che vedo dalla finestra and the oven was cold"
    language = known("en")
    everything = frozenset(range(len(tokens(text, language))))
    assert islands(text, "en", everything).gain <= 0.0


def test_the_gain_is_the_likelihood_ratio_of_the_two_state_model():
    evidence = [0.5, -1.0, 2.0]
    total = 0.0
    start, step = (0.97, 0.03), ((0.97, 0.03), (0.2, 0.8))
    for path in product((0, 1), repeat=3):
        chance = start[path[0]]
        for a, b in pairwise(path):
            chance *= step[a][b]
        total += chance * exp(sum(e for e, state in zip(evidence, path, strict=True) if state))
    gain, filtered = _forward(evidence)
    assert gain == pytest.approx(log(total))
    assert _posterior(evidence, filtered)[-1] == pytest.approx(filtered[-1])


def test_no_words_are_no_islands():
    assert islands("", "en").gain == 0.0
    assert islands("…!?", "ja").islands == ()
