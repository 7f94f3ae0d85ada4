"""What the standard set costs, before it is sent."""

from statistics import fmean

import pytest

from serinus.core.model import Turn
from serinus.probes import roleplay, structured, tokens, tool_call
from serinus.probes.languages import LANGUAGES, available, language

# A round's standard set may take this much a route, as the mean over a cycle of languages.
BUDGET = 600
ALL = pytest.mark.parametrize("code", available())


def mean(ask, code, what="total"):
    turns = [Turn(f"acme/model@{n}", n, "deepinfra/fp8", code) for n in range(32)]
    return fmean(getattr(tokens.cost(ask(turn)), what) for turn in turns)


def standard_set(code):
    return mean(roleplay.ask, code) + (mean(structured.ask, code) + mean(tool_call.ask, code)) / 2


def test_the_standard_set_keeps_within_its_budget_over_a_language_cycle():
    assert fmean(standard_set(code) for code in LANGUAGES) <= BUDGET


@ALL
def test_no_language_costs_more_than_half_again(code):
    assert standard_set(code) <= 1.5 * BUDGET


@ALL
def test_a_role_play_prompt_is_short(code):
    assert 90 <= mean(roleplay.ask, code, "prompt") <= 200


@ALL
def test_an_answer_is_expected_under_its_cap(code):
    for ask in (roleplay.ask, structured.ask, tool_call.ask):
        assert mean(ask, code, "answer") < mean(ask, code, "cap")


def test_an_estimate_grows_with_the_text():
    assert tokens.estimate("", "en") == 0
    assert tokens.estimate("a word " * 100, "en") == pytest.approx(170, rel=0.1)
    assert tokens.estimate("字" * 100, "zh-Hans") > tokens.estimate("a" * 100, "en")


def test_a_schema_and_tools_are_counted_as_part_of_the_prompt():
    probe = structured.ask(Turn("m@1", 0, "a", "en"))
    texts = sum(tokens.estimate(m.content, "en") + tokens.PER_MESSAGE for m in probe.messages)
    assert tokens.cost(probe).prompt - texts == pytest.approx(79, abs=5)


@ALL
def test_the_cap_leaves_room_over_the_answer_asked_for(code):
    assert language(code).max_tokens > language(code).answer_tokens
