"""Performs the steps of a response on a real connection."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping

from aiohttp import web

from serinus.simulator.steps import Drop, Hold, Open, Reset, Step, Wait, encoded

Sleep = Callable[[float], Awaitable[None]]


async def perform(
    request: web.Request,
    steps: Iterable[Step] | AsyncIterable[Step],
    *,
    headers: Mapping[str, str],
    sleep: Sleep,
    status: int = 200,
) -> web.StreamResponse:
    """Send the response that the steps make; returns when it ended, however it did."""
    response = web.StreamResponse(status=status, headers=headers)
    async for step in _each(steps):
        match step:
            case Wait(seconds):
                await sleep(seconds)
            case Hold():
                await asyncio.Event().wait()  # until the client goes or the server stops
            case Reset() | Drop():
                _break(request, reset=isinstance(step, Reset))
                return response
            case _:
                if not response.prepared:
                    await response.prepare(request)
                if not isinstance(step, Open):
                    await response.write(encoded(step))
    if not response.prepared:
        await response.prepare(request)
    await response.write_eof()
    return response


async def _each(steps: Iterable[Step] | AsyncIterable[Step]) -> AsyncIterable[Step]:
    if isinstance(steps, AsyncIterable):
        async for step in steps:
            yield step
    else:
        for step in steps:
            yield step


def _break(request: web.Request, *, reset: bool) -> None:
    transport = request.transport
    if transport is None:
        return
    if not reset:
        transport.close()
        return
    connection: socket.socket | None = transport.get_extra_info("socket")
    if connection is not None:
        # Lingering for zero seconds makes the kernel send a reset instead of an orderly end.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
