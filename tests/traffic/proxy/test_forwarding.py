"""A request through the proxy and its answer back, over real sockets."""

import asyncio
import json

import pytest

from proxied import KEY, against, chat, hang_up, listening, post, proxied, split
from raw_server import CHUNKED
from serinus.service.ledger import conversation_digest
from serinus.traffic.proxy.settings import Bounds

EVENT = (
    b'data: {"id":"gen-7","provider":"Amber Cloud","model":"acme/story-70b",'
    b'"choices":[{"index":0,"delta":{"content":"Once"},"finish_reason":null}]}\n\n'
)
LAST = (
    b'data: {"id":"gen-7","choices":[{"delta":{"content":""},"finish_reason":"stop"}],'
    b'"usage":{"prompt_tokens":3,"completion_tokens":5}}\n\ndata: [DONE]\n\n'
)
ADDED = b'{"provider":{"ignore":["cedar/fp4"]},'


async def answered(peer):
    await peer.send(CHUNKED)
    await peer.chunk(EVENT)
    await peer.chunk(LAST)
    await peer.send(b"0\r\n\r\n")


def told(status, *fields, body=b""):
    """A gateway that says one thing."""
    lines = [f"HTTP/1.1 {status}".encode(), *fields, b"Content-Length: %d" % len(body), b"", body]

    async def script(peer):
        await peer.send(b"\r\n".join(lines))

    return script


def one(request):
    """One caller with one request."""

    async def story(rig):
        return split(await rig.say(request)), rig

    return story


def heard(request, **settings):
    """What the gateway was sent."""
    got = []

    async def script(peer):
        got.append(peer.request)
        await answered(peer)

    against(script, one(request), **settings)
    head, _, body = got[0].partition(b"\r\n\r\n")
    return head.split(b"\r\n"), body


def test_the_list_is_added_and_every_other_byte_passes_both_ways():
    body = b'{ "model":"acme/story-70b", "temperature": 1.0e0, "messages":[], "stream":true}'
    _, sent = heard(post(body))
    assert sent == ADDED + body[1:]
    (status, fields, back), _ = against(answered, one(post(body)))
    assert (status, back) == (200, EVENT + LAST)
    assert fields[b"content-type"] == b"text/event-stream"


@pytest.mark.parametrize("path", ["/v1/audio/speech", "/v1/presets/x/chat/completions", "/v1/files"])
def test_an_endpoint_without_a_provider_object_passes_untouched(path):
    head, sent = heard(post(b'{"model": "acme/story-70b"}', path + "?a=%2F&b"))
    assert sent == b'{"model": "acme/story-70b"}'
    assert head[0] == f"POST /api{path}?a=%2F&b HTTP/1.1".encode()


def test_fallback_models_get_the_names_of_all_of_them():
    class Two:
        def ignore(self, model):
            return {"a/b": ("x", "y"), "c/d": ("y", "z")}.get(model, ())

        def people(self, model):
            del model
            return ()

    _, sent = heard(post(b'{"model":"a/b","models":["c/d"]}'), exclusions=Two())
    assert json.loads(sent)["provider"] == {"ignore": ["x", "y", "z"]}


def test_exclusions_that_cannot_be_told_stop_nothing():
    class Broken:
        def ignore(self, model):
            raise OSError(model)

    _, sent = heard(post(chat()), exclusions=Broken())
    assert sent == chat()


def test_a_preset_is_warned_of_and_keeps_its_own_provider_settings():
    body = chat(preset="mine")
    (_, fields, _), rig = against(answered, one(post(body)))
    assert fields[b"x-serinus-warning"].startswith(b"preset:")
    assert rig.proxy.counters.presets == 1
    assert heard(post(body))[1] == body
    assert heard(post(body), presets="add")[1] == ADDED + body[1:]
    own = chat(preset="mine", provider={"sort": "price"})
    assert json.loads(heard(post(own))[1])["provider"] == {"ignore": ["cedar/fp4"], "sort": "price"}


def test_a_body_that_cannot_be_read_is_passed_and_warned_of():
    (status, fields, _), _ = against(answered, one(post(b"no JSON")))
    assert status == 200
    assert fields[b"x-serinus-warning"].startswith(b"body:")
    assert heard(post(b"no JSON"))[1] == b"no JSON"
    squeezed = heard(post(chat(), "/v1/chat/completions", "Content-Encoding: gzip"))
    assert squeezed[1] == chat()


def test_the_key_passes_and_what_is_the_connections_own_does_not():
    head, _ = heard(
        post(chat(), "/v1/chat/completions", "X-Title: Tales", "TE: trailers", "Connection: x-a", "X-A: 1")
    )
    fields = {line.split(b": ")[0].lower(): line.split(b": ", 1)[1] for line in head[1:]}
    assert fields[b"authorization"] == f"Bearer {KEY}".encode()
    assert fields[b"x-title"] == b"Tales"
    assert fields[b"host"].startswith(b"127.0.0.1")
    assert not {b"te", b"x-a", b"connection", b"user-agent", b"accept"} & set(fields)


def test_a_redirect_comes_back_and_the_key_follows_nowhere():
    script = told("307 Temporary Redirect", b"Location: http://evil.example/v1")
    (status, fields, _), _ = against(script, one(post(chat())))
    assert (status, fields[b"location"]) == (307, b"http://evil.example/v1")


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
def test_an_answer_without_a_body_ends(status):
    (got, _, body), _ = against(told(status), one(post(chat())))
    assert (got, body) == (int(status[:3]), b"")


def test_a_head_request_gets_the_length_and_no_body():
    async def script(peer):
        await peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n")

    (status, fields, body), _ = against(
        script, one(b"HEAD /v1/models HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n")
    )
    assert (status, fields[b"content-length"], body) == (200, b"12", b"")


def test_each_chunk_comes_as_soon_as_it_is_sent():
    """The gateway says the next word only once the caller has read the one before."""
    read = asyncio.Event()

    async def script(peer):
        await peer.send(CHUNKED)
        await peer.chunk(EVENT)
        await read.wait()
        await peer.chunk(LAST)
        await peer.send(b"0\r\n\r\n")

    async def story(rig):
        reader, writer = await rig.dial()
        writer.write(post(chat()))
        first = await reader.readuntil(EVENT)
        read.set()
        rest = await reader.read()
        await hang_up(writer)
        return first, rest

    first, rest = against(script, story)
    assert first.endswith(EVENT)
    assert LAST in rest


@pytest.mark.parametrize("began", [False, True])
def test_a_caller_who_leaves_takes_the_gateway_along(began):
    """An answer that nobody reads is billed all the same."""
    hung_up = asyncio.Event()

    async def script(peer):
        if began:
            await peer.send(CHUNKED)
            await peer.chunk(EVENT)
        await peer.hold()
        hung_up.set()

    async def story(rig):
        reader, writer = await rig.dial()
        writer.write(post(chat()))
        await (reader.readuntil(EVENT) if began else asyncio.sleep(0.1))
        await hang_up(writer)
        await hung_up.wait()
        await rig.idle()
        return await rig.row()

    row = against(script, story)
    assert (row.end, row.status) == ("caller_left", 200 if began else None)


def test_an_answer_that_breaks_off_does_not_look_whole():
    async def script(peer):
        await peer.send(CHUNKED)
        await peer.chunk(EVENT)
        peer.reset()

    async def story(rig):
        return await rig.say(post(chat(), close=False)), await rig.row()

    answer, row = against(script, story)
    assert answer.endswith(EVENT + b"\r\n")  # no closing chunk
    assert (row.end, row.status, row.provider) == ("reset", 200, "Amber Cloud")


def test_a_gateway_that_closes_before_it_answers_is_asked_once_and_named():
    asked = []

    async def script(peer):
        asked.append(peer.request)
        peer.reset()

    (status, fields, body), _ = against(script, one(post(chat())))
    error = json.loads(body)["error"]
    assert (status, error["code"], error["type"]) == (502, "gateway_closed", "serinus_proxy_error")
    assert error["message"].startswith("serinus proxy:")
    assert fields[b"x-serinus-proxy"] == b"error"
    assert len(asked) == 1


def test_a_gateway_that_is_not_there_is_told_as_such():
    async def story():
        closed = listening("127.0.0.1", 0)
        port = closed.getsockname()[1]
        closed.close()
        async with proxied(f"http://127.0.0.1:{port}/v1") as rig:
            return split(await rig.say(post(chat()))), await rig.row()

    (status, _, body), row = asyncio.run(story())
    assert (status, json.loads(body)["error"]["code"]) == (502, "gateway_unreachable")
    assert "No host was asked" in json.loads(body)["error"]["message"]
    assert (row.end, row.status) == ("refused", None)


def test_a_gateway_that_does_not_answer_is_given_up():
    async def script(peer):
        await peer.hold()

    async def story(rig):
        return split(await rig.say(post(chat()))), await rig.row()

    (status, _, body), row = against(script, story, bounds=Bounds(first_byte=0.1))
    assert (status, json.loads(body)["error"]["code"]) == (504, "gateway_timeout")
    assert row.end == "timeout"


def test_a_pause_that_is_too_long_cuts_the_answer():
    async def script(peer):
        await peer.send(CHUNKED)
        await peer.chunk(EVENT)
        await peer.hold()

    async def story(rig):
        return await rig.say(post(chat(), close=False)), await rig.row()

    answer, row = against(script, story, bounds=Bounds(idle=0.1))
    assert answer.endswith(EVENT + b"\r\n")
    assert row.end == "timeout"


def test_a_caller_who_does_not_read_holds_the_gateway_up_and_is_dropped():
    sent = []

    async def script(peer):
        await peer.send(CHUNKED)
        for n in range(4000):
            await asyncio.wait_for(peer.chunk(b"x" * 65_536), 10)
            sent.append(n)

    async def story(rig):
        _, writer = await rig.dial()
        writer.write(post(chat()))
        row = await rig.row()
        await hang_up(writer)
        return row

    row = against(script, story, bounds=Bounds(stalled=0.2))
    assert row.end == "caller_left"
    assert len(sent) < 1000  # of 262 MB it took what sockets and two buffers hold


def test_the_ledger_tells_the_route_and_not_a_word():
    async def story(rig):
        await rig.say(post(chat(user="u-1", session_id="s-1")))
        return await rig.row()

    row = against(answered, story)
    assert (row.model, row.provider, row.generation) == ("acme/story-70b", "Amber Cloud", "gen-7")
    assert (row.end, row.status, row.finish) == ("done", 200, "stop")
    assert (row.prompt_tokens, row.completion_tokens) == (3, 5)
    assert row.conversation == conversation_digest("s-1")
    assert row.received == len(EVENT + LAST)
    assert row.first_token is not None
    assert row.total is not None
    assert 0 <= row.first_token <= row.total


def test_a_long_body_passes_in_pieces_as_long_as_it_was_said():
    body = b'{"model":"acme/story-70b","x":"' + b"long " * 200_000 + b'"}'
    head, sent = heard(post(body))
    assert sent == ADDED + body[1:]
    assert f"Content-Length: {len(sent)}".encode() in head


def test_a_body_without_a_length_gets_one_for_the_gateway():
    pieces = b"".join(b"%x\r\n%b\r\n" % (len(p), p) for p in (b'{"model":', b'"acme/story-70b"}'))
    request = post(b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked") + pieces + b"0\r\n\r\n"
    head, sent = heard(request)
    assert sent == ADDED + b'"model":"acme/story-70b"}'
    assert f"Content-Length: {len(sent)}".encode() in head


def test_one_connection_serves_one_request_after_the_other():
    async def script(peer):
        await peer.send(CHUNKED[:-2] + b"Connection: close\r\n\r\n")
        await peer.chunk(LAST)
        await peer.send(b"0\r\n\r\n")

    async def story(rig):
        reader, writer = await rig.dial()
        writer.write(post(chat(), close=False) * 2 + post(chat()))  # all three at once
        answer = await reader.read()
        await hang_up(writer)
        return answer

    assert against(script, story).count(LAST) == 3
