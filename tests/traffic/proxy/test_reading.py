"""What the ledger learns from an answer's bytes as they pass."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serinus.traffic.proxy.reading import Reading


def chunk(**delta):
    choice = {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}
    return {
        "id": "gen-1-abc",
        "provider": "Amber Cloud",
        "model": "acme/story-70b-20251201",
        "choices": [choice],
    }


LAST = chunk(content="")
LAST["choices"][0] |= {"finish_reason": "length", "native_finish_reason": "MAX"}
BILL = {**chunk(), "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 41, "total_tokens": 50}}
TRAP = 'she wrote {"finish_reason": "stop", "usage": {"prompt_tokens": 1}, "provider": "Nobody"}'


def stream(*chunks):
    lines = [f"data: {json.dumps(c)}\n\n" for c in chunks]
    return "".join([": OPENROUTER PROCESSING\n\n", *lines, "data: [DONE]\n\n"]).encode()


def read(pieces, *, streamed=True):
    reading = Reading(stream=streamed, plain=True)
    for at, piece in enumerate(pieces):
        reading.feed(piece, float(at))
    reading.end()
    return reading


@given(st.lists(st.integers(0, 1500), max_size=12).map(sorted))
def test_wherever_reads_tear_a_stream_the_same_is_learned(cuts):
    whole = stream(chunk(content=""), chunk(content="Once"), chunk(content=TRAP), LAST, BILL)
    edges = [0, *(min(c, len(whole)) for c in cuts), len(whole)]
    reading = read([whole[a:b] for a, b in pairwise(edges)])
    assert (reading.provider, reading.generation, reading.model) == (
        "Amber Cloud",
        "gen-1-abc",
        "acme/story-70b-20251201",
    )
    assert (reading.finish, reading.prompt_tokens, reading.completion_tokens) == ("length", 9, 41)
    assert reading.received == len(whole)


def test_comments_roles_and_empty_text_do_not_stop_the_clock():
    pieces = [
        b": OPENROUTER PROCESSING\n\n",
        *(stream(c)[25:] for c in (chunk(content=""), chunk(content="O"))),
    ]
    assert read(pieces).first_token == 2.0


@pytest.mark.parametrize(
    "event",
    [
        chunk(content="", reasoning="hm"),
        chunk(content=None, tool_calls=[{"index": 0, "id": "c1"}]),
        {"type": "response.output_text.delta", "delta": "O"},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "O"}},
        {"id": "gen-1", "choices": [{"text": "O", "finish_reason": None}]},
    ],
)
def test_the_first_of_text_reasoning_or_a_tool_call_stops_it(event):
    assert read([stream(chunk(content="")), stream(event)]).first_token == 1.0


def test_a_long_answer_is_known_by_its_end():
    many = [chunk(content="word " * 20) for _ in range(2000)]
    reading = read([stream(*many, LAST, BILL)[n : n + 4096] for n in range(0, 700_000, 4096)])
    assert (reading.finish, reading.completion_tokens) == ("length", 41)


def test_an_answer_in_one_piece_is_read_and_not_timed():
    choice = {"index": 0, "message": {"content": TRAP}, "finish_reason": "stop"}
    body = {"id": "gen-2", "provider": 'A "B"', "model": "m/n", "choices": [choice], "usage": BILL["usage"]}
    reading = read([json.dumps(body).encode()], streamed=False)
    assert (reading.first_token, reading.finish, reading.provider) == (None, "stop", 'A "B"')
    assert reading.prompt_tokens == 9


@pytest.mark.parametrize(
    ("end", "finish"),
    [
        (
            {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 4}},
            "length",
        ),
        (
            {
                "type": "response.completed",
                "response": {"status": "completed", "usage": {"output_tokens": 4}},
            },
            "stop",
        ),
    ],
)
def test_other_apis_are_read_in_the_same_words(end, finish):
    start = {"type": "message_start", "message": {"id": "gen-3", "usage": {"input_tokens": 7}}}
    reading = read([stream(start, end)])
    assert (reading.generation, reading.finish) == ("gen-3", finish)
    assert (reading.prompt_tokens, reading.completion_tokens) == (7, 4)


def test_of_a_compressed_answer_only_the_size_is_known():
    reading = Reading(stream=True, plain=False)
    reading.feed(stream(chunk(content="O"), LAST), 1.0)
    reading.end()
    assert reading.received > 0
    assert reading.first_token is None
    assert reading.provider is None
