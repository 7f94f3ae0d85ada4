"""The structured probe: kind and hard by turns, valid for strict implementations."""

import json

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.core.model import Turn
from serinus.probes import structured
from serinus.probes.languages import available, language

ROUND = "acme/model@2026-11-30T02:30Z"
ALL = pytest.mark.parametrize("code", available())


def turn(index=0, code="en", **more):
    return Turn(ROUND, index, "novita", code, **more)


def right_answer(probe):
    values = {key: allowed[0] for key, allowed in probe.expect.values.items()}
    return {"mood": "calm", "guests": 2, "password": probe.expect.nonce, "line": "Come in."} | values


def test_the_schema_is_one_that_strict_implementations_accept():
    schema = structured.SCHEMA["schema"]
    assert structured.SCHEMA["strict"] is True
    assert schema["additionalProperties"] is False
    assert sorted(schema["required"]) == sorted(schema["properties"])
    assert all(set(p) <= {"type", "enum"} for p in schema["properties"].values())
    jsonschema_rs.meta.validate(schema)


@given(st.integers(0, 10**5), st.sampled_from(available()))
def test_what_a_kind_prompt_wants_fits_the_schema(index, code):
    probe = structured.ask(turn(index, code))
    assert jsonschema_rs.is_valid(probe.schema["schema"], right_answer(probe))


@given(st.integers(0, 10**5), st.sampled_from(available()))
def test_the_prompt_begins_with_its_nonce_and_has_it_once(index, code):
    probe = structured.ask(turn(index, code))
    everything = "\n".join(m.content for m in probe.messages)
    assert everything.startswith(probe.expect.nonce)
    assert everything.count(probe.expect.nonce) == 1
    assert not set("{}") & set(everything)


def test_structured_rounds_are_kind_and_hard_by_turns():
    asked = [structured.ask(turn(n)).key for n in range(8) if structured.due(turn(n))]
    assert asked == ["structured.en.friendly", "structured.en.adversarial"] * 2


def test_when_owed_it_is_asked_in_every_round_and_always_hard():
    owed = frozenset({"structured_output"})
    for index in range(8):
        assert structured.due(turn(index, owed=owed))
        assert structured.ask(turn(index, owed=owed)).key == "structured.en.adversarial"


def test_further_votes_are_of_the_same_kind_with_fresh_nonces():
    votes = [structured.ask(turn(2, attempt=a)) for a in range(3)]
    assert {v.key for v in votes} == {"structured.en.adversarial"}
    assert len({v.expect.nonce for v in votes}) == 3


def test_only_a_kind_prompt_fixes_the_values():
    assert set(structured.ask(turn(0)).expect.values) == {"mood", "guests", "password"}
    assert structured.ask(turn(2)).expect.values == {}


@ALL
def test_a_kind_prompt_says_the_number_and_the_mood(code):
    probe = structured.ask(turn(0, code))
    (mood,), (guests,) = probe.expect.values["mood"], probe.expect.values["guests"]
    assert str(guests) in probe.prompt
    assert language(code).structured.moods[mood] in probe.prompt
    assert f"({mood})" in probe.prompt or code == "en" or f"（{mood}）" in probe.prompt


@ALL
def test_a_hard_prompt_asks_for_a_value_that_the_schema_forbids(code):
    probe = structured.ask(turn(2, code))
    assert language(code).structured.outside in probe.prompt
    assert not any(sentence in probe.prompt for sentence in language(code).structured.moods.values())


@ALL
def test_moods_and_guests_vary_over_rounds(code):
    probes = [structured.ask(Turn(f"m@{n}", 0, "novita", code)) for n in range(60)]
    assert {p.expect.values["mood"][0] for p in probes} == set(structured.MOODS)
    assert {p.expect.values["guests"][0] for p in probes} == set(range(2, 10))


def test_the_schema_is_small():
    assert len(json.dumps(structured.SCHEMA)) < 400
