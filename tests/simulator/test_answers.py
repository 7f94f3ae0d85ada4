import asyncio
import json

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.probes.languages import available
from serinus.simulator import tokens
from serinus.simulator.chance import dice
from serinus.simulator.corpus import corpus
from serinus.simulator.recognise import wish_of
from serinus.simulator.scenario import FaultUse
from serinus.simulator.schema_values import value_of
from simulated import ASKS, BEGAN, ask, gateway, host, probe, transcript


def answer(kind="roleplay", language="en", **changes):
    return gateway().chat(ask(kind, language, **changes), BEGAN).draft


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize("kind", ASKS)
def test_a_healthy_host_keeps_every_promise_of_the_prompt(kind, language):
    for index in range(6):
        asked = probe(kind, language, index)
        seen = asyncio.run(transcript(asked))
        if kind == "tool_call":
            (call,) = seen.answer.tool_calls
            found = json.loads(call.arguments)
        elif kind == "structured":
            found = json.loads(seen.text)
            assert jsonschema_rs.is_valid(asked.schema["schema"], found)
        else:
            assert asked.expect.nonce in seen.text
            found = {}
        for key, allowed in asked.expect.values.items():
            assert found[key] in allowed
        assert seen.answer.finish_reason in {"stop", "tool_calls", "length"}


@pytest.mark.parametrize("language", available())
def test_an_unknown_prompt_is_answered_in_its_language(language):
    known = corpus()
    for line in known.of(language).lines:
        assert known.guess(line) == language


def test_an_unknown_prompt_has_no_nonce_and_an_answer_all_the_same():
    changed = ask(messages=[{"role": "user", "content": "Conta-me uma história sobre o mar e um pescador."}])
    assert wish_of(changed, corpus()).language == "pt"
    assert wish_of(changed, corpus()).nonce is None
    draft = gateway().chat(changed, BEGAN).draft
    assert "{nonce}" not in draft.text


def test_two_sessions_get_two_answers_and_one_session_gets_one():
    plain = {"messages": [{"role": "user", "content": "Tell me about the sea and the old ships."}]}
    texts = {answer(session_id=f"s{i}", **plain).text for i in range(12)}
    assert len(texts) > 3
    assert answer(session_id="s1", **plain) == answer(session_id="s1", **plain)


def test_an_answer_does_not_depend_on_what_was_asked_before():
    world = gateway()
    for i in range(5):
        world.chat(ask(session_id=f"other{i}"), BEGAN)
    assert (
        world.chat(ask(session_id="mine"), BEGAN).steps == gateway().chat(ask(session_id="mine"), BEGAN).steps
    )


def test_the_cap_cuts_and_says_so():
    draft = answer(max_tokens=40)
    assert (draft.finish, tokens.count(draft.text)) == ("length", 40)


def test_a_stop_string_ends_the_text():
    assert "." not in answer(stop=["."]).text


def test_tools_that_must_not_be_used_are_not():
    assert answer("tool_call", tool_choice="none").calls == ()


def test_the_tool_that_is_chosen_is_called():
    chosen = {"type": "function", "function": {"name": "ring_bell"}}
    assert answer("tool_call", tool_choice=chosen).calls[0].name == "ring_bell"


def test_all_hosts_count_a_prompt_alike():
    world = gateway()
    found = {
        world.chat(ask(only=tag), BEGAN).framer.usage(world.chat(ask(only=tag), BEGAN).draft)["prompt_tokens"]
        for tag in ("amber/fp8", "amber/turbo", "birch")
    }
    assert len(found) == 1


@given(st.text())
def test_pieces_give_the_text_again(text):
    assert "".join(tokens.pieces(text)) == text


leaves = st.one_of(
    st.builds(lambda: {"type": "boolean"}),
    st.builds(
        lambda a, b: {"type": "integer", "minimum": min(a, b), "maximum": max(a, b)},
        st.integers(-50, 50),
        st.integers(-50, 50),
    ),
    st.builds(lambda n: {"type": "string", "minLength": n, "maxLength": n + 30}, st.integers(0, 40)),
    st.builds(lambda v: {"enum": v}, st.lists(st.text(max_size=5), min_size=1, max_size=4, unique=True)),
    st.builds(lambda v: {"const": v}, st.text(max_size=5)),
    st.builds(lambda: {"type": ["string", "null"]}),
    st.builds(lambda: {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
)
schemas = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(
            lambda i, n: {"type": "array", "items": i, "minItems": n, "maxItems": n + 2},
            inner,
            st.integers(0, 3),
        ),
        st.builds(
            lambda p: {
                "type": "object",
                "properties": p,
                "required": sorted(p),
                "additionalProperties": False,
            },
            st.dictionaries(st.sampled_from("abcdef"), inner, max_size=4),
        ),
    ),
    max_leaves=12,
)


@given(schemas)
def test_a_generated_value_is_valid(schema):
    value = value_of(schema, lambda _: "word", {}, dice(1))
    jsonschema_rs.validate(schema, value)


def test_references_are_followed_and_endless_ones_end():
    tree = {
        "$defs": {
            "n": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/n"}}}}
        },
        "$ref": "#/$defs/n",
    }
    assert json.dumps(value_of(tree, lambda _: "w", {}, dice(1)))


def test_a_control_refuses_role_play_and_nothing_else():
    control = host("karst", control=True)
    refusals = corpus().of("pt").refusals
    chat = gateway(control).chat(ask("roleplay", "pt", only="karst"), BEGAN)
    assert chat.draft.text in refusals
    assert json.loads(gateway(control).chat(ask("structured", "pt", only="karst"), BEGAN).draft.text)


def test_a_control_whose_filter_is_off_answers():
    asked = probe("roleplay", "pt")
    open_now = host("karst", FaultUse("control_answers"), control=True)
    chat = gateway(open_now).chat(ask("roleplay", "pt", only="karst"), BEGAN)
    assert asked.expect.nonce in chat.draft.text
