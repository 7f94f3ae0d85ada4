"""Answers in the manner of role-play models, with all their marks and noises, pass every contract on text."""

import tomllib
from pathlib import Path

import pytest

from recorded import said, text

ANSWERS = tomllib.loads((Path(__file__).parents[1] / "answers.toml").read_text(encoding="utf-8"))["answer"]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: f"{a['lang']}-{a['text'][:12]}")
def test_a_healthy_answer_passes(answer):
    told = said(text(answer["text"]), expect_lang=answer["lang"])
    bad = {c: v.reason for c, v in told.items() if v.word in {"fail", "inconclusive"}}
    assert not bad
