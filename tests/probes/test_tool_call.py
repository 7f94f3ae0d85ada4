"""The tool probe: one wish that needs one tool."""

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.model import Turn
from serinus.probes import structured, tool_call
from serinus.probes.languages import available

ALL = pytest.mark.parametrize("code", available())


def turn(index=1, code="en", **more):
    return Turn("acme/model@2026-11-30T02:30Z", index, "novita", code, **more)


@given(st.integers(0, 10**5), st.sampled_from(available()), st.integers(0, 2))
def test_the_right_call_fits_the_schema_of_its_tool(index, code, attempt):
    probe = tool_call.ask(turn(index, code, attempt=attempt))
    arguments = {key: allowed[0] for key, allowed in probe.expect.values.items()}
    assert jsonschema_rs.is_valid(probe.tools[0].parameters, arguments)
    assert arguments["password"] == probe.expect.nonce


@given(st.integers(0, 10**5), st.sampled_from(available()))
def test_the_prompt_begins_with_its_nonce_and_has_it_once(index, code):
    probe = tool_call.ask(turn(index, code))
    everything = "\n".join(m.content for m in probe.messages)
    assert everything.startswith(probe.expect.nonce)
    assert everything.count(probe.expect.nonce) == 1


def test_it_wants_a_call_and_leaves_the_choice_to_the_model():
    probe = tool_call.ask(turn())
    assert probe.expect.call is True
    assert probe.tool_choice == "auto"
    assert [t.name for t in probe.tools] == ["open_gate", "ring_bell"]


@ALL
def test_every_gate_is_asked_for_some_time(code):
    gates = {tool_call.ask(Turn(f"m@{n}", 1, "a", code)).expect.values["gate"] for n in range(60)}
    assert gates == {(gate,) for gate in tool_call.GATES}


def test_the_tool_and_the_object_take_every_second_round_each():
    for index in range(20):
        assert tool_call.due(turn(index)) != structured.due(turn(index))


def test_when_owed_it_is_asked_in_every_round():
    assert all(tool_call.due(turn(n, owed=frozenset({"tool_call"}))) for n in range(4))
