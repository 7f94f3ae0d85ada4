"""The body of a pinned request: one route, no fallback, nothing that alters or replays an answer."""

from __future__ import annotations

import json

from serinus.core.model import Message, Offer, Probe, Route, Tool
from serinus.gateways.openrouter.pinned import pinned_body, session_id
from serinus.wire.request import as_sent

OFFER = Offer(Route("acme/story-70b", "deepinfra/fp8"), "deepinfra", "DeepInfra")
THINKER = Offer(Route("acme/thinker", "novita"), "novita", "Novita", reasoning_mandatory=True)
PROBE = Probe("roleplay.en.0", "roleplay", (Message("system", "s"), Message("user", "u")), max_tokens=400)


def body(probe=PROBE, offer=OFFER, preferences=None):
    sent = as_sent(probe, reasons=offer.reasoning_mandatory)
    return pinned_body(offer, sent, session="round/1", user="serinus-probe", preferences=preferences or {})


def test_a_plain_probe_is_sent_like_this():
    assert body() == {
        "model": "acme/story-70b",
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "usage": {"include": True},
        "max_tokens": 400,
        "provider": {"only": ["deepinfra/fp8"], "order": ["deepinfra/fp8"], "allow_fallbacks": False},
        "plugins": [
            {"id": "response-healing", "enabled": False},
            {"id": "context-compression", "enabled": False},
            {"id": "web", "enabled": False},
        ],
        "user": "serinus-probe",
        "session_id": "round/1",
        "reasoning": {"enabled": False},
    }


def test_structure_and_tools_go_out_in_the_fields_of_the_api():
    schema = {"name": "card", "strict": True, "schema": {"type": "object"}}
    tool = Tool("look_up", {"type": "object"})
    asked = body(
        Probe("k", "structured", PROBE.messages, schema=schema, tools=(tool,), tool_choice="required")
    )
    assert asked["response_format"] == {"type": "json_schema", "json_schema": schema}
    assert asked["tools"] == [
        {"type": "function", "function": {"name": "look_up", "parameters": {"type": "object"}}}
    ]
    assert asked["tool_choice"] == "required"
    named = body(Probe("k", "tool_call", PROBE.messages, tools=(tool,), tool_choice="look_up"))
    assert named["tool_choice"] == {"type": "function", "function": {"name": "look_up"}}


def test_other_parameters_are_sent_as_they_stand():
    asked = body(Probe("k", "x", PROBE.messages, stop=("END",), parameters={"seed": 7, "temperature": 0.2}))
    assert (asked["seed"], asked["temperature"], asked["stop"]) == (7, 0.2, ["END"])


def test_no_parameter_of_a_probe_undoes_the_pin():
    rogue = {
        "provider": {"order": ["elsewhere"], "allow_fallbacks": True},
        "plugins": [{"id": "web"}],
        "models": ["other/model"],
        "preset": "x",
        "transforms": ["middle-out"],
        "route": "fallback",
        "model": "other/model",
        "session_id": "shared",
    }
    assert body(Probe("k", "x", PROBE.messages, max_tokens=400, parameters=rogue)) == body()


def test_preferences_of_production_are_mirrored_under_the_pin():
    provider = body(preferences={"data_collection": "deny", "only": ["elsewhere"], "ignore": ["novita"]})[
        "provider"
    ]
    assert provider["data_collection"] == "deny"
    assert (provider["only"], provider["allow_fallbacks"]) == (["deepinfra/fp8"], False)


def test_a_limit_on_tokens_is_always_sent_and_never_below_what_providers_take():
    assert body(Probe("k", "x", PROBE.messages))["max_tokens"] == 512
    assert body(Probe("k", "x", PROBE.messages, max_tokens=1))["max_tokens"] == 16


def test_mandatory_reasoning_is_left_on_and_given_room():
    asked = body(offer=THINKER)
    assert "reasoning" not in asked
    assert asked["max_tokens"] == as_sent(PROBE, reasons=True).max_tokens == 400 + 2048


def test_a_probe_may_say_itself_how_to_reason():
    asked = body(Probe("k", "x", PROBE.messages, parameters={"reasoning": {"effort": "low"}}))
    assert asked["reasoning"] == {"effort": "low"}


def test_a_session_too_long_for_the_gateway_stays_unique():
    long, other = "s" * 300, "s" * 299 + "t"
    assert session_id("short") == "short"
    assert len(session_id(long)) <= 256
    assert session_id(long) != session_id(other)


def test_half_a_surrogate_pair_in_a_prompt_can_be_sent():
    asked = body(Probe("k", "x", (Message("user", "\ud83d"),)))
    assert json.dumps(asked).encode()
