from __future__ import annotations

import pytest

from recorded import ROUTE, chunk, ending, error, scene, stream, text, told, verdict, words

MANDATORY = {"reasoning_mandatory": True}
EARLY = [
    pytest.param([(300, ": OPENROUTER PROCESSING"), (8000, ": OPENROUTER PROCESSING")], id="comments"),
    pytest.param([(180, chunk({"role": "assistant", "content": ""}))], id="role"),
    pytest.param([(180, chunk({"role": "assistant", "content": None}))], id="null content"),
    pytest.param(
        [(400, chunk({"content": "\n\n"})), (900, chunk({"content": " \u200b\ufeff\u00ad"}))], id="blanks"
    ),
    pytest.param([(500, chunk({"content": "", "reasoning": "A traveller, rain."}))], id="reasoning"),
    pytest.param([(500, chunk({"reasoning_content": "Regen."}))], id="reasoning content"),
    pytest.param([(20, {"choices": [], "usage": {"prompt_tokens": 3}})], id="ping"),
    pytest.param([(500, chunk({"content": "\u3164\u2800\u115f"}))], id="blank letters"),
]


@pytest.mark.parametrize("early", EARLY)
def test_nothing_but_visible_text_stops_the_clock(early):
    late = words(10_800)
    answer = stream(*early, *late, *ending(late[-1][0] + 50))
    assert told("first_token", answer, **ROUTE) == ("fail", "slow_first_token")


@pytest.mark.parametrize("early", EARLY)
def test_the_same_beginnings_pass_with_text_in_time(early):
    soon = words(9_000)
    answer = stream(*early, *soon, *ending(soon[-1][0] + 50))
    assert told("first_token", answer, **ROUTE) == ("pass", "in_time")


def test_ten_seconds_are_in_time_and_a_millisecond_more_is_not():
    assert told("first_token", scene(10_000), **ROUTE)[0] == "pass"
    assert told("first_token", scene(10_001), **ROUTE)[0] == "fail"


def test_the_evidence_holds_the_clocks():
    found = verdict("first_token", stream((300, ": ping"), *words(12_000), *ending(13_000)), **ROUTE)
    assert found.evidence["first_text_s"] == 12.0
    assert found.evidence["first_comment_s"] == 0.3
    assert found.evidence["limit_s"] == 10.0


def test_headers_and_then_nothing_is_a_failure():
    assert told("first_token", stream(end="hold", hold_ms=31_000), **ROUTE) == ("fail", "no_first_token")
    only_comments = stream((500, ": wait"), (20_000, ": wait"), end="hold", hold_ms=5_000)
    assert told("first_token", only_comments, **ROUTE) == ("fail", "no_first_token")


def test_a_wait_given_up_before_the_limit_proves_nothing():
    assert told("first_token", stream(end="hold", hold_ms=6_000), **ROUTE)[0] == "inconclusive"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 524, 529, 408])
def test_an_error_status_before_the_stream_is_transport(status):
    assert (
        told("first_token", error(status, {"error": {"message": "busy", "code": status}}), **ROUTE)[0]
        == "transport"
    )


def test_recorded_text_has_no_clock():
    assert told("first_token", text("Come in."), **ROUTE) == ("not_applicable", "untimed")


class TestMandatoryReasoning:
    """Two clocks: the first sign of life within 10 s, the first text within 60 s."""

    def told(self, sign, first):
        late = words(first)
        answer = stream((sign, chunk({"reasoning": "Let me see."})), *late, *ending(late[-1][0] + 50))
        return told("first_token", answer, model_meta=MANDATORY, **ROUTE)

    def test_text_after_long_reasoning_is_in_time(self):
        assert self.told(2_000, 45_000) == ("pass", "in_time")

    def test_text_after_a_minute_is_late(self):
        assert self.told(2_000, 61_000) == ("fail", "slow_first_token")

    def test_a_late_first_sign_fails_however_soon_text_follows(self):
        assert self.told(12_000, 13_000) == ("fail", "no_sign_of_life")

    def test_reasoning_that_is_held_is_judged_by_the_clock_of_text(self):
        thinking = [(2_000, chunk({"reasoning": "Hm."}))]
        assert told(
            "first_token", stream(*thinking, end="hold", hold_ms=70_000), model_meta=MANDATORY, **ROUTE
        ) == (
            "fail",
            "no_first_token",
        )
        assert told(
            "first_token", stream(*thinking, end="hold", hold_ms=20_000), model_meta=MANDATORY, **ROUTE
        ) == (
            "inconclusive",
            "limit_not_reached",
        )


def test_a_tool_call_is_output_too():
    call = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "ring_bell", "arguments": "{}"}}]}
    answer = stream((800, chunk(call)), *ending(900, "tool_calls"))
    assert told("first_token", answer, **ROUTE) == ("pass", "in_time")
