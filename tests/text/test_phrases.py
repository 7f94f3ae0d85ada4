import pytest

from serinus.probes.languages import LANGUAGES, language
from serinus.text.mentions import (
    about_tokens,
    asks_for_invention,
    asks_for_script,
    asks_for_translation,
    explained,
)
from serinus.text.phrases import alternatives, phrase

PURPOSES = (
    "monologue", "pondering", "task", "label", "sponsor", "status", "explaining", "translate", "invention",
    "script", "tokens",
)  # fmt: skip


@pytest.mark.parametrize("purpose", PURPOSES)
def test_every_phrase_compiles_and_matches_something_but_nothing(purpose):
    assert phrase(purpose).search("") is None


def test_words_are_whole_where_blanks_part_them():
    assert phrase("script").search("a description") is None
    assert phrase("script").search("a script")
    assert phrase("translate").search("请翻译成中文")


def test_an_unknown_purpose_is_an_error():
    with pytest.raises(KeyError, match="poetry"):
        alternatives("poetry")


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_prompt_of_ours_asks_for_what_would_blind_a_judge(code):
    for scene in language(code).scenes:
        assert not asks_for_translation(scene.user), scene.key
        assert not asks_for_invention(scene.user), scene.key
        assert not asks_for_script(scene.user), scene.key
        assert not about_tokens(scene.user), scene.key


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("Translate the sign into Chinese.", asks_for_translation),
        ("Übersetze das bitte.", asks_for_translation),
        ("Traduis cette phrase.", asks_for_translation),
        ("Переведи это на английский.", asks_for_translation),
        ("Speak a spell, please.", asks_for_invention),
        ("Escribe un diálogo entre dos panaderos.", asks_for_script),
        ("剧本を書いて。台本です。", asks_for_script),
        ("What is a special token?", about_tokens),
    ],
)
def test_a_prompt_says_what_it_asks_for(prompt, asked):
    assert asked(prompt)


def test_a_ferry_is_no_translation():
    assert not asks_for_translation("Der Fährmann soll die Gäste ans andere Ufer bringen.")


def test_a_word_is_explained_by_what_stands_near():
    text = "Over the oven hung the character 福, which means luck. " + "x" * 100 + " 雨"
    assert explained(text, text.index("福"), text.index("福") + 1)
    assert not explained(text, text.index("雨"), text.index("雨") + 1)
