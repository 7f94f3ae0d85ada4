"""Each language's file is complete, and its texts are in its own script."""

import re
import unicodedata
from dataclasses import fields

import pytest

from serinus.core.model import Turn
from serinus.probes import roleplay, structured, tool_call
from serinus.probes.languages import (
    LANGUAGES,
    LanguageFileError,
    UnknownLanguageError,
    available,
    language,
    parse,
)

LATIN, CYRILLIC = ("LATIN",), ("CYRILLIC",)
HAN, KANA = ("CJK", "IDEOGRAPHIC"), ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA")
SCRIPTS = {
    "ru": CYRILLIC, "uk": CYRILLIC, "ja": HAN + KANA, "ko": ("HANGUL",), "zh-Hans": HAN, "zh-Hant": HAN,
    "th": ("THAI",), "ar": ("ARABIC",), "hi": ("DEVANAGARI",),
}  # fmt: skip
# The schema's own names and values are the same in every language.
IDENTIFIERS = re.compile(r"\b(JSON|mood|guests|password|line|calm|tense|joyful)\b", re.ASCII)
CHARSETS = {"zh-Hans": "gb2312", "zh-Hant": "big5", "ja": "shift_jis", "ko": "cp949"}
ALL = pytest.mark.parametrize("code", available())


def texts(code):
    spoken = language(code)
    yield spoken.rules
    for scene in spoken.scenes:
        yield from (scene.system, scene.user)
    yield from (spoken.structured.system, spoken.structured.user, spoken.structured.outside)
    yield from (*spoken.structured.moods.values(), spoken.tool_call.system, *spoken.tool_call.gates.values())
    yield from (*spoken.nonces.qualities, *spoken.nonces.things)


def test_the_default_rotation_is_available_and_comes_first():
    assert available()[: len(LANGUAGES)] == tuple(LANGUAGES)
    assert {code: language(code).english for code in LANGUAGES} == LANGUAGES


def test_there_are_seventeen_by_default():
    assert len(LANGUAGES) == 17


@ALL
def test_every_text_is_in_the_script_of_its_language(code):
    allowed = SCRIPTS.get(code, LATIN)
    for text in texts(code):
        bare = IDENTIFIERS.sub("", re.sub(r"\{\w+\}", "", text))
        letters = [c for c in bare if c.isalpha()]
        assert [c for c in letters if unicodedata.name(c).split()[0].split("-")[0] not in allowed] == [], text


@pytest.mark.parametrize(("code", "charset"), CHARSETS.items())
def test_han_is_written_in_the_characters_of_its_country(code, charset):
    for text in texts(code):
        "".join(c for c in text if c.isalpha()).encode(charset)


@ALL
def test_every_language_has_four_scenes_or_more_under_different_names(code):
    keys = [scene.key for scene in language(code).scenes]
    assert len(keys) >= 4
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", key) for key in keys)


@ALL
def test_two_scenes_or_more_have_a_motif_that_filters_know(code):
    assert sum(scene.filtering for scene in language(code).scenes) >= 2


@ALL
def test_each_system_text_begins_with_its_only_nonce(code):
    spoken = language(code)
    systems = [*(s.system for s in spoken.scenes), spoken.structured.system, spoken.tool_call.system]
    for text in systems:
        assert text.startswith("{nonce}")
        assert text.count("{nonce}") == 1
    others = [spoken.rules, *(s.user for s in spoken.scenes), spoken.structured.user]
    assert not any("{nonce}" in text for text in others)


@ALL
def test_a_language_has_the_word_for_every_enum_value(code):
    spoken = language(code)
    assert set(spoken.structured.moods) == set(structured.MOODS)
    assert set(spoken.tool_call.gates) == set(tool_call.GATES)
    assert len(set(spoken.tool_call.gates.values())) == len(tool_call.GATES)
    assert not any(mood in spoken.structured.outside.split('"') for mood in structured.MOODS)


@ALL
def test_nonces_have_64_words_or_more_on_both_sides_and_none_twice(code):
    for words in (language(code).nonces.qualities, language(code).nonces.things):
        assert len(words) >= 64
        assert len({w.casefold() for w in words}) == len(words)


@ALL
def test_no_thing_of_a_nonce_occurs_in_a_prompt_of_its_language(code):
    spoken = language(code)
    prompts = " ".join([spoken.rules, *(f"{s.system} {s.user}" for s in spoken.scenes)]).casefold()
    for thing in spoken.nonces.things:
        assert not re.search(rf"(?<!\w){re.escape(thing.casefold())}(?!\w)", prompts), thing


def test_no_two_prompts_of_all_languages_are_equal():
    users = [scene.user for code in available() for scene in language(code).scenes]
    assert len(set(users)) == len(users)


def test_a_turn_in_each_language_yields_all_three_probes():
    for code in available():
        turn = Turn("m@2026-11-30T02:30Z", 0, "x", code)
        assert {p.ask(turn).language for p in (roleplay, structured, tool_call)} == {code}


def test_an_unknown_language_is_told_with_those_that_there_are():
    with pytest.raises(UnknownLanguageError, match=r"'xx'; there are: en, de, .*th, ar"):
        language("xx")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", r"xx\.roleplay: found None, a table"),
        ("english = 3", r"xx\.roleplay"),
        ("[roleplay]\n[nonces]\n[structured]\n[tool_call]", r"xx\.english: found None, a non-empty str"),
    ],
)
def test_what_a_file_lacks_is_told_with_its_place(text, told):
    with pytest.raises(LanguageFileError, match=told):
        parse("xx", text)


def test_the_record_of_a_language_holds_what_its_file_says():
    spoken = language("pt")
    assert spoken.name == "português"
    assert {f.name for f in fields(spoken)} >= {"rules", "scenes", "nonces", "structured", "tool_call"}
