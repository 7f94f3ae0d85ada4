"""A gateway that names the pinned route in a header: what proves the answer, and what makes it void (R3)."""

from __future__ import annotations

import pytest

from recorded import SCENE, body, error, told

ID = "x-litellm-model-id"
PINNED = {"pin": "story-a", "model": "acme/story-70b", "proof": ID, "expect_lang": "en"}


def answer(**headers):
    found = body({"role": "assistant", "content": SCENE}, provider=None)
    found["body"]["model"] = "a label of the operator's own"
    return {**found, "headers": {name.replace("_", "-"): value for name, value in headers.items()}}


def test_the_named_deployment_is_the_proof_and_the_models_name_a_label():
    found = answer(x_litellm_model_id="story-a", x_litellm_attempted_retries="0")
    assert told("filtering", found, **PINNED)[0] == "pass"
    assert told("identity", found, **PINNED) == ("pass", "as_pinned")


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({}, "unproved"),
        ({"x_litellm_model_id": "story-b"}, "wrong_provider"),
        ({"x_litellm_model_id": "Story-A"}, "wrong_provider"),
        ({"x_litellm_model_id": "story-a", "x_litellm_cache_key": "33229513"}, "cache_hit"),
        ({"x_litellm_model_id": "story-a", "x_litellm_attempted_fallbacks": "1"}, "second_attempt"),
        ({"x_litellm_model_id": "story-a", "x_litellm_attempted_retries": "2"}, "second_attempt"),
    ],
)
def test_an_answer_that_is_not_proved_is_void_for_every_contract(headers, reason):
    for contract in ("filtering", "language", "identity"):
        assert told(contract, answer(**headers), **PINNED) == ("void", reason)


def test_an_error_is_nobodys_answer_and_needs_no_proof():
    found = error(502, {"error": {"message": "litellm.BadGatewayError: busy", "code": "502"}})
    assert told("filtering", found, **PINNED) == ("transport", "transport_error")
