"""Discovery, pinned questions and look-ups against a gateway of a few lines."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from openrouter_replies import (
    ENDPOINTS,
    HEALTHY,
    KEY,
    LISTED,
    METADATA,
    MODEL,
    OFFER,
    PROBE,
    WHOLE,
    chunk,
    stream_reply,
)
from raw_server import raw_server
from serinus.core.model import Limits, Probe
from serinus.core.transcript import End, Phase
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from small_gateway import in_turn, json_reply, small_gateway, text_reply


@asynccontextmanager
async def opened(url, key=KEY, **settings):
    async def at_once(_seconds: float) -> None:
        pass

    async with Prober() as prober:
        yield OpenRouter(prober, key and Secret(key), base_url=url, sleep=at_once, **settings)


def with_gateway(replies, use, **settings):
    """What `use(gateway, server)` finds."""

    async def run():
        async with small_gateway(replies) as server, opened(server.url, **settings) as gateway:
            return await use(gateway, server)

    return asyncio.run(run())


def discover(replies):
    async def use(gateway, _server):
        return await gateway.discover(MODEL)

    return with_gateway(replies, use)


def ask(reply, offer=OFFER, probe=PROBE, limits=Limits()):
    async def use(gateway, _server):
        return await gateway.ask(offer, probe, session="r/1", limits=limits)

    return with_gateway({"/chat/completions": reply}, use)


def test_discovery_finds_offers_with_their_providers():
    found = discover(WHOLE)
    assert [(o.route.tag, o.provider, o.display) for o in found.offers] == [
        ("deepinfra/fp8", "deepinfra", "DeepInfra")
    ]
    assert (found.trouble, found.notes) == (None, ())


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            json_reply({"error": {"code": 500, "message": "Internal error"}}, 500),
            "status 500: 'Internal error'",
        ),
        (text_reply("<html>502 Bad Gateway</html>", 502), "status 502: '<html>502 Bad Gateway</html>'"),
        (text_reply("<html>Just a moment</html>"), "no JSON (text/html"),
        (text_reply('{"data": {"endpoints": [', content_type="application/json"), "no JSON"),
        (json_reply({"error": {"message": "overloaded"}}), "an error under status 200: 'overloaded'"),
        (json_reply({"data": {"endpoints": []}}), "names no endpoint"),
        (json_reply({"data": None}), "found no such key"),
        (json_reply([1, 2]), "found no such key"),
        (json_reply(None), "found no such key"),
        (text_reply("", 204), "status 204"),
        (text_reply("[" * 100_000), "no JSON"),
    ],
)
def test_a_listing_that_cannot_be_believed_is_told(reply, said):
    found = discover({**WHOLE, ENDPOINTS: reply})
    assert found.offers == ()
    assert said in (found.trouble or "")


def test_a_listing_behind_a_redirect_is_not_fetched_with_our_key_elsewhere():
    async def elsewhere(_request):
        raise web.HTTPFound(location="/other")

    async def use(gateway, server):
        return await gateway.discover(MODEL), [a.path for a in server.asked]

    found, asked = with_gateway({**WHOLE, ENDPOINTS: elsewhere}, use)
    assert "status 302" in (found.trouble or "")
    assert "/other" not in asked


def test_a_gateway_that_is_not_there_is_trouble_and_no_exception():
    async def run():
        async with opened("http://127.0.0.1:1/api/v1") as gateway:
            return (
                await gateway.discover(MODEL),
                await gateway.ask(OFFER, PROBE, session="r/1", limits=Limits()),
                await gateway.key_state(),
                await gateway.generation("gen-1"),
            )

    found, transcript, key, generation = asyncio.run(run())
    assert "no answer: refused: " in (found.trouble or "")
    assert (transcript.status, transcript.phase) == (None, Phase.CONNECT)
    assert (key.trouble, len(key.notes), generation) == (None, 1, None)


def test_providers_that_cannot_be_read_are_noted_and_the_last_ones_used():
    found = discover({**WHOLE, "/providers": json_reply({}, 503)})
    assert [o.provider for o in found.offers] == ["deepinfra"]
    assert "the list of providers could not be had" in found.notes[0]


def test_providers_are_not_asked_for_again_within_minutes():
    async def use(gateway, server):
        await gateway.discover(MODEL)
        await gateway.discover(MODEL)
        return [a.path for a in server.asked]

    asked = with_gateway(WHOLE, use)
    assert (asked.count("/providers"), asked.count(ENDPOINTS)) == (1, 2)


def test_a_model_whose_reasoning_is_left_on_is_asked_as_if_it_were_mandatory():
    async def use(gateway, server):
        (offer, *_) = (await gateway.discover(MODEL)).offers
        await gateway.ask(offer, PROBE, session="s", limits=Limits())
        return offer, server.asked[-1].body

    replies = {**WHOLE, "/chat/completions": HEALTHY}
    offer, body = with_gateway(replies, use, reasoning=frozenset({MODEL}))
    assert offer.reasoning_mandatory
    assert "reasoning" not in body


@pytest.mark.parametrize(
    ("listed", "own", "mandatory"),
    [
        (None, {"data": {"reasoning": {"mandatory": True}}}, True),
        (None, {"reasoning": {"mandatory": True}}, True),
        (None, {"data": {}}, False),
        (True, {"data": {}}, True),
        (False, {"data": {"reasoning": {"mandatory": True}}}, False),
    ],
)
def test_mandatory_reasoning_is_learnt_from_the_listing_or_the_model(listed, own, mandatory):
    data = {**LISTED["data"], **({} if listed is None else {"reasoning": {"mandatory": listed}})}
    found = discover({**WHOLE, ENDPOINTS: json_reply({"data": data}), f"/model/{MODEL}": json_reply(own)})
    assert [o.reasoning_mandatory for o in found.offers] == [mandatory]


def test_a_healthy_answer_comes_with_the_proof_of_who_served():
    found = ask(HEALTHY)
    assert (found.status, found.end, found.text) == (200, End.CLOSED, "Once more.")
    assert (found.route, found.pin, found.display) == (OFFER.route, "deepinfra/fp8", "DeepInfra")
    assert (found.answer.provider, found.answer.models, found.answer.ids) == (
        "DeepInfra",
        (MODEL,),
        ("gen-1",),
    )
    assert found.answer.metadata == METADATA
    assert found.headers["x-generation-id"] == "gen-1"
    assert (found.answer.done, found.answer.finish_reason) == (True, "stop")
    assert found.answer.usage is not None
    assert found.answer.usage.is_byok is False
    assert found.events[0].comment == "OPENROUTER PROCESSING"
    assert found.direct is False


def test_the_evidence_of_a_foreign_answer_is_kept_for_the_judge():
    metadata = {"attempt": 2, "pipeline": [{"type": "response_healing", "name": "x"}]}
    found = ask(
        stream_reply(chunk("Hi", provider="Novita", openrouter_metadata=metadata), chunk("", "stop")),
    )
    assert (found.display, found.answer.provider) == ("DeepInfra", "Novita")
    assert found.answer.metadata == metadata
    hit = ask(stream_reply(chunk("Hi"), headers={"X-OpenRouter-Cache-Status": "HIT"}))
    assert hit.headers["x-openrouter-cache-status"] == "HIT"


def test_a_request_says_who_is_meant_and_what_must_not_happen():
    async def use(gateway, server):
        await gateway.ask(OFFER, PROBE, session="r/1", limits=Limits())
        return server.asked[0]

    asked = with_gateway({"/chat/completions": HEALTHY}, use, preferences={"zdr": True}, user="probe-7")
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["x-openrouter-metadata"] == "enabled"
    assert asked.headers["x-openrouter-cache"] == "false"
    assert asked.headers["connection"] == "close"
    assert "http-referer" not in asked.headers
    assert asked.body["provider"]["only"] == ["deepinfra/fp8"]
    assert (asked.body["provider"]["zdr"], asked.body["user"], asked.body["session_id"]) == (
        True,
        "probe-7",
        "r/1",
    )


def test_the_transcript_holds_the_probe_as_it_was_sent():
    assert ask(HEALTHY, probe=Probe("k", "x", PROBE.messages)).probe.max_tokens == 512


@pytest.mark.parametrize(
    ("reply", "status", "where", "kind"),
    [
        (json_reply({"error": {"code": 429, "message": "slow down"}}, 429), 429, "http", None),
        (
            json_reply({"error": {"code": 400, "message": "x", "metadata": {"error_type": "refusal"}}}, 400),
            400,
            "http",
            "refusal",
        ),
        (json_reply({"error": {"code": 402, "message": "credits"}}, 402), 402, "http", None),
        (text_reply("<html>gateway timeout</html>", 504), 504, "http", "unparsable"),
        (json_reply({"error": {"code": 502, "message": "down"}}), 200, "body", None),
        (
            stream_reply(chunk("Hi"), {"error": {"code": 502, "message": "x"}, "choices": []}),
            200,
            "stream",
            None,
        ),
        (
            text_reply('data: {"error": {"code": 503, "message": "x"}}\n\n', 503, "text/event-stream"),
            503,
            "http",
            None,
        ),
        (text_reply('{"error": {"code": 503}}', 200, "text/event-stream"), 200, "body", None),
        (text_reply(': hm\n\n{"error": {"code": 503}}', 200, "text/event-stream"), 200, "body", None),
    ],
)
def test_every_shape_of_error_is_a_failure_with_its_place(reply, status, where, kind):
    found = ask(reply)
    assert found.status == status
    assert found.answer.failure is not None
    assert (found.answer.failure.where, found.answer.failure.type) == (where, kind)


def test_metadata_of_an_error_is_kept_too():
    body = {"error": {"code": 404, "message": "no"}, "openrouter_metadata": {"attempt": 0}}
    assert ask(json_reply(body, 404)).answer.metadata == {"attempt": 0}


def test_a_whole_body_answers_a_probe_that_does_not_stream():
    body = {
        "id": "gen-1",
        "provider": "DeepInfra",
        "model": MODEL,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}],
    }
    found = ask(json_reply(body), probe=Probe("k", "x", PROBE.messages, stream=False))
    assert (found.text, found.events, found.answer.done) == ("Hi", (), True)
    assert json.loads(found.body or "") == body


def test_comments_alone_until_the_hard_limit_are_a_stream_that_said_nothing():
    async def comments(peer):
        await peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        while not peer.gone.is_set():
            await peer.send(b": OPENROUTER PROCESSING\n\n", pause=0.02)

    async def run():
        async with raw_server(comments) as url, opened(url) as gateway:
            return await gateway.ask(OFFER, PROBE, session="r/1", limits=Limits(hard=0.2))

    found = asyncio.run(run())
    assert (found.status, found.end, found.text) == (200, End.HELD, "")
    assert found.body is None


def test_a_slow_answer_with_text_outlives_the_hard_limit():
    async def slow(peer):
        await peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        words = [f"data: {json.dumps(chunk('word '))}\n\n".encode()] * 10
        await peer.send(*words, b"data: [DONE]\n\n", pause=0.03)

    async def run():
        async with raw_server(slow) as url, opened(url) as gateway:
            return await gateway.ask(OFFER, PROBE, session="r/1", limits=Limits(hard=0.2))

    found = asyncio.run(run())
    assert (found.end, found.text) == (End.CLOSED, "word " * 10)


def test_a_generation_is_asked_for_until_its_record_is_there():
    record = {
        "id": "gen-1",
        "provider_name": "DeepInfra",
        "latency": 812,
        "is_byok": False,
        "provider_responses": [{"provider_name": "DeepInfra", "endpoint_id": "uuid-1", "status": 200}],
    }
    missing = json_reply({"error": {"code": 404, "message": "not found"}}, 404)

    async def use(gateway, server):
        return await gateway.generation("gen-1"), len(server.asked)

    replies = {"/generation": in_turn(missing, missing, json_reply({"data": record}))}
    found, asked = with_gateway(replies, use)
    assert found is not None
    assert (found.provider, found.latency, found.is_byok) == ("DeepInfra", 0.812, False)
    assert found.attempts == (("DeepInfra", "uuid-1", 200),)
    assert asked == 3


def test_a_generation_that_never_appears_is_given_up():
    async def use(gateway, server):
        return await gateway.generation("gen-1&x=#2"), [a.path for a in server.asked]

    found, asked = with_gateway({}, use)
    assert found is None
    assert asked == ["/generation?id=gen-1%26x%3D%232"] * 5


@pytest.mark.parametrize(
    ("reply", "trouble", "note"),
    [
        (json_reply({"data": {"limit_remaining": 50}}), "", ""),
        (json_reply({"data": {"limit_remaining": None}}), "", ""),
        (json_reply({"error": {"code": 401, "message": "No auth"}}, 401), "does not accept this key", ""),
        (json_reply({"data": {"is_management_key": True}}), "management key", ""),
        (json_reply({"data": {"limit_remaining": 0}}), "used up", ""),
        (json_reply({"data": {"limit_remaining": 3.5}}), "", "3.50 USD remain"),
        (json_reply({"data": {"is_free_tier": True}}), "", "never bought credits"),
        (json_reply({}, 500), "", "not known: status 500"),
        (json_reply({"data": "odd"}), "", ""),
    ],
)
def test_the_state_of_our_own_key_is_told_before_hosts_are_blamed(reply, trouble, note):
    async def use(gateway, _server):
        return await gateway.key_state()

    state = with_gateway({"/key": reply}, use)
    assert trouble in (state.trouble or "")
    assert bool(state.trouble) == bool(trouble)
    assert bool(state.notes) == bool(note)
    assert note in " ".join(state.notes)


def test_the_key_is_never_shown():
    async def use(gateway, _server):
        found = await gateway.ask(OFFER, PROBE, session="r/1", limits=Limits())
        return repr(found) + repr(gateway) + repr(vars(gateway)) + str(Secret(KEY))

    async def echo(request: web.Request) -> web.Response:
        return web.json_response(
            {"error": {"message": f"bad key {request.headers['Authorization']}"}}, status=401
        )

    assert KEY not in with_gateway({"/chat/completions": echo}, use)


def test_without_a_key_no_header_is_sent():
    async def use(gateway, server):
        await gateway.ask(OFFER, PROBE, session="r/1", limits=Limits())
        return server.asked[0].headers

    assert "authorization" not in with_gateway({"/chat/completions": HEALTHY}, use, key=None)


@pytest.mark.parametrize("url", ["openrouter.ai", "ftp://x", "", "https://", "https://x/api?y=1"])
def test_a_base_url_that_is_none_is_refused_with_an_example(url):
    with pytest.raises(ValueError, match="it must look like https://openrouter"):
        OpenRouter(Prober(), None, base_url=url)
