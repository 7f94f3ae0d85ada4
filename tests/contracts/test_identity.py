from __future__ import annotations

import pytest

from recorded import ROUTE, SCENE, body, error, said, scene, told, usage


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
