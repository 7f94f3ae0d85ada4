"""A client library measuring the first token as its users do; run by an interpreter that has it.

    python peer.py httpx|openai URL COUNT STARTS_PER_SECOND BODY

Prints `{"samples": [[first token, seconds measured], …], "cpu": ms a stream}`.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

Row = tuple[str, float]
Ask = Callable[[], Awaitable[Row]]


async def httpx_asks(url: str, body: dict[str, Any]) -> tuple[Ask, Callable[[], Awaitable[None]]]:
    """One streamed request by httpx, clocked from the call."""
    import httpx  # noqa: PLC0415  only the chosen peer is installed

    limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
    client = httpx.AsyncClient(timeout=None, limits=limits)  # noqa: S113  the caller bounds the run

    async def ask() -> Row:
        start, row = time.monotonic(), None
        async with client.stream("POST", f"{url}/chat/completions", json=body) as response:
            async for line in response.aiter_lines():
                if row is None and line.startswith("data: {"):
                    choices = json.loads(line[6:])["choices"]
                    text = choices[0]["delta"].get("content") if choices else ""
                    if text:
                        row = (text, time.monotonic() - start)
        assert row is not None  # noqa: S101  the host always says something
        return row

    return ask, client.aclose


async def openai_asks(url: str, body: dict[str, Any]) -> tuple[Ask, Callable[[], Awaitable[None]]]:
    """One streamed request by the openai SDK, clocked from the call."""
    import openai  # noqa: PLC0415  as above

    client = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0, timeout=300)

    async def ask() -> Row:
        start, row = time.monotonic(), None
        async for chunk in await client.chat.completions.create(**body):
            text = chunk.choices[0].delta.content if chunk.choices else ""
            if row is None and text:
                row = (text, time.monotonic() - start)
        assert row is not None  # noqa: S101  as above
        return row

    return ask, client.close


async def main(name: str, url: str, count: int, rate: float, body: dict[str, Any]) -> None:
    """Ask `count` times, `rate` starts a second, and print what was measured."""
    ask, close = await {"httpx": httpx_asks, "openai": openai_asks}[name](url, body)
    rows: list[Row] = []
    began = time.monotonic()

    async def one(place: int) -> None:
        await asyncio.sleep(max(0.0, began + place / rate - time.monotonic()))
        rows.append(await ask())

    async with asyncio.TaskGroup() as group:
        for place in range(count):
            group.create_task(one(place))
    await close()
    spent = resource.getrusage(resource.RUSAGE_SELF)
    cpu = (spent.ru_utime + spent.ru_stime) * 1000 / count
    print(json.dumps({"samples": rows, "cpu": cpu}))


if __name__ == "__main__":
    name, url, count, rate, body = sys.argv[1:]
    asyncio.run(main(name, url, int(count), float(rate), json.loads(body)))
