"""A host that is a real server: its answer goes on unbuffered, in the gateway's own frames."""

import asyncio
import json
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web

from serinus.simulator.scenario import FaultUse
from serinus.simulator.simulator import Simulator
from serinus.wire.request import chat_body
from simulated import KEY, MODEL, host, probe, scenario

AUTH = {"Authorization": f"Bearer {KEY}", "X-OpenRouter-Metadata": "enabled"}
USAGE = {"prompt_tokens": 43, "completion_tokens": 2, "total_tokens": 45}


def delta(content, finish=None, **more):
    choice = {"index": 0, "delta": {"content": content, **more}, "finish_reason": finish}
    return f"data: {json.dumps({'id': 'chatcmpl-1', 'model': 'own', 'choices': [choice]})}\n\n".encode()


END = f"data: {json.dumps({'choices': [], 'usage': USAGE})}\n\n".encode() + b"data: [DONE]\n\n"


class Engine:
    """A server that sends these pieces; `gate` holds it back between the first and the rest."""

    def __init__(self, *pieces, status=200, document=None):
        self.pieces, self.status, self.document = pieces, status, document
        self.asked, self.gate = [], asyncio.Event()
        self.gate.set()

    async def handle(self, request):
        self.asked.append(await request.json())
        if self.document is not None:
            return web.json_response(self.document, status=self.status)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for number, piece in enumerate(self.pieces):
            if number == 1:
                await self.gate.wait()
            await response.write(piece)
        return response


@asynccontextmanager
async def served(engine, *faults, **settings):
    """A client of a simulator whose one host forwards to the engine."""
    app = web.Application()
    app.router.add_post("/v1/chat/completions", engine.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = settings.pop("address", f"http://127.0.0.1:{runner.addresses[0][1]}")
    hosts = (host("amber/fp8", *faults, forward=address, **settings), host("birch"))
    try:
        async with (
            Simulator(scenario(*hosts)) as simulator,
            aiohttp.ClientSession(base_url=f"{simulator.base_url}/", headers=AUTH) as session,
        ):
            yield session
    finally:
        await runner.cleanup()


def body(kind="roleplay", **changes):
    pin = {"only": ["amber/fp8"], "order": ["amber/fp8"], "allow_fallbacks": False}
    return {
        **chat_body(MODEL.id, probe(kind)),
        "provider": pin,
        "session_id": "s1",
        "user": "probe",
        **changes,
    }


async def post(session, sent):
    async with session.post("chat/completions", json=sent) as response:
        return response.status, await response.read()


def ask(engine, *faults, sent=None, **settings):
    async def story():
        async with served(engine(), *faults, **settings) as session:
            return await post(session, sent or body())

    return asyncio.run(story())


def chunks(raw):
    return [json.loads(line[6:]) for line in raw.decode().split("\n\n") if line.startswith("data: {")]


def test_the_text_goes_on_in_the_gateways_frames():
    status, raw = ask(lambda: Engine(delta("Come"), delta(" in."), delta(None, "stop"), END))
    found = chunks(raw)
    assert status == 200
    assert "".join(c["choices"][0]["delta"]["content"] for c in found if c["choices"]) == "Come in."
    assert {c["provider"] for c in found} == {"Amber"}
    assert {c["model"] for c in found} == {MODEL.id}
    assert len({c["id"] for c in found}) == 1
    assert found[-1]["usage"]["total_tokens"] == 45
    assert found[-1]["usage"]["cost"] == pytest.approx(43 * 0.1e-6 + 2 * 0.3e-6)
    assert found[-1]["openrouter_metadata"]["attempts"][0]["status"] == 200
    assert raw.endswith(b"data: [DONE]\n\n")


def test_nothing_is_held_back():
    async def story():
        engine = Engine(delta("first"), delta("second", "stop"), END)
        engine.gate.clear()
        async with served(engine) as session, session.post("chat/completions", json=body()) as response:
            early = b""
            while b"first" not in early:
                early += await response.content.readany()
            engine.gate.set()
            return early, await response.read()

    early, late = asyncio.run(story())
    assert b"second" not in early
    assert b"second" in late


def test_the_engine_never_sees_what_is_the_gateways():
    async def story():
        engine = Engine(delta("x", "stop"), END)
        async with served(engine, forward_model="smol") as session:
            await post(session, body("structured", plugins=[{"id": "web"}], seed=3))
        return engine.asked[0]

    asked = asyncio.run(story())
    assert not {"provider", "plugins", "session_id", "user"} & set(asked)
    assert (asked["model"], asked["seed"]) == ("smol", 3)
    assert asked["response_format"]["type"] == "json_schema"
    assert asked["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize(
    ("fault", "kind", "gone"),
    [
        ("response_format_dropped", "structured", {"response_format"}),
        ("tools_dropped", "tool_call", {"tools", "tool_choice"}),
        ("cap_ignored", "roleplay", {"max_tokens"}),
    ],
)
def test_a_fault_of_the_request_keeps_a_part_of_it_from_the_engine(fault, kind, gone):
    async def story():
        engine = Engine(delta("x", "stop"), END)
        async with served(engine, FaultUse(fault)) as session:
            await post(session, body(kind))
        return engine.asked[0]

    assert not gone & set(asyncio.run(story()))


def test_a_lost_system_prompt_never_reaches_the_engine():
    async def story():
        engine = Engine(delta("x", "stop"), END)
        async with served(engine, FaultUse("system_prompt_lost")) as session:
            await post(session, body())
        return engine.asked[0]["messages"]

    assert [m["role"] for m in asyncio.run(story())] == ["user"]


def test_a_fault_of_the_status_stands_before_the_engine():
    async def story():
        engine = Engine(delta("x", "stop"), END)
        async with served(engine, FaultUse("http_429")) as session:
            status, _ = await post(session, body())
            return status, engine.asked

    assert asyncio.run(story()) == (429, [])


def test_a_whole_body_is_reframed_too():
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
    status, raw = ask(lambda: Engine(document={"choices": [choice], "usage": USAGE}), sent=body(stream=False))
    found = json.loads(raw)
    assert status == 200
    assert found["provider"] == "Amber"
    assert found["choices"][0]["message"]["content"] == "Hi"
    assert found["choices"][0]["native_finish_reason"] == "stop"
    assert found["usage"]["prompt_tokens"] == 43


def test_an_engines_refusal_of_the_request_keeps_its_status():
    status, raw = ask(lambda: Engine(status=400, document={"error": {"message": "too long"}}))
    found = json.loads(raw)["error"]
    assert status == 400
    assert found["metadata"]["provider_name"] == "Amber"
    assert "too long" in found["metadata"]["raw"]


def test_an_engine_that_fails_is_a_502():
    assert ask(lambda: Engine(status=500, document={"error": {"message": "worker died"}}))[0] == 502


def test_an_engine_that_is_not_there_is_a_502():
    assert ask(Engine, address="http://127.0.0.1:9")[0] == 502


def test_an_engine_that_stops_in_the_middle_ends_the_stream_without_an_end():
    _, raw = ask(lambda: Engine(delta("Come")))
    assert b"[DONE]" not in raw
    assert b"usage" not in raw


def test_an_error_inside_the_engines_stream_is_told_as_the_gateway_tells_it():
    bad = b'data: {"error": {"message": "out of memory", "type": "server_error", "code": 500}}\n\n'
    _, raw = ask(lambda: Engine(delta("Come"), bad))
    (error,) = [c for c in chunks(raw) if "error" in c]
    assert error["error"]["metadata"]["error_type"] == "provider_unavailable"
    assert error["choices"][0]["finish_reason"] == "error"


def test_reasoning_and_tool_calls_pass():
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "ring", "arguments": "{}"}}
    _, raw = ask(
        lambda: Engine(
            delta(None, reasoning_content="Hm."), delta(None, "tool_calls", tool_calls=[call]), END
        )
    )
    deltas = [c["choices"][0]["delta"] for c in chunks(raw) if c["choices"]]
    assert deltas[0]["reasoning"] == "Hm."
    assert deltas[0]["content"] == ""
    assert deltas[1]["tool_calls"] == [call]
