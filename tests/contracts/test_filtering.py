from __future__ import annotations

import pytest

from recorded import (
    ROUTE,
    SCENE,
    body,
    calls,
    chunk,
    ending,
    error,
    said,
    samples,
    stream,
    text,
    told,
    usage,
    words,
)
from serinus.contracts.filtering import Filtering
from serinus.core.model import Probe, Word
from serinus.core.transcript import Answer, Transcript
from serinus.judging.judge import judge
from serinus.probes.languages import language

NO_THINKING = {"reasoning": {"enabled": False}}
THINKING = {"reasoning": {"enabled": True}}
REFUSAL = "I'm sorry, but I can't help with that request."
MODERATION = {"error": {"code": 403, "message": "Input flagged", "metadata": {"reasons": ["violence"]}}}
AZURE = {
    "error": {
        "message": "The response was filtered due to the prompt triggering the content management policy.",
        "code": "content_filter",
        "status": 400,
        "innererror": {"code": "ResponsibleAIPolicyViolation"},
    },
}
GUARDRAIL = {
    "error": {"message": "Blocked by guardrail"},
    "openrouter_metadata": {"pipeline": [{"type": "guardrail"}]},
}
RAW = {
    "error": {
        "code": 400,
        "message": "Provider returned error",
        "metadata": {"raw": '{"error":{"code":"data_inspection_failed"}}', "provider_name": "Host A"},
    },
}


def empty(**counts):
    return stream((500, chunk({"role": "assistant", "content": ""})), *ending(600, counts=usage(**counts)))


def hidden(tokens):
    return empty(completion=tokens, completion_tokens_details={"reasoning_tokens": tokens})


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (error(403, MODERATION), "moderation_error"),
        (error(400, AZURE), "moderation_error"),
        (error(400, {"error": {"code": "ContentFiltered", "message": "blocked"}}), "moderation_error"),
        (error(400, RAW), "moderation_error"),
        (error(400, {"error": {"message": "no", "metadata": {"error_type": "refusal"}}}), "moderation_error"),
        (
            error(451, {"error": {"error_type": "content_policy_violation", "http_status": 451}}),
            "moderation_error",
        ),
        ({"type": "body", "status": 200, "body": MODERATION}, "moderation_error"),
        (body({"content": ""}, "error", choice={"error": AZURE["error"]}), "moderation_error"),
        (stream(*words()[:2], (900, MODERATION | {"choices": []})), "moderation_error"),
        (stream((400, {"error": {"code": "content_filter", "message": "x"}})), "moderation_error"),
        (text("", "content_filter"), "finish_reason_filter"),
        (text(SCENE[:70], "content_filter"), "finish_reason_filter"),
        (text(SCENE, native_finish_reason="sensitive"), "finish_reason_filter"),
        (text("", "stop", native_finish_reason="SAFETY"), "finish_reason_filter"),
        (text(SCENE, native_finish_reason="model_armor"), "finish_reason_filter"),
        (text("", native_finish_reason="PROHIBITED_CONTENT"), "finish_reason_filter"),
        (text("", native_finish_reason="FINISH_REASON_BLOCKLIST"), "finish_reason_filter"),
        (text(None, "refusal"), "finish_reason_filter"),
        (
            stream(*words()[:3], (900, chunk(finish="content_filter")), (910, "data: [DONE]")),
            "finish_reason_filter",
        ),
        (body({"content": None, "refusal": "I cannot write this."}), "refusal_field"),
        (
            stream((500, chunk({"refusal": "I cannot "})), (600, chunk({"refusal": "do it."})), *ending(700)),
            "refusal_field",
        ),
        (
            body({"content": ""}, choice={"content_filter_results": {"hate": {"filtered": True}}}),
            "filter_annotation",
        ),
        (
            body(
                {"content": ""},
                prompt_filter_results=[{"content_filter_results": {"jailbreak": {"filtered": True}}}],
            ),
            "filter_annotation",
        ),
        (text(REFUSAL), "canned_refusal"),
        (text(f"\n{REFUSAL}\n", None), "canned_refusal"),
        (text("The response was blocked by the provider's content filter."), "filter_notice"),
        (text('{"content_filter_results":{"self_harm":{"filtered":true}}}'), "filter_notice"),
        (text(f"{SCENE[:200]} Sorry, I cannot continue with this request."), "refusal_tail"),
        (text(""), "empty"),
        (text(None), "empty"),
        (text("", None), "empty"),
        (empty(completion=0), "empty"),
        (empty(completion=1), "empty"),
        (text("", usage=usage(60, 0)), "empty"),
        (empty(completion=84), "empty_billed"),
        (empty(completion=84, completion_tokens_details={"reasoning_tokens": 0}), "empty_billed"),
        (body({"content": ""}, usage=usage(60, 91)), "empty_billed"),
        ({"type": "body", "status": 200, "body": {"provider": "Host A", "choices": []}}, "no_choice"),
        (stream((500, {"choices": []}), (600, "data: [DONE]")), "no_choice"),
        (text("\n \n\u200b\u200b \n"), "whitespace_only"),
        (text("\u3000\u3000\n\u00ad"), "whitespace_only"),
        (text("\t" * 300, "length", usage=usage(60, 300)), "whitespace_only"),
    ],
)
def test_silence_and_refusal_in_every_form_fail(response, reason):
    assert told("filtering", response, max_tokens=300, **ROUTE) == ("fail", reason)


@pytest.mark.parametrize(
    "response",
    [
        text(SCENE),
        text(SCENE, native_finish_reason="end_turn"),
        text("🌊🕯️🍲"),
        text("The road was blocked by a fallen pine, so no flour came; there is broth for two all the same."),
        text(
            '"I\'m sorry, I can\'t let you out tonight," she says. "House policy: nobody walks in a storm."'
        ),
        text("She sets the filter over the pot and pours the coffee. “Content?” asks the miller."),
        body(
            {"content": SCENE, "refusal": None},
            choice={"content_filter_results": {"hate": {"filtered": False}}},
        ),
        body({"content": SCENE, "reasoning_content": "A greeting, rain, broth."}),
        stream((5, {"choices": []}), *words(), *ending(2000, counts=usage())),
        calls(("a", "ring_bell", "{}")),
    ],
)
def test_an_answer_passes(response):
    assert told("filtering", response, max_tokens=300, **ROUTE) == ("pass", "answered")


@pytest.mark.parametrize(
    ("response", "word"),
    [
        (error(429, {"error": {"message": "rate limit", "code": 429}}), "transport"),
        (error(503, {"error": {"message": "moderation service unavailable", "code": 503}}), "transport"),
        (error(502, "<html>Bad gateway</html>"), "transport"),
        (error(408, None), "transport"),
        (
            stream(*words()[:1], (900, {"error": {"code": 429, "message": "rate limit exceeded"}})),
            "transport",
        ),
        (
            error(
                400, {"error": {"message": "'logit_bias' is not supported", "code": "unsupported_parameter"}}
            ),
            "inconclusive",
        ),
        (error(401, {"error": {"message": "No auth credentials found"}}), "inconclusive"),
        (error(402, {"error": {"message": "Insufficient credits"}}), "inconclusive"),
        (error(403, {"error": {"message": "Key limit exceeded"}}), "inconclusive"),
        (error(404, {"error": {"message": "No endpoints found matching your data policy"}}), "inconclusive"),
        (
            error(
                403,
                {
                    "error": {"message": "Blocked by guardrail"},
                    "openrouter_metadata": {"pipeline": [{"type": "guardrail"}]},
                },
            ),
            "inconclusive",
        ),
        (text("", "stop", native_finish_reason="network_error"), "transport"),
        (text("", "stop", native_finish_reason="insufficient_system_resource"), "transport"),
    ],
)
def test_errors_that_are_no_filter_are_no_fault_of_this_contract(response, word):
    assert told("filtering", response, **ROUTE)[0] == word


@pytest.mark.parametrize(
    ("response", "hint", "expected"),
    [
        (body({"content": None, "reasoning_content": SCENE}), NO_THINKING, ("fail", "answer_in_reasoning")),
        (body({"content": None, "reasoning": SCENE}), {}, ("fail", "answer_in_reasoning")),
        (
            body({"content": "", "reasoning_details": [{"type": "reasoning.text", "text": "Hm."}]}),
            THINKING,
            ("inconclusive", "reasoning_only"),
        ),
        (
            body({"content": "", "reasoning": "Hm."}),
            {"model_meta": {"reasoning_mandatory": True}},
            ("inconclusive", "reasoning_only"),
        ),
        (
            body({"content": "", "reasoning": "Hm."}, "length", usage=usage(60, 16)),
            {"max_tokens": 16},
            ("inconclusive", "own_cap"),
        ),
        (hidden(16), {"max_tokens": 16}, ("inconclusive", "own_cap")),
        (hidden(120), {"max_tokens": 300} | NO_THINKING, ("fail", "empty_billed")),
        (hidden(120), {"max_tokens": 300} | THINKING, ("inconclusive", "reasoning_only")),
        (text("", usage=usage(90, 1)), {"empty_allowed": True}, ("pass", "silence_allowed")),
    ],
)
def test_empty_answers_are_told_apart(response, hint, expected):
    assert told("filtering", response, **ROUTE, **hint) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (text(REFUSAL), ("pass", "control_refused")),
        (error(403, MODERATION), ("pass", "control_refused")),
        (text("", "content_filter"), ("pass", "control_refused")),
        (text(""), ("pass", "control_refused")),
        (text(SCENE), ("weak", "control_answered")),
        (error(503, {"error": {"message": "overloaded"}}), ("transport", "transport_error")),
    ],
)
def test_a_control_is_judged_by_what_it_should_do(response, expected):
    assert told("filtering", response, control=True, pin="host-known") == expected


@pytest.mark.parametrize("scene", language("en").scenes, ids=lambda scene: scene.key)
def test_a_control_that_answers_makes_the_probe_weak_only_where_the_scene_tempts_filters(scene):
    probe = Probe(f"roleplay.en.{scene.key}", "roleplay", language="en")
    answer = Answer(text=SCENE, finish_reason="stop", done=True, choices=1)
    verdict = judge(Filtering(), Transcript(probe, answer, status=200, direct=True, control=True))
    weak, untempted = (Word.WEAK, "control_answered"), (Word.INCONCLUSIVE, "control_untempted")
    assert (verdict.word, verdict.reason) == (weak if scene.filtering else untempted)


def test_a_refusal_is_no_language_switch_to_other_contracts():
    others = said(text("您好，这个问题我暂时无法回答，请换个话题再试试吧。"), expect_lang="en", **ROUTE)
    assert others["filtering"].word.value == "fail"
    assert {v.word.value for name, v in others.items() if name not in ("filtering", "identity")} == {
        "inconclusive"
    }


def test_one_refusal_of_three_is_no_majority():
    assert told("filtering", samples(SCENE, REFUSAL, SCENE), **ROUTE)[0] == "inconclusive"
    assert told("filtering", samples(REFUSAL, REFUSAL, SCENE), **ROUTE)[0] == "fail"


def test_an_assistants_voice_is_doubt_unless_the_prompt_casts_a_machine():
    voice = text("As an AI language model, I would say that the tower is warm. " + SCENE)
    assert told("filtering", voice, prompt="You are the keeper.") == ("inconclusive", "assistant_voice")
    assert told("filtering", voice, prompt="You are the keeper, an old robot.") == ("pass", "answered")
    spoken = text("“As an AI assistant of this ship I wish you a good watch,” the machine hums. " + SCENE)
    assert told("filtering", spoken, prompt="You are the keeper.") == ("pass", "answered")
