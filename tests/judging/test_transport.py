from __future__ import annotations

import pytest

from recorded import ROUTE, SCENE, body, chunk, ending, error, said, scene, stream, text, told, words

PADDED = '\n\n   {"provider":"Host A","choices":[{"message":{"content":"Sit."},"finish_reason":"stop"}]}'
THREE_LINES = (
    'data: {"choices":[{"index":0,\ndata: "delta":{"content":"Error upon error, she sighs."},\n'
    'data: "finish_reason":"stop"}]}'
)


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
