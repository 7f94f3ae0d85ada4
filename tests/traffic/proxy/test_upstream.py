"""What the proxy uses of aiohttp without its promise: a release that takes it away is told here first."""

import asyncio

from yarl import URL

from raw_server import CHUNKED, raw_server
from serinus.traffic.proxy.endpoints import endpoint_of
from serinus.traffic.proxy.relay import Tapped
from serinus.traffic.proxy.settings import Bounds, Gateway
from serinus.traffic.proxy.upstream import Upstream


async def begun(peer):
    await peer.send(CHUNKED)
    await peer.chunk(b"once")
    await peer.hold()


def while_answered(look):
    """What is seen of an answer that has begun and goes on."""

    async def told():
        async with raw_server(begun) as base:
            upstream = Upstream(Gateway(URL(f"{base}/api/v1")), Bounds())
            try:
                url = upstream.url(endpoint_of(b"/v1/chat/completions"), b"")
                answer = await asyncio.wait_for(upstream.send("POST", url, [], b"{}"), 20)
                seen = look(answer)
                answer.close()
                return seen
            finally:
                await upstream.close()

    return asyncio.run(told())


def test_the_gateways_connection_is_one_that_can_be_tapped():
    assert while_answered(lambda answer: type(answer.connection.protocol)) is Tapped


def test_a_connection_says_whether_its_reading_is_paused():
    def paused(answer):
        protocol = answer.connection.protocol
        return [protocol._reading_paused, protocol._buffer_paused]  # noqa: SLF001  that they are there is the claim

    assert while_answered(paused) == [False, False]
