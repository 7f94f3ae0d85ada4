import asyncio
import re

import pytest

from serinus.simulator.faults import catalogue
from serinus.simulator.faults.registry import KINDS, Stage
from serinus.simulator.response import Answered
from serinus.simulator.scenario import FaultUse
from serinus.simulator.steps import encoded
from simulated import BEGAN, ask, gateway, host, probe, transcript

CHATS = [n for n, f in catalogue().items() if f.stage not in (Stage.LISTING, Stage.HOST)]
# What these take to be seen: a control, a schema asked to break, a stop string, a long answer, a body.
NEEDS_BODY = {"body_truncated"}
NEEDS_STOP = {"stop_ignored"}
NEEDS_CAP = {"cap_ignored"}
NEEDS_LANGUAGE = {"thai_marks": "th", "punctuation_destroyed": "ja"}
# Legal ways to say the same: the bytes differ and the answer does not.
HARMLESS = {
    "gzip_answer",
    "held_headers",
    "wrong_content_type",
    "odd_lines",
    "one_byte_chunks",
    "split_last_chunk",
    "usage_everywhere",
}


def wire(kind, *faults, index=3, language="pt", **changes):
    """All that one answer puts on the wire, and when."""
    control = any(f.name == "control_answers" for f in faults) or changes.pop("control", False)
    asked = ask(kind, language, index=index, **changes)
    response = gateway(host("amber/fp8", *faults, control=control), host("birch")).chat(asked, BEGAN)
    if not isinstance(response, Answered):
        return (response.error.status, response.document, response.error.body)
    headers = response.framer.served.cached
    return (headers, response.framer.served, [(type(s).__name__, s, encoded(s)) for s in response.steps])


def settings_for(name):
    if name in NEEDS_BODY:
        return {"stream": False}
    if name in NEEDS_STOP:
        return {"stop": [" "]}
    if name in NEEDS_LANGUAGE:
        return {"language": NEEDS_LANGUAGE[name]}
    if name in NEEDS_CAP:
        return {"max_tokens": 30}
    return {"control": True} if name == "control_answers" else {}


@pytest.mark.parametrize("name", CHATS)
def test_a_fault_is_seen_on_the_wire_for_every_kind_that_it_names(name):
    for kind in sorted(catalogue()[name].kinds):
        changes = settings_for(name)
        if name == "stop_ignored" and kind == "tool_call":
            continue  # a call has no text to stop
        struck, clean = wire(kind, FaultUse(name), **changes), wire(kind, **changes)
        assert struck != clean, kind


@pytest.mark.parametrize("name", CHATS)
def test_a_fault_leaves_other_kinds_alone(name):
    for kind in set(KINDS) - catalogue()[name].kinds:
        assert wire(kind, FaultUse(name)) == wire(kind)


@pytest.mark.parametrize("name", CHATS)
def test_a_fault_strikes_alike_each_time(name):
    kind = min(catalogue()[name].kinds)
    assert wire(kind, FaultUse(name)) == wire(kind, FaultUse(name))


@pytest.mark.parametrize("name", CHATS)
def test_our_own_reader_survives_every_fault(name):
    for kind in sorted(catalogue()[name].kinds):
        asyncio.run(transcript(probe(kind, "pt"), FaultUse(name)))


@pytest.mark.parametrize("name", sorted(HARMLESS))
@pytest.mark.parametrize("kind", KINDS)
def test_a_legal_oddity_changes_no_answer(name, kind):
    struck = asyncio.run(transcript(probe(kind, "ja"), FaultUse(name)))
    clean = asyncio.run(transcript(probe(kind, "ja")))
    assert struck.answer.text == clean.answer.text
    assert struck.answer.tool_calls == clean.answer.tool_calls
    assert struck.answer.usage == clean.answer.usage
    assert struck.answer.finish_reason == clean.answer.finish_reason
    assert struck.answer.oddities == clean.answer.oddities == ()


@pytest.mark.parametrize("fault", catalogue().values(), ids=lambda f: f.name)
def test_a_fault_says_in_one_line_what_is_seen(fault):
    assert re.fullmatch(r"[A-Z].*\)?\.", fault.summary) or fault.summary.endswith(").")
    assert "\n" not in fault.summary


def test_a_rate_is_the_share_of_requests_struck():
    struck = [
        gateway(host("amber/fp8", FaultUse("http_502", rate=0.3))).chat(ask(session_id=f"s{i}"), BEGAN)
        for i in range(400)
    ]
    share = sum(not isinstance(r, Answered) for r in struck) / len(struck)
    assert 0.22 < share < 0.38


def test_correlated_hosts_err_on_the_same_prompts():
    use = FaultUse("http_502", rate=0.5, correlation=1.0)
    world = gateway(host("amber/fp8", use), host("birch", use))

    def struck(only, i):
        response = world.chat(ask(only=only, index=i, session_id=f"{only}{i}"), BEGAN)
        return not isinstance(response, Answered)

    together = [(struck("amber/fp8", i), struck("birch", i)) for i in range(40)]
    assert all(a == b for a, b in together)
    assert len({a for a, _ in together}) == 2


def test_a_fault_for_one_language_strikes_in_no_other():
    world = gateway(host("amber/fp8", FaultUse("http_502", languages=frozenset({"pt"}))))
    assert not isinstance(world.chat(ask(language="pt"), BEGAN), Answered)
    assert isinstance(world.chat(ask(language="es"), BEGAN), Answered)


def test_a_host_may_have_several_faults_at_once():
    uses = (FaultUse("json_fenced"), FaultUse("slow_first_token"), FaultUse("zero_usage"))
    found = asyncio.run(transcript(probe("structured"), *uses))
    assert found.text.startswith("```json")
    assert found.answer.usage.completion_tokens == 0
    assert found.answer.deltas[0].at > 13
