import pytest

from serinus.probes.languages import LANGUAGES
from serinus.text.languages import known, languages
from serinus.text.scripts import LETTERS


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("pt", "pt"),
        ("pt-BR", "pt"),
        ("PT_pt", "pt"),
        ("zh", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-Hant-TW", "zh-Hant"),
        ("zh-hans", "zh-Hans"),
        ("no", "nb"),
        ("in", "id"),
        (" en ", "en"),
    ],
)
def test_a_tag_is_known_whatever_its_region_and_case(tag, code):
    assert known(tag).code == code


@pytest.mark.parametrize("tag", [None, "", "tlh", "x-klingon"])
def test_a_tag_without_data_is_none(tag):
    assert known(tag) is None


def test_every_language_that_is_asked_by_default_can_be_judged():
    assert set(LANGUAGES) <= set(languages())


def test_scripts_and_neighbours_exist():
    for language in languages().values():
        assert language.scripts <= set(LETTERS), language
        assert language.near <= set(languages()), language
