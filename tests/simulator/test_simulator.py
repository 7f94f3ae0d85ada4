import asyncio
import time
from urllib.parse import urlsplit

import aiohttp
import pytest

from serinus.simulator.scenario import FaultUse, Latency
from serinus.simulator.simulator import Simulator
from serinus.wire.request import chat_body
from simulated import KEY, MODEL, host, probe, scenario

QUICK = Latency(first_text=0.0, per_token=0.0)
AUTH = {"Authorization": f"Bearer {KEY}"}


def test_a_free_port_is_taken_and_given_back():
    async def story():
        async with Simulator(scenario()) as first, Simulator(scenario()) as second:
            assert first.base_url != second.base_url
            async with aiohttp.ClientSession() as session:
                await session.get(f"{first.base_url}/models")
            return first.base_url

    url = asyncio.run(story())

    async def gone():
        async with aiohttp.ClientSession() as session:
            await session.get(f"{url}/models")

    with pytest.raises(aiohttp.ClientConnectorError):
        asyncio.run(gone())


def test_a_port_in_use_is_an_error_that_leaves_nothing_behind():
    async def story():
        async with Simulator(scenario()) as first:
            port = int(first.base_url.split(":")[2].split("/")[0])
            async with Simulator(scenario(), port=port):
                pass

    with pytest.raises(OSError, match="address already in use"):
        asyncio.run(story())


def test_an_answer_to_head_has_no_body_that_the_next_could_begin_with():
    async def story():
        async with Simulator(scenario()) as simulator:
            address = urlsplit(simulator.base_url)
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            for method in ("HEAD", "GET"):
                lines = (
                    f"{method} {address.path}/models HTTP/1.1",
                    "Host: here",
                    f"Authorization: Bearer {KEY}",
                )
                writer.write("\r\n".join((*lines, "", "")).encode())
            heads = [await reader.readuntil(b"\r\n\r\n") for _ in range(2)]
            writer.close()
            return heads

    _, following = asyncio.run(story())
    assert following.startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_held_connection_does_not_hold_the_end():
    async def story():
        began = time.monotonic()
        async with (
            Simulator(scenario(host("amber/fp8", FaultUse("silence")))) as simulator,
            aiohttp.ClientSession(headers=AUTH) as session,
            asyncio.TaskGroup() as group,
        ):
            url = f"{simulator.base_url}/chat/completions"
            asked = group.create_task(session.post(url, json=chat_body(MODEL.id, probe("roleplay"))))
            await asyncio.sleep(0.1)
            asked.cancel()
        return time.monotonic() - began

    assert asyncio.run(story()) < 5


def test_a_seed_given_at_the_start_wins_over_the_scenarios():
    async def text(seed):
        async with (
            Simulator(scenario(host(latency=QUICK)), seed=seed) as simulator,
            aiohttp.ClientSession(headers=AUTH) as session,
        ):
            sent = {
                "model": MODEL.id,
                "messages": [{"role": "user", "content": "Tell me of the sea."}],
                "session_id": "s",
            }
            async with session.post(f"{simulator.base_url}/chat/completions", json=sent) as response:
                return (await response.json())["choices"][0]["message"]["content"]

    texts = [asyncio.run(text(seed)) for seed in (1, 1, 2, 3, 4, 5)]
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1
