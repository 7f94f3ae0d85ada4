"""One request against a peer that misbehaves: what happened is told, and nothing raises."""

from __future__ import annotations

import asyncio
import gzip
import socket
import zlib
from dataclasses import replace
from itertools import pairwise

import pytest

from raw_server import CHUNKED, HEAD, Peer, Script, bare_server, raw_server
from serinus.core.transcript import End, Phase
from serinus.prober.attempt import Patience
from serinus.prober.exchange import Exchange, Request
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret

QUICK = Patience(hard=0.2, connect=0.2, after_done=0.05)
CALM = Patience(hard=20.0)
BODY = b'{"model": "acme/story-70b"}'
ANSWER = b'data: {"a": "gr\xc3\xbc\xc3\x9f"}\n\ndata: [DONE]\n\n'


async def ask(url: str, patience: Patience = CALM, key: Secret | None = None) -> Exchange:
    async with Prober() as prober:
        return await prober.exchange(Request("POST", f"{url}/chat", body=BODY, key=key), patience)


def exchange(script: Script, patience: Patience = CALM, key: Secret | None = None) -> Exchange:
    async def run() -> Exchange:
        async with raw_server(script) as url:
            return await ask(url, patience, key)

    return asyncio.run(run())


def says(*pieces: bytes, pause: float = 0.0) -> Script:
    async def script(peer: Peer) -> None:
        await peer.send(*pieces, pause=pause)

    return script


def then_holds(*pieces: bytes) -> Script:
    async def script(peer: Peer) -> None:
        await peer.send(*pieces)
        await peer.hold()

    return script


def data(found: Exchange) -> list[str | None]:
    return [event.data for event in found.events]


def test_a_stream_is_read_to_its_end_with_times_that_never_run_back():
    found = exchange(says(HEAD + b": wait\n\n", ANSWER))
    assert (found.status, found.end, found.error, found.body) == (200, End.CLOSED, None, None)
    assert [e.comment or e.data for e in found.events] == ["wait", '{"a": "grüß"}', "[DONE]"]
    times = [found.timing.headers, *(e.at for e in found.events), found.ended]
    assert all(a is not None and b is not None and 0 < a <= b for a, b in pairwise(times))


def test_each_stage_before_the_answer_has_its_own_time():
    timing = exchange(says(HEAD + ANSWER)).timing
    assert timing.connect is not None
    assert timing.connect > 0
    assert timing.send is not None
    assert timing.lag is not None
    assert timing.dns is None  # an address needs no name looked up


def test_a_name_that_is_looked_up_is_timed_apart_from_connecting():
    async def run() -> Exchange:
        async with raw_server(says(HEAD + ANSWER)) as url:
            return await ask(url.replace("127.0.0.1", "localhost"))

    timing = asyncio.run(run()).timing
    assert timing.dns is not None
    assert timing.connect is not None
    assert timing.connect > 0


def test_the_request_is_sent_whole_with_its_key_on_a_connection_that_is_not_kept():
    seen = []

    async def script(peer: Peer) -> None:
        seen.append(peer.request)
        await peer.send(HEAD + ANSWER)

    exchange(script, key=Secret("sk-or-1"))
    (request,) = seen
    head, _, body = request.partition(b"\r\n\r\n")
    lines = {line.lower() for line in head.split(b"\r\n")}
    assert body == BODY
    assert {b"authorization: bearer sk-or-1", b"connection: close", b"accept-encoding: identity"} <= lines


def test_each_request_has_a_connection_of_its_own():
    ports = set()

    async def script(peer: Peer) -> None:
        ports.add(peer.writer.get_extra_info("peername"))
        await peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    async def run() -> None:
        async with raw_server(script) as url, Prober() as prober:
            for _ in range(3):
                await prober.exchange(Request("POST", url, body=BODY), CALM)

    asyncio.run(run())
    assert len(ports) == 3


def test_single_bytes_give_the_same_answer():
    found = exchange(says(*(bytes([b]) for b in HEAD + ANSWER)))
    assert data(found) == ['{"a": "grüß"}', "[DONE]"]
    assert found.end is End.CLOSED


def test_a_plain_body_is_kept_as_it_came():
    page = b"<html><body>data: 502 Bad Gateway</body></html>"
    head = b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page)
    found = exchange(says(head + page))
    assert (found.status, found.body, found.events) == (502, page.decode(), ())


@pytest.mark.parametrize("kind", [b"application/json", b"text/plain", b""])
def test_a_stream_is_known_by_its_first_bytes_where_its_type_is_wrong(kind):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\n\r\n"
    found = exchange(says(head, b"d", b"ata: 1\n", b"\n", b": x\n\ndata: [DONE]\n\n"))
    assert [e.comment or e.data for e in found.events] == ["1", "x", "[DONE]"]
    assert found.body is None


def test_an_error_in_plain_json_under_the_type_of_a_stream_is_not_lost():
    found = exchange(says(HEAD + b": wait\n\n" + b'{"error": {"code": 502}}'))
    assert found.body == '{"error": {"code": 502}}'
    assert [e.comment for e in found.events] == ["wait"]


@pytest.mark.parametrize(
    ("name", "packed"),
    [
        (b"gzip", gzip.compress(ANSWER, mtime=0)),
        (b"deflate", zlib.compress(ANSWER)),
        (b"GZIP ", gzip.compress(ANSWER, mtime=0)),
    ],
)
def test_a_compressed_answer_is_read_although_none_was_asked_for(name, packed):
    head = HEAD[:-2] + b"Content-Encoding: " + name + b"\r\n\r\n"
    found = exchange(says(head, packed[:11], packed[11:]))
    assert data(found) == ['{"a": "grüß"}', "[DONE]"]
    assert (found.end, found.error) == (End.CLOSED, None)


def test_members_of_gzip_one_after_another_are_one_answer():
    head = HEAD[:-2] + b"Content-Encoding: gzip\r\n\r\n"
    found = exchange(says(head, gzip.compress(ANSWER[:9]) + gzip.compress(ANSWER[9:])))
    assert data(found) == ['{"a": "grüß"}', "[DONE]"]


@pytest.mark.parametrize(
    "packed",
    [
        b"this is no gzip at all",
        gzip.compress(ANSWER, mtime=0)[:-4],
        gzip.compress(ANSWER, mtime=0)[:9] + b"\xff" * 30,
    ],
)
def test_compression_that_is_broken_breaks_the_answer(packed):
    head = HEAD[:-2] + b"Content-Encoding: gzip\r\n\r\n"
    found = exchange(says(head + packed))
    assert found.end is End.RESET
    assert (found.error or "").startswith("encoding: ")


def test_a_small_answer_that_unpacks_to_a_large_one_stops_at_the_cap():
    head = HEAD[:-2] + b"Content-Encoding: gzip\r\n\r\n"
    bomb = gzip.compress(b"data: " + b"x" * 50_000_000)
    found = exchange(says(head + bomb), replace(CALM, size=10_000))
    assert found.end is End.CAPPED
    assert [len(d or "") for d in data(found)] == [10_000 - len("data: ")]


def test_an_encoding_that_cannot_be_read_is_named():
    found = exchange(says(HEAD[:-2] + b"Content-Encoding: br\r\n\r\nxyz"))
    assert found.error == "encoding: the answer came as 'br', which was not asked for"
    assert found.end is End.RESET


def test_fifty_megabytes_are_cut_at_the_cap():
    found = exchange(says(HEAD, *([b"data: " + b"x" * 999_993 + b"\n"] * 50)), replace(CALM, size=300_000))
    assert found.end is End.CAPPED
    assert sum(len(d or "") for d in data(found)) <= 300_000


def test_a_line_without_an_end_is_cut_at_the_cap():
    found = exchange(says(HEAD, *([b"x" * 65536] * 50)), replace(CALM, size=300_000))
    assert found.end is End.CAPPED
    assert found.events == ()
    assert len(found.body or "") == 300_000


def test_bytes_that_are_not_utf8_mark_their_event():
    found = exchange(says(HEAD + b"data: ok\n\ndata: \xff\xfe\n\n"))
    assert [e.undecodable for e in found.events] == [False, True]


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


def test_a_redirect_is_shown_and_never_followed():
    visits = []

    async def script(peer: Peer) -> None:
        visits.append(peer.request)
        await peer.send(b"HTTP/1.1 307 Elsewhere\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")

    found = exchange(script, key=Secret("sk-or-1"))
    assert (found.status, found.headers["location"], len(visits)) == (307, "/other", 1)


def test_headers_are_named_in_lower_case_and_joined_and_cookies_are_left_out():
    head = b"HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nSet-Cookie: __cf_bm=secret\r\nContent-Length: 2\r\n\r\n{}"
    headers = exchange(says(head)).headers
    assert headers == {"x-a": "1, 2", "content-length": "2"}


def test_a_key_that_the_peer_echoes_is_not_kept():
    wire = HEAD[:-2] + b"X-Echo: sk-or-1\r\n\r\ndata: your key sk-or-1\n\n: sk-or-1\n\n"
    found = exchange(says(wire), key=Secret("sk-or-1"))
    assert "sk-or-1" not in repr(found)
    assert data(found)[0] == "your key [key]"


def test_a_port_where_nobody_listens_is_refused():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        found = asyncio.run(ask(f"http://127.0.0.1:{sock.getsockname()[1]}"))
    assert (found.status, found.phase, found.ended) == (None, Phase.CONNECT, None)
    assert (found.error or "").startswith("refused: ")


def test_a_name_that_does_not_exist_is_a_fault_of_names():
    found = asyncio.run(ask("http://no-such-host.invalid"))
    assert found.phase is Phase.CONNECT
    assert (found.error or "").startswith("dns: ")


def test_a_peer_that_speaks_no_tls_is_a_fault_of_tls():
    async def run() -> Exchange:
        async def plain(_reader: asyncio.StreamReader, peer: Peer) -> None:
            await peer.send(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        async with bare_server(plain) as address:
            return await ask(f"https://{address}")

    found = asyncio.run(run())
    assert (found.status, found.phase) == (None, Phase.CONNECT)
    assert (found.error or "").startswith("tls: ")


def test_a_connection_that_is_never_made_is_given_up():
    async def run() -> Exchange:
        async def mute(reader: asyncio.StreamReader, _peer: Peer) -> None:
            await reader.read()  # takes the TLS greeting and never answers

        async with bare_server(mute) as address:
            return await ask(f"https://{address}", QUICK)

    found = asyncio.run(run())
    assert (found.status, found.phase, found.end) == (None, Phase.CONNECT, End.HELD)
    assert found.error == "connect_timeout: no connection within 0.2 s"


def test_an_address_that_is_none_is_our_own_error_and_still_no_exception():
    found = asyncio.run(ask("not an address"))
    assert (found.status, found.phase) == (None, Phase.CONNECT)
    assert (found.error or "").startswith("bad_address: ")


def test_a_prober_that_was_not_entered_says_so():
    with pytest.raises(RuntimeError, match="async with Prober"):
        asyncio.run(Prober().exchange(Request("GET", "http://127.0.0.1"), CALM))


def test_cancelling_a_round_cancels_its_requests():
    async def run() -> None:
        async with raw_server(then_holds(HEAD)) as url, asyncio.timeout(0.1):
            await ask(url)

    with pytest.raises(TimeoutError):
        asyncio.run(run())
