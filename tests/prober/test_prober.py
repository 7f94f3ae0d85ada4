"""One request against a peer that misbehaves: what happened is told, and nothing raises."""

from __future__ import annotations

import asyncio
import gzip
import socket
import zlib
from dataclasses import replace
from itertools import pairwise

import pytest

from one_request import ANSWER, BODY, CALM, QUICK, ask, data, exchange, says, then_holds
from raw_server import HEAD, Peer, bare_server, raw_server
from serinus.core.transcript import End, Phase
from serinus.prober.exchange import Exchange, Request
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret


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
