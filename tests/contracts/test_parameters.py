from __future__ import annotations

import pytest

from recorded import ROUTE, SCENE, body, error, samples, text, told, usage


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
