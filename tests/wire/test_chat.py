from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serinus.core.transcript import Answer, Event, Usage
from serinus.wire.chat import answer_of_body, answer_of_events
from serinus.wire.sse import EventReader


def read(*payloads):
    events = [
        Event(0.1 * n, data=p if isinstance(p, str) else json.dumps(p)) for n, p in enumerate(payloads, 1)
    ]
    return answer_of_events(events)


def piece(text=None, **more):
    delta = {} if text is None else {"content": text}
    return {
        "choices": [{"index": 0, "delta": delta | more.pop("delta", {}), **more.pop("choice", {})}],
        **more,
    }


def whole(message, **more):
    return answer_of_body(200, json.dumps({"choices": [{"index": 0, "message": message, **more}]}))


def codes(answer):
    return [code for code, _ in answer.oddities]


class TestNothingIsDefaulted:
    def test_an_empty_stream_is_an_empty_answer(self):
        assert answer_of_events([]) == Answer()

    def test_what_was_missing_stays_missing(self):
        answer = read(piece("Sit."))
        assert answer.text == "Sit."
        assert answer.finish_reason is None
        assert answer.usage is None
        assert answer.done is False

    def test_empty_content_is_not_missing_content(self):
        assert read(piece("")).text == ""
        assert read(piece(delta={"content": None})).text is None
        assert whole({"content": ""}).text == ""
        assert whole({"content": None}).text is None

    def test_counts_that_are_no_counts_are_none(self):
        odd = {
            "prompt_tokens": "12",
            "completion_tokens": 3.0,
            "total_tokens": True,
            "cost": "x",
            "is_byok": 1,
        }
        assert read({"usage": odd}).usage == Usage(prompt_tokens=12, completion_tokens=3)


class TestFieldsAreMergedByName:
    def test_usage_metadata_and_provider_may_stand_in_any_event(self):
        answer = read(
            {"choices": [], "usage": {"prompt_tokens": 9}},
            {"provider": "Host A", "model": "x/y"} | piece("Sit"),
            {"openrouter_metadata": {"attempt": 1}} | piece(" down."),
            piece(choice={"finish_reason": "stop", "native_finish_reason": "eos"}),
            "[DONE]",
        )
        assert (answer.text, answer.provider, answer.models) == ("Sit down.", "Host A", ("x/y",))
        assert answer.usage is not None
        assert answer.usage.prompt_tokens == 9
        assert answer.metadata == {"attempt": 1}
        assert (answer.finish_reason, answer.native_finish_reason, answer.done) == ("stop", "eos", True)

    def test_the_last_usage_counts(self):
        answer = read(*({"usage": {"completion_tokens": n}} | piece("a") for n in (1, 2, 3)))
        assert answer.usage == Usage(completion_tokens=3)

    def test_each_delta_keeps_its_time_and_event(self):
        answer = read(piece("a"), {"choices": []}, piece("b", choice={"finish_reason": "stop"}))
        assert [(round(d.at or 0, 1), d.index, d.text, d.finish) for d in answer.deltas] == [
            (0.1, 0, "a", False),
            (0.3, 2, "b", True),
        ]

    def test_reasoning_is_read_once_from_whatever_field(self):
        both = {"reasoning": "Hm. ", "reasoning_content": "Hm. ", "reasoning_details": [{"text": "Hm. "}]}
        assert (
            read(piece("", delta=both), piece("Sit.", delta={"reasoning": "Well."})).reasoning == "Hm. Well."
        )
        assert whole({"content": "a", "reasoning_details": [{"summary": "Short."}]}).reasoning == "Short."

    def test_other_choices_are_counted_and_not_mixed_in(self):
        other = {"choices": [{"index": 1, "delta": {"content": "Other."}}]}
        answer = read(piece("Sit."), other, piece(" Down."))
        assert (answer.text, answer.choices) == ("Sit. Down.", 2)

    def test_refusals_are_joined(self):
        assert read(piece(delta={"refusal": "I "}), piece(delta={"refusal": "won't."})).refusal == "I won't."


class TestOddShapes:
    @pytest.mark.parametrize(
        ("payload", "code"),
        [
            (piece("x") | {"choices": [{"index": 0, "delta": None}]}, "missing_delta"),
            ({"choices": [{"index": 0}]}, "missing_delta"),
            ({"choices": ["x"]}, "unknown_shape"),
            ({"choices": [{"text": "Sit."}]}, "unknown_shape"),
            (piece(delta={"content": [{"type": "text", "text": "Sit."}]}), "content_list"),
            (piece(delta={"content": 7}), "unknown_shape"),
            (piece(delta={"tool_calls": ["x"]}), "unknown_shape"),
            (piece(delta={"function_call": {"name": "f", "arguments": "{}"}}), "unknown_shape"),
            ("[1]", "unknown_shape"),
            ("ping", "unknown_shape"),
            ('{"choices":[{"del', "malformed_event"),
        ],
    )
    def test_are_noted(self, payload, code):
        assert code in codes(read(payload))

    def test_parts_of_content_are_joined(self):
        parts = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Sit "}, "down."]
        answer = whole({"content": parts})
        assert (answer.text, answer.reasoning) == ("Sit down.", "Hm.")

    def test_a_message_beside_a_delta_is_not_added(self):
        choice = {"index": 0, "delta": {"content": "Sit."}, "message": {"content": "Sit."}}
        assert read({"choices": [choice]}).text == "Sit."

    def test_garbage_after_the_terminator_loses_nothing(self):
        assert codes(read(piece("Sit."), "[DONE]", '{"x')) == ["unknown_shape"]

    def test_a_second_provider_is_odd(self):
        assert "changed_provider" in codes(
            read({"provider": "A"} | piece("a"), {"provider": "B"} | piece("b"))
        )

    def test_oddities_are_capped(self):
        assert len(read(*(["ping"] * 500)).oddities) == 50


class TestToolCalls:
    def test_a_name_that_repeats_is_kept_once_and_one_that_goes_on_is_joined(self):
        def call(*names):
            entries = [{"index": 0, "function": {"name": n, "arguments": "x"}} for n in names]
            return read(*(piece(delta={"tool_calls": [e]}) for e in entries)).tool_calls[0]

        assert call("open", "open").name == "open"
        assert call("open", "_gate").name == "open_gate"
        assert call("open", "open").name_parts == ("open", "open")
        assert call("open", "open").arguments == "xx"
        assert call(None, {"a": 1}).name_is_text is False

    def test_arguments_that_are_an_object_are_written_out(self):
        message = {"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {"door": "é"}}}]}
        assert whole(message).tool_calls[0].arguments == '{"door": "é"}'


class TestFailures:
    @pytest.mark.parametrize(
        ("error", "code", "kind"),
        [
            ({"code": 502, "message": "m"}, 502, None),
            ({"code": "502", "message": "m"}, 502, None),
            ({"code": "content_filter", "message": "m"}, None, "content_filter"),
            ({"message": "m", "metadata": {"error_type": "refusal"}, "code": 400}, 400, "refusal"),
            ({"message": "m", "error_type": "timeout", "http_status": 504}, 504, "timeout"),
            ({"message": "m", "status": "RESOURCE_EXHAUSTED", "code": 429}, 429, "RESOURCE_EXHAUSTED"),
            ({"message": "m", "type": "rate_limit_error"}, None, "rate_limit_error"),
            ({"message": "m", "availability": {"code": "no_endpoints"}}, None, "no_endpoints"),
        ],
    )
    def test_every_shape_of_an_error_object_is_read(self, error, code, kind):
        failure = read(piece("Sit."), {"error": error, "choices": []}).failure
        assert failure is not None
        assert (failure.where, failure.code, failure.type, failure.message) == ("stream", code, kind, "m")
        assert failure.raw == error

    def test_an_error_may_be_a_string_or_the_event_itself(self):
        assert read({"error": "busy"}).failure.message == "busy"
        named = answer_of_events([Event(0.1, data='{"code":503,"message":"busy"}', name="error")])
        assert named.failure.code == 503
        assert read({"object": "error", "message": "busy"}).failure.message == "busy"

    def test_an_error_inside_a_choice_is_found_beside_its_text(self):
        answer = whole({"content": "Sit"}, finish_reason="error", error={"code": 502, "message": "m"})
        assert (answer.text, answer.failure.code, answer.failure.where) == ("Sit", 502, "body")

    def test_a_story_about_an_error_is_none(self):
        assert read(piece('{"error": "of judgement"}')).failure is None

    def test_http_bodies(self):
        assert answer_of_body(502, "<html>").failure.type == "unparsable"
        assert answer_of_body(429, '{"error":{"message":"slow","code":429}}').failure.where == "http"
        assert answer_of_body(404, '{"detail":"Not Found"}').failure.message == "Not Found"
        assert answer_of_body(503, "").failure.code == 503
        assert answer_of_body(200, "").failure.type == "unparsable"
        assert answer_of_body(200, "{}").failure.type == "no_completion"
        assert answer_of_body(200, "[]").failure.type == "no_completion"
        assert answer_of_body(200, '{"choices":[]}').failure is None

    def test_a_stream_in_place_of_a_body_is_read_as_one(self):
        stream = 'data: {"choices":[{"delta":{"content":"Sit."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
        assert answer_of_body(200, stream).text == "Sit."
        assert answer_of_body(200, stream, "text/event-stream").done is True


NAMES = """
choices delta message content error code usage finish_reason index tool_calls function name arguments id
provider model metadata reasoning_details text type content_filter_results filtered refusal
prompt_filter_results openrouter_metadata
"""
KEYS = st.sampled_from(NAMES.split())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=30,
)


@given(st.lists(JSON, max_size=6))
def test_any_json_in_any_event_is_read(payloads):
    answer = answer_of_events([Event(0.1, data=json.dumps(p)) for p in payloads])
    assert isinstance(answer, Answer)


@given(JSON, st.sampled_from([200, 400, 502]))
def test_any_json_in_any_body_is_read(payload, status):
    assert isinstance(answer_of_body(status, json.dumps(payload)), Answer)


@settings(max_examples=200)
@given(st.binary(max_size=2000))
def test_any_bytes_are_read(data):
    reader = EventReader()
    events = [*reader.feed(data, 0.1), *reader.finish(0.2)]
    assert isinstance(answer_of_events(events), Answer)


@pytest.mark.parametrize(
    "hostile",
    [
        '{"a":' * 100_000,
        "[" * 100_000,
        '{"choices":' + "9" * 10_000 + "}",
        '{"usage":{"prompt_tokens":1e400}}',
        '"\\ud800"',
    ],
)
def test_hostile_json_is_read_without_raising(hostile):
    assert isinstance(answer_of_body(200, hostile), Answer)
    assert isinstance(read(hostile, piece("Sit.")), Answer)
