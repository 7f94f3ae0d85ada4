from __future__ import annotations

import json

import pytest

from recorded import (
    INN,
    ROUTE,
    SCENE,
    body,
    calls,
    chunk,
    ending,
    error,
    samples,
    stream,
    text,
    told,
    usage,
    verdict,
)

ASKED = {"response_format": "inn_v1", "max_tokens": 300, "stream": False, **ROUTE}


def inn(**changes):
    value = json.loads(INN) | changes
    return text(json.dumps({k: v for k, v in value.items() if v is not ...}))


@pytest.mark.parametrize(
    "words",
    [
        INN,
        f"\n  {INN}\n",
        json.dumps(json.loads(INN), indent=4),
        INN.replace('"guests":2', '"guests":2.0'),
        '{"doors":["d"],"guests":0,"room":"A \\u5d50.\\nA fire.","mood":"tense"}',
        INN.replace("A low room with a fire.", '{\\"inner\\": \\"json\\"}'),
        INN.replace("A low room with a fire.", "mood"),
        "{\n\n   " + INN[1:-1].replace(",", ",\n\n\n        ") + "\n\n}",
    ],
)
def test_one_strict_value_of_the_schema_passes(words):
    assert told("structured_output", text(words), **ASKED) == ("pass", "valid")


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (text(f"```json\n{INN}\n```"), "fenced"),
        (text(f"```\n{INN}\n```"), "fenced"),
        (text(f"Here you are:\n```json\n{INN}\n```\nEnjoy!"), "fenced"),
        (text(f"```json\n{INN}"), "fenced"),
        (text(f"Sure! Here is the inn:\n{INN}"), "leading_text"),
        (text(f"As asked [1]: {INN}"), "leading_text"),
        (text(f"{INN}\n\nThis object describes an inn."), "trailing_text"),
        (text(f"{INN}\n{INN}"), "trailing_text"),
        (text(f"{INN}}}"), "trailing_text"),
        (text(f"<think>One room, two doors.</think>\n{INN}"), "reasoning_leak"),
        (text(f"One room.\n</think>\n\n{INN}"), "reasoning_leak"),
        (text(f"thought\n{INN}"), "reasoning_leak"),
        (body({"content": None, "reasoning_content": INN}), "reasoning_field"),
        (body({"content": "", "reasoning": INN}), "reasoning_field"),
        (text(SCENE), "not_json"),
        (text(INN.replace('"', "'")), "not_json"),
        (text(INN.replace("2", "NaN")), "not_json"),
        (text(INN[:-1] + ",}"), "not_json"),
        (text(INN.replace("low room", "low\nroom")), "control_character"),
        (text(INN.replace("low room", "low\troom")), "control_character"),
        (text('{"mood":"calm","mood":"calm",' + INN[15:]), "duplicate_key"),
        (text(INN.replace('"mood":', '"mood":"mood":')), "doubled_token"),
        (text(INN.replace('"guests":2', '"guests":2:2')), "doubled_token"),
        (text(INN[:40]), "truncated"),
        (text(INN[:40], "length", usage=usage(120, 290)), "truncated"),
        (text(INN[:40], "length", usage=usage(120, 64)), "truncated"),
        (text(INN[:30] + '"' + " \n" * 300, "length", usage=usage(120, 300)), "whitespace_loop"),
        (text(json.dumps(INN)), "double_encoded"),
        (inn(doors='["front","cellar"]'), "double_encoded"),
        (text(json.dumps({"type": "object", "properties": {}, "required": []})), "schema_echoed"),
        (text('{"title":"Inn","tags":["fire"],"score":4}'), "other_schema"),
        (inn(guests=...), "missing_key"),
        (inn(weather="storm"), "extra_key"),
        (inn(guests="two"), "wrong_type"),
        (inn(guests=2.5), "wrong_type"),
        (inn(guests=None), "wrong_type"),
        (inn(doors="front"), "wrong_type"),
        (text("[1, 2]"), "wrong_type"),
        (text("null"), "wrong_type"),
        (inn(mood="gloomy"), "enum_violation"),
        (inn(doors=[]), "bound_violation"),
        (inn(room=""), "bound_violation"),
        (calls(("a", "ring_bell", "{}")), "tool_call_instead"),
    ],
)
def test_what_is_malformed_fails_with_its_exact_reason(response, reason):
    assert told("structured_output", response, **ASKED) == ("fail", reason)


def test_a_stream_is_put_together_first():
    parts = [(500 + n, chunk({"content": INN[n : n + 7]})) for n in range(0, len(INN), 7)]
    assert told("structured_output", stream(*parts, *ending(2000)), **ASKED) == ("pass", "valid")


@pytest.mark.parametrize(
    ("response", "hint", "expected"),
    [
        (text(INN[:40], "length", usage=usage(120, 16)), {"max_tokens": 16}, ("inconclusive", "own_cap")),
        (text(INN[:40], "length"), {"max_tokens": 16}, ("inconclusive", "own_cap")),
        (body({"content": None, "reasoning": "Two doors, I think."}), {}, ("inconclusive", "reasoning_only")),
        (text(""), {}, ("inconclusive", "empty_answer")),
        (text("I'm sorry, but I can't help with that request."), {}, ("inconclusive", "moderated")),
        (text(INN[:40], None, native_finish_reason="network_error"), {}, ("transport", "native_error")),
        (stream((500, chunk({"content": INN[:30]})), end="reset"), {}, ("transport", "reset")),
        (error(500, {"error": {"message": "internal error"}}), {}, ("transport", "transport_error")),
        (text(INN), {"response_format": None}, ("not_applicable", "not_asked")),
    ],
)
def test_what_is_not_the_hosts_malformed_answer_is_no_failure(response, hint, expected):
    assert told("structured_output", response, **(ASKED | hint)) == expected


class TestARefusedFormat:
    UNSUPPORTED = error(
        400, {"error": {"message": "response_format json_schema is not supported", "code": 400}}
    )

    def claiming(self, *parameters):
        return ASKED | {"model_meta": {"supported_parameters": list(parameters)}}

    def test_is_unknown_where_the_claims_are_unknown(self):
        assert told("structured_output", self.UNSUPPORTED, **ASKED) == ("inconclusive", "format_unsupported")

    def test_fails_against_a_claim(self):
        asked = self.claiming("structured_outputs", "temperature")
        assert told("structured_output", self.UNSUPPORTED, **asked) == ("fail", "refused_format")

    def test_is_not_asked_of_a_route_that_claims_nothing(self):
        assert told("structured_output", self.UNSUPPORTED, **self.claiming("tools")) == (
            "not_applicable",
            "not_claimed",
        )
        assert told("structured_output", text("Sure!"), **self.claiming("tools"))[0] == "not_applicable"

    def test_another_fault_of_our_request_is_ours(self):
        bad = error(400, {"error": {"message": "messages must not be empty", "code": 400}})
        assert told("structured_output", bad, **self.claiming("structured_outputs")) == (
            "inconclusive",
            "own_error",
        )


class TestValues:
    """The schema alone is satisfied by a ruined model under a grammar, so fixed values are looked at too."""

    def test_a_list_that_is_shorter_than_the_prompt_fixed_is_a_warning(self):
        asked = ASKED | {"expect_values": {"doors": ["front", "cellar", "roof"]}}
        assert told("structured_output", inn(), **asked) == ("warn", "values_differ")
        assert told("structured_output", inn(doors=["front", "cellar", "roof"]), **asked) == ("pass", "valid")

    def test_a_value_of_the_allowed_ones_passes(self):
        asked = ASKED | {"expect_values": {"mood": ["calm", "tense"], "guests": [2]}}
        assert told("structured_output", inn(), **asked)[0] == "pass"
        assert told("structured_output", inn(guests=7), **asked) == ("warn", "values_differ")

    def test_a_word_that_must_be_repeated_is_missed(self):
        assert told("structured_output", inn(), nonce="amber kestrel", **ASKED) == ("warn", "nonce_missing")
        assert (
            told("structured_output", inn(room="Amber Kestrel inn"), nonce="amber kestrel", **ASKED)[0]
            == "pass"
        )


def test_an_open_schema_allows_more_keys():
    open_format = {"name": "open", "schema": {"type": "object", "required": ["mood"]}}
    assert told("structured_output", inn(weather="storm"), response_format=open_format) == ("pass", "valid")


def test_the_request_s_own_shape_of_a_format_is_read():
    asked = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "array"}}}
    assert told("structured_output", text("[]"), response_format=asked)[0] == "pass"
    assert told("structured_output", text("{}"), response_format=asked) == ("fail", "wrong_type")
    assert told("structured_output", text("{}"), response_format={"type": "json_object"})[0] == "pass"


def test_samples_are_settled_by_majority():
    assert told("structured_output", samples(INN, f"```{INN}```", f"```{INN}```"), **ASKED)[0] == "fail"
    assert told("structured_output", samples(INN, INN, f"```{INN}```"), **ASKED)[0] == "inconclusive"


@pytest.mark.parametrize(
    "words", ["[" * 100_000, '{"a":' * 50_000, "1" * 10_000, '"\\ud800"', "{" + " " * 500_000, "\ufeff" + INN]
)
def test_hostile_json_gets_a_verdict_in_time(words):
    found = verdict("structured_output", text(words), **ASKED)
    assert found.word.value in ("fail", "inconclusive")
    assert found.reason != "judge_raised"


def test_lone_surrogates_in_a_valid_object_are_no_fault_of_the_form():
    assert told("structured_output", inn(room="\ud83d"), **ASKED)[0] == "pass"


def test_an_unusable_schema_is_ours():
    broken = {"name": "n", "schema": {"type": "objekt"}}
    assert told("structured_output", text("{}"), response_format=broken) == (
        "inconclusive",
        "unusable_schema",
    )
