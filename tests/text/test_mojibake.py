import pytest

from passages import PASSAGES, misread
from serinus.text.languages import known
from serinus.text.mojibake import _gpt2_alphabet, find_mojibake

ACCENTED = [c for c, t in PASSAGES.items() if sum(not x.isascii() for x in t) >= 6 and c != "en"]
SINGLE = [
    "cp1252",
    "latin-1",
    "cp1251",
    "cp1250",
    "cp1254",
    "iso8859_2",
    "mac_roman",
    "cp437",
    "cp850",
    "cp866",
    "koi8_r",
]
MULTIPLE = ["gbk", "big5", "euc_kr", "shift_jis"]


@pytest.mark.parametrize("lang", PASSAGES)
def test_a_clean_passage_is_none(lang):
    assert find_mojibake(PASSAGES[lang], known(lang)) is None


@pytest.mark.parametrize("codec", SINGLE)
@pytest.mark.parametrize("lang", ACCENTED)
def test_utf_8_in_a_wrong_code_page_is_proven_in_every_language(lang, codec):
    found = find_mojibake(misread(PASSAGES[lang], codec), known(lang))
    assert found is not None
    assert found.sure


@pytest.mark.parametrize("codec", MULTIPLE)
@pytest.mark.parametrize("lang", ["fr", "pt", "tr", "ru"])
def test_utf_8_in_an_east_asian_code_page_is_proven(lang, codec):
    garbled = PASSAGES[lang].encode().decode(codec, "replace")
    found = find_mojibake(garbled, known(lang))
    assert found is not None
    assert found.sure


@pytest.mark.parametrize("lang", ["fr", "ru", "ja"])
def test_it_is_found_when_it_happened_twice(lang):
    twice = misread(misread(PASSAGES[lang], "latin-1"), "latin-1")
    assert find_mojibake(twice, known(lang)).sure


def test_three_damaged_words_among_whole_ones_are_enough():
    text = PASSAGES["fr"].replace("é", misread("é", "cp1252"), 3)
    found = find_mojibake(text, known("fr"))
    assert found.sure
    assert [text[a:b] for a, b in found.spans] == ["Ã©"] * 3


def test_strings_of_a_byte_level_vocabulary_are_told_apart():
    alphabet = _gpt2_alphabet()
    text = "".join(alphabet[b] for b in PASSAGES["zh-Hans"].encode())
    assert find_mojibake(text, known("zh-Hans")).code == "byte_tokens"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("AMANHÃ, NÃO, CORAÇÃO, ESTAÇÃO, VERÃO, IRMÃ, MANHÃ, PÃO E LIMÕES.", "pt"),
        ("« Voilà » — « déjà » ; « là-bas » : « à la… »", "fr"),
        ("Đã, ấy, ở, ị, ữ, ằng — “Đúng vậy!”", "vi"),
        ("Œuvre, cœur, Æsir, naïve, façade, Ångström, señor", "en"),
    ],
)
def test_legal_accents_are_none(text, lang):
    assert find_mojibake(text, known(lang)) is None
