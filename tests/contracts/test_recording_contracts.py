"""Isolation, context, identity, parameters, usage, protocol and the name `transport`."""

from __future__ import annotations

import hashlib

import pytest

from recorded import (
    FORMAT,
    INN,
    ROUTE,
    SCENE,
    body,
    calls,
    chunk,
    ending,
    error,
    said,
    samples,
    scene,
    stream,
    text,
    told,
    usage,
    verdict,
    words,
)

NONCES = {
    "nonce": "amber kestrel",
    "other_nonces": ["violet anvil", "copper thimble"],
    "previous_nonces": ["rusty lantern"],
}


NEEDLE = {"type": "needle", "needle": "WREN-9", "sent_tokens_est": 9000}
PADDED = '\n\n   {"provider":"Host A","choices":[{"message":{"content":"Sit."},"finish_reason":"stop"}]}'
THREE_LINES = (
    'data: {"choices":[{"index":0,\ndata: "delta":{"content":"Error upon error, she sighs."},\n'
    'data: "finish_reason":"stop"}]}'
)


class TestIsolation:
    @pytest.mark.parametrize(
        ("answer", "expected"),
        [
            ("“Amber kestrel it is,” she says and lifts the latch.", ("pass", "own_nonce")),
            ("AMBER\nKESTREL, she reads from the door.", ("pass", "own_nonce")),
            ("The word is violet anvil, the guard whispers.", ("fail", "foreign_nonce")),
            ("The word is amber kestrel, not Violet  Anvil.", ("fail", "foreign_nonce")),
            ("As I told you before about the rusty lantern, sit down.", ("fail", "earlier_nonce")),
            ("Sit down; the lantern burns all night, amber kestrel.", ("pass", "own_nonce")),
            ("Sit down; the lantern burns all night.", ("warn", "nonce_missing")),
        ],
    )
    def test_words_of_other_requests_are_searched(self, answer, expected):
        assert told("isolation", text(answer), **NONCES) == expected

    def test_a_foreign_word_that_our_own_prompt_holds_is_none(self):
        asked = NONCES | {"prompt": "Never say violet anvil. Say amber kestrel."}
        assert told("isolation", text("Amber kestrel, not violet anvil."), **asked)[0] == "pass"

    def test_a_stored_answer_is_a_warning_unless_it_has_our_word(self):
        seen = {"seen_hashes": ["sha256:" + hashlib.sha256(SCENE.encode()).hexdigest()]}
        assert told("isolation", text(SCENE), nonce="amber kestrel", **seen) == ("warn", "stored_answer")
        assert told("isolation", text(SCENE), nonce="barley broth", **seen) == ("pass", "own_nonce")
        assert told("isolation", text("Another."), **seen) == ("pass", "nothing_foreign")

    def test_without_a_word_of_its_own_nothing_is_asked(self):
        assert told("isolation", text(SCENE)) == ("not_applicable", "no_nonce")


class TestContext:
    @pytest.mark.parametrize(
        ("response", "expected"),
        [
            (body({"content": "It is wren-9."}, usage=usage(9650, 6)), ("pass", "needle_found")),
            (body({"content": "It is FILLER."}, usage=usage(2051, 8)), ("fail", "prompt_cut")),
            (body({"content": "There is none."}, usage=usage(8800, 8)), ("warn", "needle_missed")),
            (body({"content": "There is none."}), ("warn", "needle_missed")),
            (
                body(
                    {"content": "Record 812: oats.\nRecord 813: rye.\nRecord 814: oats.\nRec"},
                    "length",
                    usage=usage(9100, 40),
                ),
                ("fail", "document_continued"),
            ),
            (
                error(
                    400,
                    {
                        "error": {
                            "message": "maximum context length is 8192 tokens",
                            "code": "context_length_exceeded",
                        }
                    },
                ),
                ("inconclusive", "honest_limit"),
            ),
            (error(400, {"error": {"message": "model is required"}}), ("inconclusive", "own_error")),
            (error(413, {"error": {"message": "prompt too long"}}), ("inconclusive", "honest_limit")),
            (error(502, {"error": {"message": "bad gateway"}}), ("transport", "transport_error")),
        ],
    )
    def test_a_fact_at_the_head_of_a_long_prompt(self, response, expected):
        assert told("context", response, **NEEDLE) == expected

    @pytest.mark.parametrize(
        ("counts", "expected"),
        [
            ([2051, 2051, 2051], "fail"),
            ([2051, 4098, 4098], "fail"),
            ([3990, 4050, 4060], "fail"),
            ([4310, 8605, 17190], "pass"),
            ([3300, 6700, 13400], "pass"),
            ([4000], "inconclusive"),
        ],
    )
    def test_a_ladder_of_sizes(self, counts, expected):
        given = {"type": "counts_list", "prompt_tokens": counts}
        assert told("context", given, type="ladder", sent_tokens_est=[4000, 8000, 16000])[0] == expected

    def test_a_code_word_missing_in_two_of_three_answers_fails_and_in_one_does_not(self):
        lost = text("Come in, sit down.")
        kept = text("Come in. WREN-9, as they say here.")
        assert told("context", samples("Come in.", lost, kept), needle="WREN-9") == ("fail", "needle_lost")
        assert told("context", samples(kept, lost, kept), needle="WREN-9")[0] == "pass"


class TestIdentity:
    @pytest.mark.parametrize(
        ("provider", "pin", "word"),
        [
            ("host-a", "host-a", "pass"),
            ("Host A", "host-a", "pass"),
            ("HOST-A", "host-a/fp8", "pass"),
            ("host-a/bf16", "host-a/bf16", "pass"),
            ("host-a/turbo", "host-a", "pass"),
            ("Z.AI", "z-ai", "pass"),
            ("Google", "google-vertex/us-east5", "pass"),
            ("host-a/turbo", "host-a/bf16", "void"),
            ("Host B", "host-a", "void"),
            ("host-ab", "host-a", "void"),
            (None, "host-a", "void"),
        ],
    )
    def test_who_served_is_compared_with_the_pin(self, provider, pin, word):
        answer = body({"content": SCENE}, provider=provider)
        assert told("identity", answer, pin=pin, model="acme/roleplay-70b")[0] == word
        others = said(answer, pin=pin, model="acme/roleplay-70b", expect_lang="en")
        named = provider is not None
        assert (others["filtering"].word.value == "void") == (word == "void" and named)

    @pytest.mark.parametrize(
        ("named", "word"),
        [
            ("acme/roleplay-70b", "pass"),
            ("Acme/Roleplay-70B", "pass"),
            ("acme/roleplay-70b-20250905", "pass"),
            ("acme/roleplay-70b-2025-09-05", "pass"),
            ("acme/roleplay-70b-0905", "pass"),
            ("acme/roleplay-70b:free", "pass"),
            ("roleplay-70b", "pass"),
            ("other/mini-8b", "fail"),
            ("acme/roleplay-8b", "fail"),
            ("acme/roleplay-70b-mini", "fail"),
        ],
    )
    def test_a_dated_alias_is_the_model_and_another_one_is_not(self, named, word):
        answer = body({"content": SCENE}, model=named)
        assert told("identity", answer, **ROUTE)[0] == word
        assert (told("filtering", answer, **ROUTE)[0] == "void") == (word == "fail")

    @pytest.mark.parametrize(
        "more",
        [
            {"openrouter_metadata": {"attempt": 2}},
            {"openrouter_metadata": {"attempt": 1, "attempts": [{"provider": "B"}, {"provider": "Host A"}]}},
            {"openrouter_metadata": {"pipeline": [{"type": "response_healing"}]}},
            {"openrouter_metadata": {"pipeline": [{"name": "context-compression"}]}},
            {"openrouter_metadata": {"is_byok": True}},
            {"usage": usage(60, 80, is_byok=True)},
        ],
    )
    def test_an_answer_that_is_not_the_route_s_own_is_void_for_all(self, more):
        found = said(body({"content": SCENE}, **more), expect_lang="en", **ROUTE)
        assert {v.word.value for v in found.values()} == {"void"}

    def test_a_cache_hit_is_void(self):
        hit = scene(headers={"X-OpenRouter-Cache-Status": "HIT"})
        assert told("filtering", hit, **ROUTE) == ("void", "cache_hit")
        assert told("filtering", scene(headers={"X-OpenRouter-Cache-Status": "MISS"}), **ROUTE)[0] == "pass"

    def test_a_name_that_is_not_served(self):
        wrong = {"type": "wrong_name", "model": "acme/no-such-model", "direct": True}
        assert told("identity", body({"content": "Hi."}), **wrong) == ("warn", "answers_any_name")
        assert told("identity", error(404, {"error": {"message": "model not found"}}), **wrong) == (
            "pass",
            "name_refused",
        )
        assert told("identity", error(400, {"error": {"message": "invalid model"}}), **wrong)[0] == "pass"

    def test_distributions_and_vantage_points(self):
        def choice(host, reference=(352, 118, 291, 239)):
            names = ("north", "south", "east", "west")
            counts = {"type": "counts", "host": dict(zip(names, host, strict=True))}
            return counts | {"reference": dict(zip(names, reference, strict=True))}

        assert told("identity", choice((3, 4, 5, 88)), type="choice") == ("warn", "distribution_differs")
        assert told("identity", choice((37, 10, 27, 26)), type="choice") == ("pass", "same_distribution")
        assert told("identity", choice((2, 1, 1, 9)), type="choice")[0] == "inconclusive"
        pools = {"vantage_1_bad": 0, "vantage_1_ok": 20, "vantage_2_bad": 18, "vantage_2_ok": 2}
        assert told("identity", {"type": "counts", "host": pools}, type="vantage") == ("warn", "split_pool")
        miss = pools | {"vantage_1_bad": 1, "vantage_2_bad": 0, "vantage_2_ok": 20}
        assert told("identity", {"type": "counts", "host": miss}, type="vantage") == ("pass", "one_pool")

    @pytest.mark.parametrize(
        ("before", "after", "word"),
        [
            (
                {"tag": "host-a/bf16", "quantization": "bf16"},
                {"tag": "host-a/fp8", "quantization": "fp8"},
                "warn",
            ),
            ({"quantization": "unknown"}, {"quantization": "unknown"}, "pass"),
            ({"quantization": "bf16"}, {"quantization": None}, "warn"),
            ({"quantization": "bf16", "uptime": 99}, {"quantization": "bf16", "uptime": 97}, "pass"),
            ("bf16", "fp8", "warn"),
            ("bf16", "bf16", "pass"),
        ],
    )
    def test_labels_of_an_endpoint(self, before, after, word):
        listing = {"type": "meta", "yesterday": before, "today": after}
        assert told("identity", listing, type="endpoint_meta")[0] == word

    @pytest.mark.parametrize(
        ("served", "asked", "word"),
        [
            ("host-b", "2026-11-30T10:00:00Z", "alarm"),
            ("Host B", "2026-11-30T10:00:00Z", "alarm"),
            ("host-b/fp8", "2026-11-30T10:00:00Z", "alarm"),
            ("host-b", "2026-11-30T08:00:00Z", "pass"),
            ("host-c/turbo", "2026-11-30T10:00:00Z", "alarm"),
            ("host-c/bf16", "2026-11-30T10:00:00Z", "pass"),
            ("Host C", "2026-11-30T10:00:00Z", "inconclusive"),
            ("host-a", "2026-11-30T10:00:00Z", "pass"),
        ],
    )
    def test_an_ignored_provider_that_served_is_an_alarm(self, served, asked, word):
        hint = {
            "ignore": ["host-b", "host-c/turbo"],
            "ignore_active_at": "2026-11-30T09:00:00Z",
            "request_at": asked,
        }
        found = told("identity", {"type": "meta", "provider_name": served}, type="production_route", **hint)
        assert found[0] == word


class TestParameters:
    @pytest.mark.parametrize(
        ("response", "hint", "expected"),
        [
            (text(SCENE), {}, ("pass", "obeyed")),
            (text(SCENE + " END OF SCENE and more"), {"stop": ["END OF SCENE"]}, ("fail", "stop_ignored")),
            (text(SCENE + "\nEND OF S"), {"stop": ["END OF SCENE"]}, ("warn", "stop_prefix_leaked")),
            (text(SCENE + "\n###"), {"stop": "### User"}, ("warn", "stop_prefix_leaked")),
            (
                text("The scene could end here, she says, my friend"),
                {"stop": ["end of scene"]},
                ("pass", "obeyed"),
            ),
            (
                body({"content": SCENE, "reasoning": "END OF SCENE"}),
                {"stop": ["END OF SCENE"]},
                ("pass", "obeyed"),
            ),
            (text(SCENE, usage=usage(60, 240)), {"max_tokens": 24}, ("warn", "cap_ignored")),
            (text(SCENE[:60], "length", usage=usage(60, 26)), {"max_tokens": 24}, ("pass", "obeyed")),
            (text(SCENE * 6), {"max_tokens": 24}, ("warn", "cap_ignored")),
            (
                text(SCENE, usage=usage(60, 500, completion_tokens_details={"reasoning_tokens": 420})),
                {"max_tokens": 100},
                ("pass", "obeyed"),
            ),
            (
                body({"content": SCENE, "reasoning": "Hm."}),
                {"reasoning": {"enabled": False}},
                ("warn", "reasoning_not_disabled"),
            ),
            (
                body(
                    {"content": SCENE},
                    usage=usage(60, 90, completion_tokens_details={"reasoning_tokens": 30}),
                ),
                {"reasoning": {"effort": "none"}},
                ("warn", "reasoning_not_disabled"),
            ),
            (
                body({"content": SCENE, "reasoning": "Hm."}),
                {"reasoning": {"enabled": False}, "model_meta": {"reasoning_mandatory": True}},
                ("pass", "obeyed"),
            ),
            (
                body({"content": SCENE, "reasoning": "Hm."}),
                {"reasoning": {"enabled": True}},
                ("pass", "obeyed"),
            ),
            (
                body({"content": "Come in."}, choice={"logprobs": None}),
                {"logprobs": True},
                ("warn", "logprobs_missing"),
            ),
            (
                body({"content": "Come in."}, choice={"logprobs": {"content": [{"token": "C"}]}}),
                {"logprobs": True},
                ("pass", "obeyed"),
            ),
            (body({"content": "Come in."}), {"n": 3}, ("warn", "n_ignored")),
            (body({"content": SCENE}), {"zz_no_such_option": 1}, ("warn", "unknown_field_accepted")),
            (
                error(400, {"error": {"message": "unknown field zz_no_such_option"}}),
                {"zz_no_such_option": 1},
                ("pass", "unknown_field_refused"),
            ),
            (error(400, {"error": {"message": "n must be 1"}}), {"n": 3}, ("inconclusive", "own_error")),
            (
                error(503, {"error": {"message": "busy"}}),
                {"zz_no_such_option": 1},
                ("transport", "transport_error"),
            ),
        ],
    )
    def test_what_was_asked_for_is_looked_for(self, response, hint, expected):
        assert told("parameters", response, **(ROUTE | hint)) == expected

    def test_three_choices_are_three(self):
        three = [
            {"index": n, "message": {"content": f"Answer {n}."}, "finish_reason": "stop"} for n in range(3)
        ]
        answer = {"type": "body", "status": 200, "body": {"provider": "Host A", "choices": three}}
        assert told("parameters", answer, n=3, **ROUTE) == ("pass", "obeyed")
        assert told("parameters", answer, n=4, **ROUTE) == ("warn", "n_ignored")

    def test_seed_and_temperature_need_several_answers(self):
        assert told("parameters", samples(SCENE, SCENE[::-1]), seed=7) == ("warn", "seed_ignored")
        assert told("parameters", samples(SCENE, SCENE), seed=7, temperature=1.0) == ("pass", "obeyed")
        assert told("parameters", samples(SCENE, SCENE, SCENE), temperature=1.8) == (
            "warn",
            "temperature_ignored",
        )
        assert told("parameters", samples(SCENE, SCENE), temperature=0)[0] == "pass"
        assert told("parameters", samples("Yes.", "Yes."), temperature=1.5)[0] == "pass"


class TestUsage:
    @pytest.mark.parametrize(
        ("counts", "hint", "expected"),
        [
            (usage(60, 75), {}, ("pass", "plausible")),
            (usage(0, 0), {}, ("warn", "zero_usage")),
            (usage(0, 75), {}, ("warn", "zero_usage")),
            (None, {"stream_options": {"include_usage": True}}, ("warn", "no_usage")),
            (None, {}, ("pass", "not_requested")),
            (usage(60, 700), {}, ("warn", "overcounted")),
            (usage(60, 700, completion_tokens_details={"reasoning_tokens": 620}), {}, ("pass", "plausible")),
            (
                {"prompt_tokens": 60, "completion_tokens": 140, "total_tokens": 140},
                {},
                ("warn", "total_as_completion"),
            ),
            (usage(2260, 75), {"peers_prompt_tokens": [60, 61, 62]}, ("warn", "prompt_above_peers")),
            (usage(84, 75), {"peers_prompt_tokens": [60, 61, 62]}, ("pass", "plausible")),
        ],
    )
    def test_counts_are_held_against_the_text(self, counts, hint, expected):
        assert told("usage", stream(*words(), *ending(2000, counts=counts)), **(ROUTE | hint)) == expected

    def test_dense_scripts_cost_more_tokens(self):
        thai = "ลูกสาวเจ้าของโรงสียกเทียนขึ้นมองเสื้อเปียกของคุณแล้วเชิญให้นั่งข้างเตาไฟ" * 3
        assert told("usage", text(thai, usage=usage(90, 260)), **ROUTE) == ("pass", "plausible")
        assert told("usage", text("🕯️" * 30, usage=usage(30, 180)), **ROUTE) == ("pass", "plausible")

    def test_cumulative_counts_are_read_once(self):
        rising = [(t, e | {"usage": usage(60, 6 * n + 6)}) for n, (t, e) in enumerate(words())]
        assert told("usage", stream(*rising, *ending(3000)), **ROUTE) == ("pass", "plausible")

    def test_peers_are_compared_as_counts_too(self):
        given = {"type": "counts_list", "prompt_tokens": [2260]}
        hint = {"type": "peer_usage", "peers_prompt_tokens": [230, 232, 240, 228]}
        assert told("usage", given, **hint) == ("warn", "prompt_above_peers")
        assert told("usage", given | {"prompt_tokens": [310]}, **hint) == ("pass", "plausible")

    def test_an_error_without_text_is_transport(self):
        bare = stream(
            (400, {"error": {"code": 503, "message": "overloaded"}, "choices": [], "usage": usage(0, 0)})
        )
        assert told("usage", bare, **ROUTE)[0] == "transport"


class TestProtocol:
    @pytest.mark.parametrize(
        ("response", "reason"),
        [
            (
                stream(
                    *words(),
                    (2000, chunk(finish="stop")),
                    (2050, chunk({"content": "And more."})),
                    (2060, "data: [DONE]"),
                ),
                "text_after_finish",
            ),
            (
                stream(
                    *words(),
                    (3000, chunk({"content": " ".join(SCENE.split(" ")) + " "}, "stop")),
                    (3010, "data: [DONE]"),
                ),
                "duplicate_text",
            ),
            (stream(words()[0], words()[0], *words()[1:], *ending(2000)), "repeated_event"),
            (stream(*((t, e | {"id": f"gen-{t}"}) for t, e in words()), *ending(2000)), "changed_id"),
            (
                stream(
                    *words(), (2000, chunk(choice={"delta": None}, finish="stop")), (2010, "data: [DONE]")
                ),
                "missing_delta",
            ),
            (
                body(
                    {"content": [{"type": "text", "text": SCENE[:90]}, {"type": "text", "text": SCENE[90:]}]}
                ),
                "content_list",
            ),
            (text(SCENE, "repetition"), "unknown_finish_reason"),
            (stream(*words(), (2000, "data: [DONE]")), "no_finish_reason"),
            (stream(*words(), (2000, chunk(finish="stop"))), "no_terminator"),
            (calls(("a", "ring_bell", "{}"), finish="stop"), "finish_contradicts_call"),
            (stream((3900, chunk({"content": SCENE})), *ending(3905, counts=usage(58, 90))), "buffered"),
        ],
    )
    def test_what_is_odd_is_a_warning(self, response, reason):
        assert told("protocol", response, **ROUTE) == ("warn", reason)

    @pytest.mark.parametrize(
        "response",
        [
            scene(),
            text(SCENE, "eos"),
            text(SCENE, ""),
            stream((5, {"choices": []}), *words(), *ending(2000, counts=usage())),
            stream(*((t, e | {"usage": usage(60, n)}) for n, (t, e) in enumerate(words())), *ending(2000)),
            stream(*words(), (2000, chunk({"content": "Sit."}, "stop")), (2010, "data: [DONE]")),
            stream(
                (700, chunk({"content": SCENE})),
                (800, chunk(choice={"delta": {}}, finish="stop")),
                (810, "data: [DONE]"),
            ),
            stream(*((700 + n, chunk({"content": "ha "})) for n in range(9)), *ending(900)),
            stream(*((t, {k: v for k, v in e.items() if k != "id"}) for t, e in words()), *ending(2000)),
            stream(*words(size=8), *ending(2000, counts=usage(60, 80))),
            calls(("a", "ring_bell", "{}")),
        ],
    )
    def test_what_is_legal_passes(self, response):
        assert told("protocol", response, **ROUTE) == ("pass", "conforming")

    def test_the_whole_answer_sent_once_more_is_read_once(self):
        whole = "".join(e["choices"][0]["delta"]["content"] for _, e in words())
        answer = stream(*words(), (3000, chunk({"content": whole}, "stop")), (3010, "data: [DONE]"))
        assert told("repetition", answer, expect_lang="en", **ROUTE)[0] == "pass"


class TestTransport:
    @pytest.mark.parametrize(
        "response",
        [
            error(502, "<html>Bad gateway</html>"),
            error(429, {"error": {"code": 429, "message": "slow down"}}),
            {"type": "conn_error", "error": "reset before headers"},
            {"type": "conn_error", "error": "connection refused"},
            {"type": "body", "status": 200, "raw": '{"id":"gen-1","choices":[{"mess'},
            {"type": "body", "status": 200, "raw": "<html>busy</html>"},
            {"type": "body", "status": 200, "body": {"error": {"code": 502, "message": "upstream"}}},
            {"type": "body", "status": 200, "body": {"object": "error", "message": "worker died"}},
            body({"content": SCENE[:20]}, "error", choice={"error": {"code": 502, "message": "x"}}),
            body(
                {"content": SCENE[:20]}, native_finish_reason=None, choice={"native_finish_reason": "abort"}
            ),
            stream(
                *words()[:3],
                (900, {"error": {"code": 502, "message": "x"}, "choices": []}),
                (905, "data: [DONE]"),
            ),
            stream(*words()[:3], (900, {"error": {"code": "server_error", "message": "x"}})),
            stream((400, {"choices": [], "error": {"code": 502, "message": "limit"}}), (405, "data: [DONE]")),
            stream(
                *words()[:2], (800, 'event: error\ndata: {"error":\ndata: {"code":503,"message":"busy"}}')
            ),
            stream(*words()[:2], (800, 'event: error\ndata: {"code":503,"message":"busy"}')),
            stream(*words()[:2], (760, 'data: {"id":"g","chdata: {"id":"g","choices":[]}'), *ending(900)),
            stream(*words()[:2], (800, chunk(finish="error")), (810, "data: [DONE]")),
            stream(*words()[:2]),
            stream(*words()[:2], end="reset"),
            stream(),
        ],
    )
    def test_no_contract_may_score_a_broken_answer(self, response):
        assert told("transport", response, **ROUTE)[0] == "transport"
        found = said(response, expect_lang="en", **ROUTE)
        assert {v.word.value for v in found.values()} == {"transport"}

    @pytest.mark.parametrize(
        "response",
        [
            scene(),
            text(SCENE),
            {"type": "body", "status": 200, "raw": PADDED},
            stream(*words(), (2000, chunk(finish="stop"))),
            stream(*words(), *ending(2000), end="reset"),
            stream(*words(), (1990, "data: ping"), *ending(2000)),
            stream(
                (
                    700,
                    THREE_LINES,
                ),
                (800, "data:[DONE]"),
            ),
            text(""),
            text("", "content_filter"),
            stream(*words()[:2], end="hold", hold_ms=40_000),
        ],
    )
    def test_what_some_contract_may_score_passes(self, response):
        assert told("transport", response, **ROUTE) == ("pass", "scorable")

    def test_our_own_fault_and_another_s_answer_are_said_as_such(self):
        assert told("transport", error(401, {"error": {"message": "no key"}}), **ROUTE) == (
            "inconclusive",
            "own_fault",
        )
        assert told("transport", body({"content": SCENE}, provider="Host B"), **ROUTE) == (
            "void",
            "wrong_provider",
        )


def test_contracts_read_the_kinds_of_probe_that_they_are_about():
    structured = said(text(INN), response_format=FORMAT, expect_lang="en", **ROUTE)
    assert "structured_output" in structured
    assert "tool_call" not in structured
    assert "filtering" not in structured
    plain = said(scene(), expect_lang="en", **ROUTE)
    assert {"first_token", "filtering", "language", "completion", "stall"} <= set(plain)
    assert "structured_output" not in plain


def test_evidence_is_small_and_of_plain_values():
    for name, found in said(scene(), expect_lang="en", **ROUTE).items():
        assert len(str(dict(found.evidence))) < 1500, name
    assert verdict("completion", text(SCENE), expect_lang="en").detail.endswith(".")
