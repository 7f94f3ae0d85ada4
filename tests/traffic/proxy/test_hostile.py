"""What hostile or careless peers send, and that each gets a plain no and reaches nobody else."""

import asyncio
import json

import pytest

from proxied import against, chat, hang_up, post, proxied, split
from raw_server import bare_server
from serinus.traffic.proxy.settings import Bounds

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
HEAD = b"POST /v1/chat/completions HTTP/1.1\r\nHost: p\r\n"


async def well(peer):
    await peer.send(OK)


def one(request):
    async def story(rig):
        return split(await rig.say(request)), rig

    return story


def code(body):
    return json.loads(body)["error"]["code"]


SMUGGLED = [
    HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/key HTTP/1.1\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nX",
    HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
    HEAD + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    HEAD + b"Content-Length: 5, 5\r\n\r\nhello",
    HEAD + b"Content-Length: +5\r\n\r\nhello",
    HEAD + b"Content-Length: 5 \x0b\r\n\r\nhello",
    HEAD + b"Content-Length : 5\r\n\r\nhello",
    HEAD + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    HEAD + b"Transfer-Encoding\x00: chunked\r\n\r\n0\r\n\r\n",
    HEAD + b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n5;a=\r\nb\nhello\r\n0\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
    HEAD + b"X-A: one\r\n two\r\nContent-Length: 0\r\n\r\n",
    HEAD + b"X-A: a\nContent-Length: 5\r\n\r\nhello",
    HEAD + b"X-A: a\rContent-Length: 5\r\n\r\nhello",
    HEAD + b"X-A: a\0b\r\nContent-Length: 0\r\n\r\n",
    HEAD + b"X A: a\r\nContent-Length: 0\r\n\r\n",
    HEAD + b": a\r\nContent-Length: 0\r\n\r\n",
    b"POST /v1/x HTTP/1.1\nHost: p\nContent-Length: 0\n\n",
    b"POST /v1/x HTTP/2.0\r\nHost: p\r\n\r\n",
    b"POST /v1/x\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET /v1/../../admin HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n",
    b"GET /v1/%2e%2e/admin HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n",
    b"GET /v1/a?b=\x01 HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n",
    b"GET /v1/models HTTP/1.0\r\nHost: p\r\n\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"TRACE /v1/models HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n",
    b"PROPFIND /v1/models HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n",
]


def test_what_two_readers_could_read_in_two_ways_reaches_no_gateway():
    """All in one story, so that one proxy has to bear them all."""
    reached = []

    async def script(peer):
        reached.append(peer.request)
        await well(peer)

    async def story(rig):
        answers = [await rig.say(request) for request in SMUGGLED]
        return answers, await rig.say(post(b"{}", "/v1/files"))

    answers, fine = against(script, story)
    for request, answer in zip(SMUGGLED, answers, strict=True):
        assert answer == b"" or 400 <= split(answer)[0] < 600, request
        assert answer.count(b"HTTP/1.1 ") - answer.count(b"HTTP/1.1 is needed") <= 1, request
    assert fine.endswith(b"ok")
    assert len(reached) == 1


def test_an_address_in_the_request_line_changes_nothing_of_where_it_goes():
    seen = []

    async def script(peer):
        seen.append(peer.request)
        await well(peer)

    request = b"GET http://evil.example/v1/models HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    (status, _, _), _ = against(script, one(request))
    assert status == 200
    assert seen[0].startswith(b"GET /api/v1/models HTTP/1.1\r\nHost: 127.0.0.1:")


SPLITTING = [
    b"HTTP/1.1 200 OK\r\nX-A: a\rSet-Cookie: evil=1\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nX-A: a\x0b\x08b\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 30\r\n\r\nok",
    b"HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    b"not HTTP at all\r\n\r\n",
]


@pytest.mark.parametrize("answer", SPLITTING)
def test_an_answer_that_could_be_read_as_two_becomes_an_error(answer):
    async def script(peer):
        await peer.send(answer)

    (status, fields, body), _ = against(script, one(post(chat())))
    assert (status, code(body)) == (502, "gateway_answer")
    assert b"evil" not in body
    assert b"set-cookie" not in fields


@pytest.mark.parametrize(
    ("request_", "bounds", "status", "word"),
    [
        (post(b"x" * 101), Bounds(max_body=100), 413, "body_too_large"),
        (
            HEAD + b"Transfer-Encoding: chunked\r\n\r\n65\r\n" + b"x" * 101 + b"\r\n0\r\n\r\n",
            Bounds(max_body=100),
            413,
            "body_too_large",
        ),
        (post(b"x" * 101), Bounds(max_held=100), 503, "busy"),
        (post(b"{}"), Bounds(in_flight=0), 503, "busy"),
        (post(b"{}", "/v1/x", "X-A: " + "a" * 5000), Bounds(max_head=4000), 431, "head_too_large"),
        (HEAD + b"X-A: " + b"a" * 5000, Bounds(max_head=4000), 431, "head_too_large"),
        (HEAD + b"X: y\r\n" * 2000, Bounds(max_head=4000), 431, "head_too_large"),
        (HEAD + b"Content-Length: 5\r\n\r\nhel", Bounds(body=0.1), 408, "body_timeout"),
        (b"GET /elsewhere HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n", Bounds(), 404, "not_found"),
    ],
)
def test_whoever_wants_more_than_allowed_is_told(request_, bounds, status, word):
    (got, _, body), rig = against(well, one(request_), bounds=bounds)
    assert (got, code(body)) == (status, word)
    assert rig.proxy.counters.refused[word] == 1


def test_a_head_that_never_ends_is_dropped():
    assert against(well, lambda rig: rig.say(HEAD), bounds=Bounds(head=0.1)) == b""


def test_a_bad_request_behind_a_good_one_does_not_fall_into_its_answer():
    release = asyncio.Event()

    async def script(peer):
        await release.wait()
        await peer.send(OK)

    async def story(rig):
        reader, writer = await rig.dial()
        writer.write(post(b"{}", "/v1/x", close=False) + b"\0 bad \r\n\r\n")
        answer = await reader.read()
        release.set()
        await hang_up(writer)
        return answer

    assert against(script, story) == b""


def test_a_connection_found_closed_is_told_and_the_request_not_sent_again():
    """The gateway keeps the first connection open, then closes it instead of answering: it may have read."""
    asked = []
    sent = b'{"provider":{"ignore":["cedar/fp4"]},' + chat()[1:]

    async def handler(reader, peer):
        for _ in range(2):
            asked.append(await reader.readuntil(b"\r\n\r\n"))
            await reader.readexactly(len(sent))
            if len(asked) == 2:
                return
            peer.writer.write(OK)

    async def story():
        async with bare_server(handler) as address, proxied(f"http://{address}/v1") as rig:
            return [split(await rig.say(post(chat())))[0] for _ in range(3)]

    assert asyncio.run(story()) == [200, 502, 200]
    assert len(asked) == 3


def test_stopping_lets_answers_end_and_takes_no_more():
    began, release = asyncio.Event(), asyncio.Event()

    async def script(peer):
        began.set()
        await release.wait()
        await peer.send(OK)

    async def story(rig):
        reader, writer = await rig.dial()
        other_reader, other = await rig.dial()
        other.write(post(b"{}", "/v1/x", close=False)[:20])
        writer.write(post(chat(), close=False))
        await began.wait()
        rig.proxy.stop()
        other.write(post(b"{}", "/v1/x", close=False)[20:])
        refused = await other_reader.read()
        release.set()
        answer = await reader.read()
        await hang_up(writer)
        await hang_up(other)
        return answer, refused

    answer, refused = against(script, story)
    assert answer.endswith(b"ok")
    assert refused == b"" or code(split(refused)[2]) == "stopping"


@pytest.mark.parametrize("began", [False, True])
def test_what_is_not_done_when_the_drain_is_over_is_ended_with_a_word_or_a_cut(began):
    reached = asyncio.Event()

    async def script(peer):
        if began:
            await peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome")
        reached.set()
        await peer.hold()

    async def story(rig):
        reader, writer = await rig.dial()
        writer.write(post(chat(), close=False))
        await (reader.readuntil(b"some") if began else reached.wait())
        rig.proxy.stop()
        rest = await reader.read()
        await hang_up(writer)
        return rest

    rest = against(script, story, bounds=Bounds(drain=0.0))
    assert rest == b"" if began else code(split(rest)[2]) == "stopping"
