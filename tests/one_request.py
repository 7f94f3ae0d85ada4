"""One request to a peer that a test scripts."""

from __future__ import annotations

import asyncio

from raw_server import Peer, Script, raw_server
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
