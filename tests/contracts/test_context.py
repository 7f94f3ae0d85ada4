from __future__ import annotations

import pytest

from recorded import body, error, samples, text, told, usage

NEEDLE = {"type": "needle", "needle": "WREN-9", "sent_tokens_est": 9000}


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
