import random
import re

import pytest

from passages import PARTED, PASSAGES
from serinus.text.languages import known
from serinus.text.legibility import find_salad
from serinus.text.tokens import tokens

ALPHABETIC = [c for c in PARTED if c not in ("ko", "ar", "hi")]


def salad(text, lang):
    language = known(lang)
    return list(find_salad(text, tokens(text, language), language))


def damaged(text, rate, seed):
    """Half of the longer words with a letter doubled, lost at the end or inside."""
    chance = random.Random(seed)  # noqa: S311  damage, not a secret
    return " ".join(
        _damage(w, chance) if len(w) > 3 and chance.random() < rate else w for w in text.split(" ")
    )


def _damage(word, chance):
    place = chance.randrange(1, len(word) - 1)
    kinds = [
        word[:place] + word[place] + word[place:],
        word[:place] + word[place + 1 :],
        re.sub(r"\w(\W*)$", r"\1", word),
    ]
    return chance.choice(kinds)


@pytest.mark.parametrize("lang", [c for c in PASSAGES if known(c).words])
def test_a_clean_passage_is_legible(lang):
    assert salad(PASSAGES[lang], lang) == []


@pytest.mark.parametrize("lang", ALPHABETIC)
def test_most_words_damaged_are_broken_words(lang):
    if lang == "vi":
        pytest.skip("syllables of three letters have hardly a letter to lose; the marks tell")
    (sign,) = salad(damaged(PASSAGES[lang], 0.9, 3), lang)
    assert sign.sure
    assert sign.code in {"broken_words", "word_salad"}


def test_a_few_typing_errors_are_none():
    assert salad(damaged(PASSAGES["en"], 0.1, 1), "en") == []


def test_words_without_grammar_are_a_salad_and_a_list_of_them_is_a_doubt():
    words = (
        "gate purple configuring sharply owl stdout anchor violet harvesting tube mirrors uplifted senator"
    )
    more = (
        "hollow bracket yesterdaying trombone lentil crate surfingly velvet nickelo pamphlet orbitt quarrry"
    )
    (sign,) = salad(f"{words} {more}", "en")
    assert (sign.code, sign.sure) == ("word_salad", True)
    (sign,) = salad(f"{words} {more}".replace(" ", ", "), "en")
    assert (sign.code, sign.sure) == ("word_salad", False)


def test_an_answer_that_begins_well_and_decays_is_told():
    decay = (
        " trombor lentik crateful surfing ovelvet nickelo pamphlor orbitt laddero quarrix vastin gromel" * 6
    )
    signs = salad(PASSAGES["en"] + " " + PASSAGES["en"] + decay, "en")
    assert signs[-1].detail == "The last third of the answer makes no text."


def test_turkish_in_a_code_page_without_its_letters_is_told():
    garbled = PASSAGES["tr"].replace("ı", "ý").replace("ş", "þ").replace("ğ", "ð").replace("İ", "Ý")
    assert salad(garbled, "tr")[0].code == "mojibake"


def test_chinese_that_nobody_writes_is_garbled():
    garbled = PASSAGES["zh-Hant"].encode("big5", "ignore").decode("gbk", "replace")
    assert [s.code for s in salad(garbled, "zh-Hans")] == ["mojibake"]


def test_shouting_is_read_and_names_are_not():
    assert salad(PASSAGES["pt"].upper(), "pt") == []
    assert salad("Zyx Qwv Plk Mnb Vrt Hgf Dsa Trw Bvc Nmk Lkj Hgt Rew Zxc", "en") == []
