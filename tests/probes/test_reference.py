"""The page of the probes shows every prompt and every number."""

from pathlib import Path

import pytest

from serinus.probes import roleplay
from serinus.probes.languages import LANGUAGES, available, language

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "probes.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", available())
def test_every_prompt_is_on_the_page_with_its_words(code):
    spoken = language(code)
    for scene in spoken.scenes:
        mark = "yes" if scene.filtering else ""
        assert f"| `{roleplay.key_of(spoken, scene)}` | {mark} | {scene.user} |" in PAGE


@pytest.mark.parametrize("code", available())
def test_every_language_is_on_the_page_with_its_numbers(code):
    spoken = language(code)
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{code}` "))
    rate, answer, cap = (cell.strip() for cell in row.strip("|").split("|")[-3:])
    assert (float(rate), int(answer), int(cap)) == (
        spoken.tokens_per_character,
        spoken.answer_tokens,
        spoken.max_tokens,
    )


def test_the_page_names_no_prompt_that_is_gone():
    shown = {line.split("|")[1].strip(" `") for line in PAGE.splitlines() if line.startswith("|")}
    prompts = {s for s in shown if s.startswith("roleplay.")}
    assert prompts == {
        roleplay.key_of(language(code), scene) for code in available() for scene in language(code).scenes
    }


def test_the_page_tells_of_the_default_rotation():
    assert f"the {len(LANGUAGES)} default languages" in PAGE
