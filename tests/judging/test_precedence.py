"""The order of `formats.md` §1, pair by pair: the earlier rule speaks where two hold."""

from __future__ import annotations

import pytest

from recorded import ROUTE, SCENE, body, chunk, ending, error, said, stream, text, told, usage, words

OTHER = {"provider": "Host B"}
MODERATED = {"error": {"code": 403, "message": "flagged", "metadata": {"reasons": ["x"]}}}
BUSY = {"error": {"code": 502, "message": "busy"}}


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (body({"content": ""}, "content_filter", **OTHER), "void"),
        ({"type": "body", "status": 200, "body": OTHER | BUSY}, "void"),
        (stream((500, OTHER | chunk({"content": "Sit"}) | OTHER), end="hold", hold_ms=40_000), "void"),
        (body({"content": ""}, **OTHER), "void"),
        (error(401, MODERATED), "inconclusive"),
        (stream(*words()[:2], (900, MODERATED), end="reset"), "inconclusive"),
        (stream((900, chunk(finish="content_filter")), end="reset"), "inconclusive"),
        (text("", native_finish_reason="network_error"), "transport"),
        (stream(*words()[:1], (900, BUSY), end="hold", hold_ms=60_000), "transport"),
    ],
)
def test_the_earlier_rule_speaks_for_all_but_the_contract_it_is_about(response, expected):
    found = said(response, expect_lang="en", **ROUTE)
    assert {v.word.value for name, v in found.items() if name != "filtering"} == {expected}


def test_moderation_precedes_transport_for_filtering():
    assert told("filtering", stream(*words()[:2], (900, MODERATED), end="reset"), **ROUTE)[0] == "fail"
    assert (
        told("filtering", error(502, {"error": {"code": "content_filter", "message": "x"}}), **ROUTE)[0]
        == "fail"
    )


def test_only_a_contract_about_the_error_looks_at_our_own_fault():
    bad = error(400, {"error": {"message": "n is not supported", "param": "n"}})
    found = said(bad, expect_lang="en", **ROUTE)
    assert {n for n, v in found.items() if v.reason == "own_fault"} == set(found) - {"parameters", "identity"}


@pytest.mark.parametrize(
    "value",
    [
        {"code": 401, "message": "User not found"},
        {"code": 402, "message": "Insufficient credits"},
        {"type": "authentication_error", "message": "bad key"},
        {"code": 403, "message": "blocked by your guardrail"},
    ],
)
def test_an_account_s_fault_inside_a_stream_is_ours_too(value):
    inside = stream(*words()[:2], (900, {"error": value}))
    assert told("filtering", inside, **ROUTE) == ("inconclusive", "own_fault")


def test_an_unnamed_error_after_text_is_the_host_s():
    refused = {"error": {"type": "invalid_request_error", "message": "x"}}
    assert told("filtering", stream((400, refused)), **ROUTE)[0] == "inconclusive"
    assert told("filtering", stream(*words()[:2], (900, refused)), **ROUTE)[0] == "transport"


def test_nobody_named_is_void_for_identity_alone():
    unnamed = stream(
        *((t, {k: v for k, v in e.items() if k != "provider"}) for t, e in words()),
        *ending(2000, counts=usage()),
    )
    unnamed["events"] = [
        e | {"sse": e["sse"].replace('"provider": "Host A", ', "")} for e in unnamed["events"]
    ]
    found = said(unnamed, expect_lang="en", **ROUTE)
    assert {n for n, v in found.items() if v.word.value == "void"} == {"identity"}


def test_a_direct_connection_names_nobody_and_may_call_the_model_what_it_likes():
    own = body({"content": SCENE}, provider=None, model="local/alias.gguf")
    found = said(own, expect_lang="en", direct=True, **ROUTE)
    assert "void" not in {v.word.value for v in found.values()}


def test_empty_and_silent_are_left_to_filtering():
    found = said(text(""), expect_lang="en", **ROUTE)
    assert found["filtering"].word.value == "fail"
    assert {v.word.value for n, v in found.items() if n not in ("filtering", "identity")} <= {"inconclusive"}


def test_zero_usage_is_void_only_with_the_header_of_the_cache():
    empty = stream(*ending(600, counts=usage(0, 0)))
    assert told("filtering", empty, **ROUTE)[0] == "fail"
    assert told("filtering", empty | {"headers": {"x-openrouter-cache-status": "HIT"}}, **ROUTE)[0] == "void"
