from __future__ import annotations

import pytest

from recorded import (
    ROUTE,
    SCENE,
    TOOLS,
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
)

ASKED = {
    "tools": ["open_gate", "ring_bell"],
    "tool_choice": "required",
    "max_tokens": 300,
    "prompt": "Open the east gate with the tool.",
    **ROUTE,
}
EAST = '{"gate":"east"}'


def delta(index=0, call_id=None, name=..., arguments=None, **more):
    function = {} if name is ... else {"name": name}
    function |= {} if arguments is None else {"arguments": arguments}
    entry = {"function": function, **more} | ({} if index is None else {"index": index})
    return chunk({"tool_calls": [entry | ({} if call_id is None else {"id": call_id})]})


def streamed(*deltas, finish="tool_calls"):
    return stream(*((600 + 50 * n, d) for n, d in enumerate(deltas)), *ending(2000, finish))


@pytest.mark.parametrize(
    "response",
    [
        calls(("call_1", "open_gate", EAST)),
        calls(("functions.open_gate:0", "open_gate", EAST)),
        calls(("a", "open_gate", ' { "slowly" : false , "gate" : "west" } ')),
        calls(("a", "open_gate", EAST), ("b", "ring_bell", "")),
        calls(("a", "ring_bell", "{}")),
        calls(("a", "ring_bell", None)),
        calls(
            ("functions.open_gate:0", "open_gate", EAST),
            ("functions.open_gate:1", "open_gate", '{"gate":"west"}'),
        ),
        calls(("a", "open_gate", EAST), finish="stop"),
        body(
            {
                "content": "Very well.",
                "tool_calls": [{"id": "a", "function": {"name": "open_gate", "arguments": EAST}}],
            }
        ),
        streamed(delta(0, "a", "open_gate", '{"gate":'), delta(0, arguments='"east"}')),
        streamed(delta(0, "a", arguments='{"gate":'), delta(0, name="open_gate", arguments='"east"}')),
        streamed(delta(0, "a", "open_gate", ""), delta(0, name=None, arguments=EAST)),
        streamed(delta(0, "a", "open_gate", '{"gate":'), delta(0, "a", "open_gate", '"east"}')),
        streamed(delta(0, "a", "open_", ""), delta(0, name="gate", arguments=EAST)),
        streamed(delta(0, "a", "open_gate", EAST), delta(1, "b", "open_gate", '{"gate":"west"}')),
        streamed(delta(0, "a", "open_gate", EAST), delta(1, "b", "ring_bell", ""), delta(1, arguments="{}")),
        streamed(delta(0, "", "open_gate", ""), delta(0, "a", arguments=EAST)),
    ],
)
def test_a_call_that_any_client_can_read_passes(response):
    assert told("tool_call", response, **ASKED) == ("pass", "valid_call")


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (
            body({"content": "<tool_call>\n<function=open_gate>\n</tool_call>"}),
            "call_as_text",
        ),
        (
            body({"content": '<tool_call>{"name": "open_gate", "arguments": {"gate": "east"}}</tool_call>'}),
            "call_as_text",
        ),
        (body({"content": '```json\n{"name":"open_gate","arguments":{"gate":"east"}}\n```'}), "call_as_text"),
        (body({"content": '[TOOL_CALLS][{"name":"open_gate","arguments":{"gate":"east"}}]'}), "call_as_text"),
        (
            body({"content": "<|tool_calls_section_begin|><|tool_call_begin|>"}),
            "call_as_text",
        ),
        (body({"content": 'open_gate(gate="east")'}), "call_as_text"),
        (
            body({"content": '<invoke name="open_gate"><parameter name="gate">east</parameter></invoke>'}),
            "call_as_text",
        ),
        (body({"content": "<｜tool▁calls▁begin｜>function<｜tool▁sep｜>open_gate"}), "call_as_text"),
        (body({"content": "<|python_tag|>open_gate.call(gate='east')"}), "call_as_text"),
        (text("<|channel|>commentary to=functions.open_gate <|constrain|>json<|message|>{}"), "call_as_text"),
        (
            body({"content": "", "reasoning_content": "I call <tool_call><function=open_gate>"}),
            "call_in_reasoning",
        ),
        (body({"content": None, "tool_calls": []}, "tool_calls"), "finish_without_call"),
        (body({"content": SCENE}, "tool_calls"), "finish_without_call"),
        (body({"content": "The east gate is open now."}), "required_ignored"),
        (streamed(delta(0, "a", None, '{"gate":'), delta(0, name=None, arguments='"east"}')), "name_missing"),
        (streamed(delta(0, "a", "", EAST)), "name_missing"),
        (streamed(delta(0, "a", {"value": "open_gate"}, EAST)), "name_not_text"),
        (streamed(delta(0, "a", "open_gateopen_gate", EAST)), "name_repeated"),
        (streamed(delta(0, "a", "open_gateopen_gateopen_gate", EAST)), "name_repeated"),
        (calls(("a", "open_gate<|channel|>commentary", EAST)), "name_polluted"),
        (calls(("a", "functions.open_gate", EAST)), "name_polluted"),
        (calls(("a", "default_api.open_gate", EAST)), "name_polluted"),
        (calls(("a", "open_gate:0", EAST)), "name_polluted"),
        (calls(("a", "close_gate", EAST)), "unknown_tool"),
        (calls(("a", "open_gate", EAST), (None, None, EAST)), "orphan_entry"),
        (calls(("", "open_gate", EAST)), "id_missing"),
        (calls((None, "open_gate", EAST)), "id_missing"),
        (calls(("a", "open_gate", EAST), ("a", "open_gate", '{"gate":"west"}')), "id_duplicate"),
        (
            streamed(delta(0, "a", "open_gate", EAST), delta(0, "b", "open_gate", '{"gate":"west"}')),
            "index_collision",
        ),
        (streamed(delta(None, "a", "open_gate", EAST), delta(None, "b", "ring_bell", "{}")), "index_missing"),
        (calls(("a", "open_gate", "")), "arguments_missing"),
        (calls(("a", "open_gate", "{}")), "arguments_missing"),
        (calls(("a", "ring_bell", "{}"), ("b", "open_gate", None)), "arguments_missing"),
        (calls(("a", "open_gate", "{'gate': 'east', slowly: True}")), "arguments_not_json"),
        (calls(("a", "open_gate", "<parameter=gate>east</parameter>")), "arguments_not_json"),
        (calls(("a", "open_gate", '{"gate":"ea')), "arguments_truncated"),
        (calls(("a", "open_gate", EAST + EAST)), "arguments_glued"),
        (calls(("a", "open_gate", '"{\\"gate\\":\\"east\\"}"')), "double_encoded"),
        (calls(("a", "open_gate", '{"gate":"north"}')), "arguments_invalid"),
        (calls(("a", "open_gate", '{"slowly":"yes"}')), "arguments_invalid"),
        (calls(("a", "open_gate", '{"gate":"east","fast":1}')), "arguments_invalid"),
        (calls(("a", "open_gate", '["east"]')), "arguments_invalid"),
    ],
)
def test_a_call_that_a_client_cannot_use_fails(response, reason):
    assert told("tool_call", response, **ASKED) == ("fail", reason)


@pytest.mark.parametrize(
    ("response", "hint", "expected"),
    [
        (
            body({"content": "No gate needs to be opened."}),
            {"tool_choice": "auto", "expect_call": False},
            ("pass", "no_call_needed"),
        ),
        (body({"content": "The gate is open."}), {"tool_choice": "auto"}, ("inconclusive", "no_call")),
        (
            body({"content": "The gate is open."}),
            {"tool_choice": "auto", "expect_call": True},
            ("inconclusive", "no_call"),
        ),
        (
            calls(("a", "ring_bell", "{}")),
            {"expect_call": False, "tool_choice": "auto"},
            ("warn", "needless_call"),
        ),
        (
            calls(("a", "open_gate", '{"gate":"ea'), finish="length", usage=usage(140, 12)),
            {"max_tokens": 12},
            ("inconclusive", "own_cap"),
        ),
        (
            body({"content": "Let me"}, "length", usage=usage(140, 8)),
            {"max_tokens": 8},
            ("inconclusive", "own_cap"),
        ),
        (streamed(delta(None, "a", "open_gate", EAST)), {}, ("warn", "index_missing_once")),
        (
            calls(("a", "open_gate", '{"gate":"west"}')),
            {"expect_values": {"gate": ["east"]}},
            ("warn", "values_differ"),
        ),
        (text(SCENE), {"tools": None}, ("not_applicable", "not_asked")),
        (
            text(SCENE),
            {"model_meta": {"supported_parameters": ["temperature"]}},
            ("not_applicable", "not_claimed"),
        ),
        (error(503, {"error": {"message": "overloaded"}}), {}, ("transport", "transport_error")),
        (text(""), {}, ("inconclusive", "empty_answer")),
    ],
)
def test_what_proves_nothing_is_no_failure(response, hint, expected):
    assert told("tool_call", response, **(ASKED | hint)) == expected


def test_a_plan_in_reasoning_with_a_real_call_passes():
    message = {
        "content": None,
        "reasoning_content": "I will call open_gate(gate='east').",
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": "open_gate", "arguments": EAST}}],
    }
    assert told("tool_call", body(message, "tool_calls"), **ASKED)[0] == "pass"


def test_entities_are_a_fault_only_where_the_prompt_fixed_the_plain_string():
    run = {"name": "run", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}}}
    asked = ASKED | {"tools": [run], "prompt": 'Run "make && make test" with the tool.'}
    escaped = calls(("a", "run", '{"command":"make &amp;&amp; make test"}'))
    assert told("tool_call", escaped, **asked) == ("fail", "escaped_argument")
    plain = calls(("a", "run", '{"command":"make \\u0026\\u0026 make test"}'))
    assert told("tool_call", plain, **asked) == ("pass", "valid_call")
    about = asked | {"prompt": 'Explain what "&amp;" means, and write it down with the tool.'}
    assert told("tool_call", calls(("a", "run", '{"command":"&amp;"}')), **about)[0] == "pass"


def test_objects_and_names_of_tools_are_both_read():
    given = ASKED | {"tools": TOOLS}
    assert told("tool_call", calls(("a", "open_gate", EAST)), **given)[0] == "pass"
    assert told("tool_call", calls(("a", "open_gate", EAST)), **(ASKED | {"tools": "tools"}))[0] == "pass"


def test_two_of_three_without_a_mandatory_call_fail():
    prose = body({"content": "It is open."})
    assert told("tool_call", samples(prose, prose, calls(("a", "open_gate", EAST))), **ASKED)[0] == "fail"


class TestTheRateOfCalls:
    def told(self, called, missed, of=(210, 90)):
        host = {"called": called, "not_called": missed}
        return told(
            "tool_call",
            {"type": "counts", "host": host, "reference": {"called": of[0], "not_called": of[1]}},
            type="rate",
            tool_choice="auto",
        )

    def test_far_fewer_or_more_calls_than_the_reference_are_a_warning(self):
        assert self.told(17, 43) == ("warn", "rate_differs")
        assert self.told(59, 1) == ("warn", "rate_differs")

    def test_noise_passes(self):
        assert self.told(40, 20) == ("pass", "rate_as_peers")
        assert self.told(36, 24)[0] == "pass"

    def test_few_prompts_prove_nothing(self):
        assert self.told(2, 18) == ("inconclusive", "too_few_prompts")
