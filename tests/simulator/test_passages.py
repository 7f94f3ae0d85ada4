"""What simulated hosts say: one answer to each scene, pure, of the length that probes ask for."""

import re
import unicodedata

import pytest

from serinus.probes import languages as prompts
from serinus.simulator import passages

LATIN, CYRILLIC = ("LATIN",), ("CYRILLIC",)
HAN, KANA = ("CJK", "IDEOGRAPHIC"), ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA")
SCRIPTS = {
    "ru": CYRILLIC, "uk": CYRILLIC, "ja": HAN + KANA, "ko": ("HANGUL",), "zh-Hans": HAN, "zh-Hant": HAN,
    "th": ("THAI",), "ar": ("ARABIC",), "hi": ("DEVANAGARI",),
}  # fmt: skip
UNSPACED = {"ja", "zh-Hans", "zh-Hant", "th"}
CHARSETS = {"zh-Hans": "gb2312", "zh-Hant": "big5", "ja": "shift_jis", "ko": "cp949"}
ALL = pytest.mark.parametrize("code", passages.languages())


def everything(code):
    return (*passages.passages(code), *passages.refusals(code), *passages.lines(code))


def test_there_are_passages_in_every_language_of_the_probes():
    assert set(passages.languages()) == set(prompts.available())


@ALL
def test_every_scene_has_its_answer(code):
    scenes = {scene.key for scene in prompts.language(code).scenes}
    assert set(passages.repertoire(code).scenes) == scenes
    assert len(passages.passages(code)) >= 4


@ALL
def test_every_passage_holds_its_nonce_once_and_no_other_brace(code):
    for text in passages.passages(code):
        assert text.count("{nonce}") == 1
        assert not set("{}") & set(text.replace("{nonce}", ""))


@ALL
def test_every_passage_has_the_length_that_is_asked_for(code):
    for text in passages.passages(code):
        if code in UNSPACED:
            assert 280 <= len(text) <= 700
        else:
            fewest = 95 if code == "ko" else 120  # Korean joins to a word what others write apart
            assert fewest <= len(text.split()) <= 190


@ALL
def test_every_passage_fits_under_the_cap_of_its_probe(code):
    spoken = prompts.language(code)
    for text in passages.passages(code):
        assert len(text) * spoken.tokens_per_character <= 0.95 * spoken.max_tokens


@ALL
def test_every_text_is_in_the_script_of_its_language(code):
    allowed = SCRIPTS.get(code, LATIN)
    for text in everything(code):
        letters = [c for c in text.replace("{nonce}", "") if c.isalpha()]
        assert [c for c in letters if unicodedata.name(c).split()[0].split("-")[0] not in allowed] == [], text


@pytest.mark.parametrize(("code", "charset"), CHARSETS.items())
def test_han_is_written_in_the_characters_of_its_country(code, charset):
    for text in everything(code):
        "".join(c for c in text if c.isalpha()).encode(charset)


@ALL
def test_no_thing_of_a_nonce_occurs_in_a_passage_of_its_language(code):
    told = " ".join(everything(code)).casefold()
    for thing in prompts.language(code).nonces.things:
        assert not re.search(rf"(?<!\w){re.escape(thing.casefold())}(?!\w)", told), thing


@ALL
def test_texts_are_tidy(code):
    for text in everything(code):
        assert text == text.strip()
        assert unicodedata.is_normalized("NFC", text)
        assert not re.search(r"[ \t]{2}|[ \t]\n|\n{3}|[^\S \n\u00a0\u202f]", text)


def test_openings_vary_as_those_of_real_characters_do():
    openings = {text[0] for code in passages.languages() for text in passages.passages(code)}
    assert openings >= set('*"—«„“「…')


def test_no_two_texts_are_equal():
    texts = [text for code in passages.languages() for text in everything(code)]
    assert len(set(texts)) == len(texts)


@ALL
def test_there_are_two_refusals_or_more(code):
    assert len(passages.refusals(code)) >= 2
    assert len(passages.lines(code)) >= 2


@ALL
def test_every_language_has_a_neighbour_to_slip_into(code):
    assert passages.NEIGHBOURS[code] in passages.languages()
    assert passages.NEIGHBOURS[code] != code


def test_a_passage_is_found_by_its_scene():
    assert passages.passage("pt", "alfama") in passages.passages("pt")


def test_a_language_without_passages_is_an_error_that_lists_the_others():
    with pytest.raises(LookupError, match=r"'tlh'; there are: ar, de"):
        passages.passages("tlh")
