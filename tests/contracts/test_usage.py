from __future__ import annotations

import pytest

from recorded import ROUTE, ending, stream, text, told, usage, words


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
