"""Whatever comes back, every contract gives a verdict from its own table and never raises."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorded import FIXTURES, FORMAT, ROUTE, TOOLS, body, chunk, stream, text
from serinus.contracts import contracts
from serinus.core.model import Limits
from serinus.judging.shared_reasons import SHARED
from serinus.service.cases.case import CaseReader
from serinus.service.cases.hints import Fixtures
from serinus.service.cases.judgements import judgements, line

READER = CaseReader(Fixtures(FIXTURES), lambda _: Limits())
HINT = {
    "expect_lang": "en",
    "nonce": "amber kestrel",
    "other_nonces": ["violet anvil"],
    "needle": "WREN-9",
    "tools": TOOLS,
    "response_format": FORMAT,
    "stop": ["END"],
    "max_tokens": 200,
    "n": 2,
    "seed": 1,
    **ROUTE,
}
PIECES = st.sampled_from(
    [
        "<tool_call>",
        "```",
        '{"mood":',
        "I can't help",
        "。",
        "「",
        "\u0e48",
        "\ud83d",
        "“",
        "ha ",
        "\n\n",
        "极",
        "Ã©",
        "<think>",
        "END",
        "* ",
        "— ",
    ]
)
WORDS = st.lists(PIECES | st.text(max_size=12), max_size=30).map("".join)


def every_verdict(response):
    for contract in contracts():
        case = READER.read({"id": 1, "contract": contract.name, "request_hint": HINT, "response": response})
        for name, verdict in judgements(case, contracts()):
            assert verdict.reason != "judge_raised", (name, verdict.detail)
            known = {r.code: r.word for r in (*contract.reasons, *SHARED)}
            assert known[verdict.reason] is verdict.word, (name, verdict.reason)
            assert line(1, name, verdict).decode("utf-8").endswith("}\n")


@settings(max_examples=120, deadline=None)
@given(WORDS, st.sampled_from(["stop", "length", "tool_calls", "content_filter", "odd", "", None]))
def test_any_text(words, finish):
    every_verdict(text(words, finish))


@settings(max_examples=80, deadline=None)
@given(WORDS, WORDS, st.sampled_from(["stop", "length", "tool_calls"]))
def test_any_message_with_reasoning_and_calls(words, arguments, finish):
    call = {"id": words[:3], "function": {"name": words[:9], "arguments": arguments}}
    every_verdict(body({"content": words, "reasoning": arguments, "tool_calls": [call]}, finish))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.binary(max_size=120), max_size=6), st.sampled_from(["close", "reset", "hold"]))
def test_any_bytes(reads, end):
    events = [{"t": 100 * n, "b64": base64.b64encode(r).decode()} for n, r in enumerate(reads)]
    every_verdict({"type": "chunks", "events": events, "end": end, "hold_ms": 20_000})


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, max_size=6), st.sampled_from(["close", "reset", "hold"]))
def test_any_stream_of_pieces(pieces, end):
    flow = [(500 + 50 * n, chunk({"content": p})) for n, p in enumerate(pieces)]
    every_verdict(stream(*flow, (5000, chunk(finish="stop")), end=end, hold_ms=20_000))


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        " ",
        "\n",
        "\u200b",
        "<",
        "[",
        "{",
        '"',
        "*",
        "“",
        "— ",
        "1",
        "ha ",
        "lorem ipsum ",
        "的",
        "ก",
        "\u0e48",
        "a,",
        "I can't ",
        "http://",
        "\\n",
    ],
)
def test_a_hundred_kilobytes_of_one_thing(piece):
    every_verdict(text(piece * (100_000 // len(piece)), "length"))


def test_counts_of_every_shape():
    for values in ({"host": 3}, {"host": {"called": "x"}}, {"host": {}, "reference": []}, {}):
        for kind in ("rate", "choice", "vantage", "ladder", "peer_usage"):
            for contract in contracts():
                for shape in ("counts", "counts_list", "meta"):
                    hint = {"type": kind, "sent_tokens_est": [1, 2], "peers_prompt_tokens": [3]}
                    given_ = {
                        "id": 1,
                        "contract": contract.name,
                        "request_hint": hint,
                        "response": {"type": shape, **values},
                    }
                    case = READER.read(given_)
                    assert all(v.reason != "judge_raised" for _, v in judgements(case, contracts()))
