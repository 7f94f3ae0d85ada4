"""The simulated gateway as a client meets it: over HTTP, byte by byte."""

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest

from serinus.simulator.scenario import FaultUse, Latency
from serinus.simulator.simulator import Simulator
from serinus.wire.request import chat_body
from simulated import BEGAN, KEY, MODEL, host, probe, scenario

QUICK = Latency(first_text=0.0, per_token=0.0)
AUTH = {"Authorization": f"Bearer {KEY}", "X-OpenRouter-Metadata": "enabled"}
PATH = f"/models/{MODEL.id}/endpoints"

# What the official client refuses to be without (measured by taking each away).
ENDPOINT_KEYS = {
    "name", "model_id", "model_name", "context_length", "pricing", "provider_name", "tag", "quantization",
    "max_completion_tokens", "max_prompt_tokens", "supported_parameters", "uptime_last_5m", "uptime_last_30m",
    "uptime_last_1d", "latency_last_30m", "throughput_last_30m", "supports_implicit_caching",
    "supports_diarization", "supports_tool_choice", "native_tools", "service_tier",
}  # fmt: skip
MODEL_KEYS = {
    "id", "canonical_slug", "name", "created", "context_length", "architecture", "pricing", "top_provider",
    "per_request_limits", "supported_parameters", "default_parameters", "supported_voices", "links",
}  # fmt: skip


def quick(tag="amber/fp8", *faults, **settings):
    return host(tag, *faults, latency=settings.pop("latency", QUICK), **settings)


@asynccontextmanager
async def running(*hosts, **settings):
    """A client of a simulated gateway; waiting is skipped, and its clock stands still unless moved."""
    waited, clock = [], [BEGAN]

    async def sleep(seconds):
        waited.append(seconds)

    known = hosts or (quick(), quick("amber/turbo"), quick("birch"))
    async with (
        Simulator(scenario(*known, **settings), now=lambda: clock[0], sleep=sleep) as simulator,
        aiohttp.ClientSession(headers=AUTH) as session,
    ):
        session.base = simulator.base_url
        session.waited, session.clock = waited, clock
        yield session


async def get(session, path, **headers):
    async with session.get(session.base + path, headers=headers) as response:
        return response.status, await response.json()


def body(kind="roleplay", only="amber/fp8", **changes):
    pin = {"only": [only], "order": [only], "allow_fallbacks": False}
    return {**chat_body(MODEL.id, probe(kind)), "provider": pin, "session_id": "s1", **changes}


async def post(session, sent, **headers):
    data = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    async with session.post(f"{session.base}/chat/completions", data=data, headers=headers) as response:
        return response, await response.read()


def chunks(raw):
    lines = [line for line in raw.decode().split("\n\n") if line.startswith("data: {")]
    return [json.loads(line.removeprefix("data: ")) for line in lines]


def run(story):
    """Run a story that a test tells as a coroutine."""
    return asyncio.run(story())


def test_the_listing_has_every_key_that_a_strict_client_wants():
    async def story():
        async with running() as session:
            return await get(session, PATH), await get(session, "/models"), await get(session, "/providers")

    (status, listing), (_, models), (_, providers) = run(story)
    rows = listing["data"]["endpoints"]
    assert status == 200
    assert all(set(row) >= ENDPOINT_KEYS for row in rows)
    assert [row["tag"] for row in rows] == ["amber/fp8", "amber/turbo", "birch"]
    assert {row["provider_name"] for row in rows} == {"Amber", "Birch"}
    assert rows[0]["pricing"]["prompt"] == "0.0000001"
    assert all(set(row) >= MODEL_KEYS for row in models["data"])
    assert {p["slug"]: p["name"] for p in providers["data"]} == {"amber": "Amber", "birch": "Birch"}


def test_latency_is_listed_for_those_with_a_key_alone():
    async def story():
        async with running() as session:
            known = await get(session, PATH)
            unknown = await get(session, PATH, Authorization="")
            return known[1]["data"]["endpoints"][0], unknown[1]["data"]["endpoints"][0]

    known, unknown = run(story)
    assert known["latency_last_30m"]["p50"] == 0.0
    assert unknown["latency_last_30m"] is None


def test_a_stream_begins_with_a_comment_and_a_role_and_ends_with_usage_and_metadata():
    async def story():
        async with running() as session:
            return await post(session, body())

    response, raw = run(story)
    found = chunks(raw)
    assert response.headers["Content-Type"] == "text/event-stream"
    assert raw.startswith(b": OPENROUTER PROCESSING\n\n")
    assert raw.endswith(b"data: [DONE]\n\n")
    first, finish, last = found[0], found[-2], found[-1]
    assert first["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    assert finish["choices"][0]["finish_reason"] == finish["choices"][0]["native_finish_reason"] == "stop"
    assert last["choices"] == []
    assert (
        last["usage"]["total_tokens"] == last["usage"]["prompt_tokens"] + last["usage"]["completion_tokens"]
    )
    assert last["openrouter_metadata"]["attempts"] == [
        {"provider": "Amber", "model": MODEL.id, "status": 200}
    ]
    assert {c["provider"] for c in found} == {"Amber"}
    assert {c["id"] for c in found} == {response.headers["X-Generation-Id"]}
    assert all({"id", "created", "model", "object", "choices", "system_fingerprint"} <= set(c) for c in found)


def test_the_bytes_of_a_stream_are_these():
    fixed = FaultUse("whitespace_answer", parameters={"text": "Come in, traveller."})

    async def story():
        async with running(quick("amber/fp8", fixed), quick("birch")) as session:
            sent = body(messages=[{"role": "user", "content": "Hello"}])
            return await post(session, sent)

    assert run(story)[1].decode() == (Path(__file__).parent / "stream.golden.txt").read_text(encoding="utf-8")


def test_a_whole_body_says_the_same_as_the_stream():
    async def story():
        async with running() as session:
            streamed = await post(session, body())
            whole = await post(session, body(stream=False))
            return chunks(streamed[1]), json.loads(whole[1])

    found, whole = run(story)
    text = "".join(c["choices"][0]["delta"]["content"] for c in found if c["choices"])
    (choice,) = whole["choices"]
    assert choice["message"]["content"] == text
    assert choice["finish_reason"] == "stop"
    assert whole["usage"] == found[-1]["usage"]
    assert whole["object"] == "chat.completion"


def test_a_tool_call_comes_in_pieces_that_add_up():
    async def story():
        async with running() as session:
            return await post(session, body("tool_call"))

    parts = [
        c["choices"][0]["delta"]["tool_calls"][0]
        for c in chunks(run(story)[1])
        if c["choices"] and c["choices"][0]["delta"].get("tool_calls")
    ]
    assert parts[0]["function"]["name"] == "open_gate"
    assert parts[0]["id"].startswith("call_")
    assert json.loads("".join(p["function"]["arguments"] for p in parts))["gate"]


def test_a_record_of_a_generation_appears_later_and_names_the_endpoint():
    async def story():
        async with running() as session:
            response, _ = await post(session, body())
            path = f"/generation?id={response.headers['X-Generation-Id']}"
            early = await get(session, path)
            session.clock[0] += timedelta(seconds=1.5)
            return early, await get(session, path)

    early, (status, found) = run(story)
    assert early[0] == early[1]["error"]["code"] == 404
    assert status == 200
    (served,) = found["data"]["provider_responses"]
    assert served["endpoint_id"] == quick().endpoint_id != quick("amber/turbo").endpoint_id
    assert served["provider_name"] == found["data"]["provider_name"] == "Amber"
    assert found["data"]["session_id"] == "s1"


def test_what_an_answer_costs_is_what_its_usage_says_and_the_account_pays():
    async def story():
        async with running() as session:
            _, raw = await post(session, body())
            return (
                chunks(raw)[-1]["usage"],
                (await get(session, "/credits"))[1],
                (await get(session, "/key"))[1],
            )

    usage, balance, key = run(story)
    price = usage["prompt_tokens"] * 0.10 / 1e6 + usage["completion_tokens"] * 0.30 / 1e6
    assert usage["cost"] == pytest.approx(price)
    assert balance["data"] == {"total_credits": 50.0, "total_usage": pytest.approx(price)}
    assert key["data"]["limit_remaining"] == pytest.approx(50.0 - price)


@pytest.mark.parametrize("path", ["/key", "/credits", "/generation?id=gen-1"])
def test_what_is_ours_needs_a_key(path):
    async def story():
        async with running() as session:
            return await get(session, path, Authorization="")

    assert run(story)[0] == 401


def test_a_key_that_is_not_ours_is_refused():
    async def story():
        async with running(key="sk-or-other") as session:
            return await post(session, body())

    response, raw = run(story)
    assert response.status == 401
    assert json.loads(raw)["error"]["message"] == "No auth credentials found"


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        (b"[]", "body"),
        (b"{", "Expecting"),
        (b"{}", "model"),
        (b'{"model": "acme/story-70b"}', "messages"),
        (b'{"model": "acme/story-70b", "messages": [3]}', "messages[0]"),
        (b'{"model": "acme/story-70b", "messages": [{"role": "user"}], "max_tokens": "many"}', "max_tokens"),
        (b'{"model": "acme/story-70b", "messages": [{"role": "user"}], "provider": []}', "provider"),
        (
            b'{"model": "acme/story-70b", "messages": [{"role": "user"}], "response_format": {"type": "x"}}',
            "type",
        ),
    ],
)
def test_a_request_that_cannot_be_read_says_which_field(sent, field):
    async def story():
        async with running() as session:
            return await post(session, sent)

    response, raw = run(story)
    found = json.loads(raw)
    assert response.status == 400
    assert field in found["error"]["message"]


def test_an_error_names_the_generation_the_host_and_what_was_tried():
    async def story():
        async with running(quick("amber/fp8", FaultUse("http_429")), quick("birch")) as session:
            return await post(session, body())

    response, raw = run(story)
    found = json.loads(raw)
    assert response.status == found["error"]["code"] == 429
    assert response.headers["Retry-After"] == "5"
    assert response.headers["X-Generation-Id"].startswith("gen-")
    assert found["error"]["metadata"]["limit_source"] == "upstream_provider_shared_pool"
    assert found["openrouter_metadata"]["attempts"][0]["status"] == 429


def test_while_a_host_is_slow_the_gateway_comments():
    async def story():
        async with running(
            quick("amber/fp8", FaultUse("slow_first_token", parameters={"seconds": 9.0}))
        ) as session:
            _, raw = await post(session, body())
            return raw, session.waited

    raw, waited = run(story)
    assert raw.count(b": OPENROUTER PROCESSING") == 5
    assert sum(waited) == pytest.approx(9.0)


def test_an_answer_in_one_piece_has_no_comments_however_slow_its_host_is():
    async def story():
        slow = FaultUse("slow_first_token", parameters={"seconds": 9.0})
        async with running(quick("amber/fp8", slow)) as session:
            _, raw = await post(session, body(stream=False))
            return raw, session.waited

    raw, waited = run(story)
    assert json.loads(raw)["choices"][0]["message"]["content"]
    assert sum(waited) == pytest.approx(9.0)


@pytest.mark.parametrize("name", ["reset_mid_answer", "dropped_socket", "reset_before_headers"])
def test_a_broken_connection_is_broken(name):
    async def story():
        async with running(quick("amber/fp8", FaultUse(name))) as session:
            await post(session, body())

    with pytest.raises(aiohttp.ClientError):
        run(story)


def test_a_silent_close_is_an_orderly_end_without_a_finish_reason():
    async def story():
        async with running(quick("amber/fp8", FaultUse("silent_close"))) as session:
            return await post(session, body())

    _, raw = run(story)
    assert b"[DONE]" not in raw
    assert all(c["choices"][0]["finish_reason"] is None for c in chunks(raw))


def test_invalid_utf8_is_really_on_the_wire():
    async def story():
        async with running(quick("amber/fp8", FaultUse("invalid_utf8"))) as session:
            return await post(session, body())

    with pytest.raises(UnicodeDecodeError):
        run(story)[1].decode()


def test_a_cached_answer_says_so_and_costs_nothing():
    async def story():
        async with running(quick("amber/fp8", FaultUse("cache_hit"))) as session:
            return await post(session, body())

    response, raw = run(story)
    assert response.headers["X-OpenRouter-Cache-Status"] == "HIT"
    assert chunks(raw)[-1]["usage"]["cost"] == 0
    assert "openrouter_metadata" not in chunks(raw)[-1]


def test_the_accounts_healing_repairs_bodies_unless_it_is_switched_off():
    fenced = quick("amber/fp8", FaultUse("json_fenced"))

    async def story(**changes):
        async with running(fenced, healing=True) as session:
            return json.loads((await post(session, body("structured", **changes)))[1])

    healed = asyncio.run(story(stream=False))
    off = asyncio.run(story(stream=False, plugins=[{"id": "response-healing", "enabled": False}]))
    assert json.loads(healed["choices"][0]["message"]["content"])
    assert healed["openrouter_metadata"]["pipeline"][0]["type"] == "response_healing"
    assert off["choices"][0]["message"]["content"].startswith("```json")
    assert "pipeline" not in off["openrouter_metadata"]


@pytest.mark.parametrize(
    ("fault", "status", "tags"),
    [
        ("listing_empty", 200, []),
        ("listing_500", 500, None),
        ("listing_html", 503, None),
        ("listing_flap", 200, ["birch"]),
        ("variant_renamed", 200, ["amber/fp4", "birch"]),
    ],
)
def test_a_fault_of_the_listing_is_seen_in_it(fault, status, tags):
    async def story():
        async with running(quick("amber/fp8", FaultUse(fault)), quick("birch")) as session:
            response = await session.get(session.base + PATH)
            return response.status, await response.read()

    found, raw = run(story)
    assert found == status
    if tags is not None:
        assert [row["tag"] for row in json.loads(raw)["data"]["endpoints"]] == tags


def test_a_renamed_route_is_reached_by_its_new_name_alone():
    async def story():
        async with running(quick("amber/fp8", FaultUse("variant_renamed"))) as session:
            old, _ = await post(session, body())
            new, _ = await post(session, body(only="amber/fp4"))
            return old.status, new.status

    assert run(story) == (404, 200)


def test_an_unknown_path_is_a_404_in_json():
    async def story():
        async with running() as session:
            return await get(session, "/nothing")

    assert run(story)[0] == 404
