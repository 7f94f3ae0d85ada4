"""How an answer ends, or does not: held, closed, cut and reset are told apart."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from one_request import ANSWER, BODY, CALM, QUICK, data, exchange, says, then_holds
from raw_server import CHUNKED, HEAD, Peer, raw_server
from serinus.core.transcript import End, Phase
from serinus.prober.exchange import Exchange, Request
from serinus.prober.prober import Prober


def test_comments_until_the_hard_limit_are_held_not_closed():
    async def script(peer: Peer) -> None:
        await peer.send(HEAD)
        while not peer.gone.is_set():
            await peer.send(b": wait\n\n", pause=0.02)

    found = exchange(script, QUICK)
    assert (found.status, found.end, found.phase) == (200, End.HELD, None)
    assert found.ended is not None
    assert found.ended >= QUICK.hard
    assert {e.comment for e in found.events} == {"wait"}


def test_silence_without_a_status_line_is_told_from_a_stream_that_says_nothing():
    silent = exchange(then_holds(), QUICK)
    assert (silent.status, silent.phase, silent.end) == (None, Phase.WAIT, End.HELD)
    assert (silent.error or "").startswith("silent: ")
    mute = exchange(then_holds(HEAD), QUICK)
    assert (mute.status, mute.phase, mute.end, mute.events) == (200, None, End.HELD, ())


@pytest.mark.parametrize("start", [b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Type: te"])
def test_a_head_that_never_ends_is_silence(start):
    found = exchange(then_holds(start), QUICK)
    assert (found.status, found.phase, found.end) == (None, Phase.WAIT, End.HELD)


def test_slow_headers_are_waited_for():
    found = exchange(says(*(bytes([b]) for b in HEAD), ANSWER, pause=0.001))
    assert data(found) == ['{"a": "grüß"}', "[DONE]"]


def test_text_that_still_flows_at_the_hard_limit_is_read_on():
    async def script(peer: Peer) -> None:
        await peer.send(HEAD)
        await peer.send(*[b"data: word\n\n"] * 15, b"data: [DONE]\n\n", pause=0.02)

    patience = replace(QUICK, hard=0.1, times_hard=100.0, has_text=bool)
    found = exchange(script, patience)
    assert found.end is End.CLOSED
    assert len(found.events) == 16
    assert exchange(script, replace(patience, has_text=lambda _events: False)).end is End.HELD


def test_text_that_never_ends_is_cut_after_so_many_hard_limits():
    async def script(peer: Peer) -> None:
        await peer.send(HEAD)
        while not peer.gone.is_set():
            await peer.send(b"data: word\n\n", pause=0.02)

    found = exchange(script, replace(QUICK, hard=0.1, times_hard=2.0, has_text=bool))
    assert found.end is End.CAPPED


def test_silence_after_text_is_held_a_hard_limit_after_the_last_data():
    async def script(peer: Peer) -> None:
        await peer.send(HEAD, b"data: word\n\n")
        while not peer.gone.is_set():
            await peer.send(b": still there\n\n", pause=0.02)

    found = exchange(script, replace(QUICK, hard=0.2, times_hard=100.0, has_text=bool))
    assert found.end is End.HELD
    assert found.ended is not None
    assert found.ended >= 0.2


def test_a_stream_left_open_after_done_is_closed_all_the_same():
    found = exchange(then_holds(HEAD + ANSWER, b'data: {"late": 1}\n\n'), replace(CALM, after_done=0.1))
    assert found.end is End.CLOSED
    assert data(found) == ['{"a": "grüß"}', "[DONE]", '{"late": 1}']


@pytest.mark.parametrize(
    "wire",
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", b"{}"),
        (CHUNKED, b"5\r\ndata:\r\n"),
        (CHUNKED, b"zz\r\ndata: x\r\n"),
        (CHUNKED, b"5\r\ndata: way too long\r\n"),
        (CHUNKED, b"fffffffffffffffffffff\r\nx"),
    ],
)
def test_a_length_that_is_not_kept_breaks_the_answer(wire):
    found = exchange(says(*wire, pause=0.02))
    assert (found.status, found.end, found.phase) == (200, End.RESET, None)
    assert found.error
    at_once = exchange(says(b"".join(wire)))  # the client may then not tell the head, but never waits
    assert (at_once.status in {None, 200}, at_once.end) == (True, End.RESET)


def test_what_came_before_the_broken_chunk_is_kept():
    async def script(peer: Peer) -> None:
        await peer.send(CHUNKED)
        await peer.chunk(b"data: kept\n\n")
        await peer.send(b"nonsense\r\n")

    found = exchange(script)
    assert (data(found), found.end) == (["kept"], End.RESET)


def test_more_than_the_stated_length_is_not_read():
    found = exchange(says(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", b"{}", b"trailing", pause=0.02))
    assert (found.status, found.body) == (200, "{}")


@pytest.mark.parametrize(
    "wire",
    [
        b"\x00\x01\x02\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/9.9 what\r\n\r\n",
        b"data: x\n\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 5000 + b"\r\n",
    ],
)
def test_what_is_not_http_is_no_answer(wire):
    found = exchange(says(wire))
    assert (found.status, found.phase, found.end) == (None, Phase.WAIT, End.RESET)
    assert (found.error or "").startswith("not_http: ")


def test_a_connection_closed_without_a_word_is_told_from_one_that_breaks():
    async def reset(peer: Peer) -> None:
        peer.reset()

    assert (exchange(says()).error or "").startswith("disconnected: ")
    broken = exchange(reset)
    assert (broken.error or "").startswith("reset: ")
    assert (broken.status, broken.phase, broken.end) == (None, Phase.WAIT, End.RESET)


@pytest.mark.parametrize("framing", ["plain", "chunked", "length"])
def test_a_reset_at_any_byte_is_a_reset_and_keeps_what_came(framing):
    body = {"plain": ANSWER, "chunked": b"%x\r\n%s\r\n0\r\n\r\n" % (len(ANSWER), ANSWER), "length": ANSWER}[
        framing
    ]
    head = {"plain": HEAD, "chunked": CHUNKED, "length": HEAD[:-2] + b"Content-Length: 99\r\n\r\n"}[framing]
    wire = head + body
    step = max(1, len(wire) // 60)

    async def run() -> list[Exchange]:
        cut = 0

        async def script(peer: Peer) -> None:
            await peer.send(wire[:cut])
            await asyncio.sleep(0.002)  # let the bytes be read before the RST throws them away
            peer.reset()

        found = []
        async with raw_server(script) as url, Prober() as prober:
            for cut in range(0, len(wire) - 6, step):  # noqa: B007  the script reads it
                found += [await prober.exchange(Request("POST", url, body=BODY), CALM)]
        return found

    whole = ['{"a": "grüß"}', "[DONE]"]
    for found in asyncio.run(run()):
        assert found.status in {None, 200}
        assert found.end is End.RESET or "[DONE]" in data(found)
        assert (found.phase is Phase.WAIT) == (found.status is None)
        for got, expected in zip(data(found)[:-1], whole, strict=False):
            assert got == expected


def test_a_line_that_was_still_being_written_when_we_gave_up_is_no_broken_event():
    held = exchange(then_holds(HEAD, b'data: {"a": 1}\n\ndata: {"b":'), QUICK)
    assert (held.end, data(held)) == (End.HELD, ['{"a": 1}'])
    first = exchange(then_holds(HEAD, b": wait\n\ndat"), QUICK)
    assert (first.end, first.body) == (End.HELD, None)
    whole = exchange(then_holds(HEAD, b'data: {"a": 1}\n\ndata: {"b": 2}\n'), QUICK)
    assert data(whole) == ['{"a": 1}', '{"b": 2}']
    closed = exchange(says(HEAD, b'data: {"a": 1}\n\ndata: {"b":'))
    assert data(closed) == ['{"a": 1}', '{"b":']
