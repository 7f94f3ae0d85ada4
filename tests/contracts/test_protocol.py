from __future__ import annotations

import pytest

from recorded import ROUTE, SCENE, body, calls, chunk, ending, scene, stream, text, told, usage, words


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
