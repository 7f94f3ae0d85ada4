"""Performs the steps of a response on a real connection."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final

from aiohttp import web

from serinus.simulator.steps import Drop, Hold, Open, Reset, Step, Wait, encoded

_FLIGHT: Final = 0.05  # seconds for what was sent to arrive: a reset destroys what is still on its way
Sleep = Callable[[float], Awaitable[None]]


class Performer:
    """One response being sent. `do` performs a step; `end` closes the body unless it was broken off."""

    def __init__(
        self, request: web.Request, headers: Mapping[str, str], sleep: Sleep, *, status: int = 200
    ) -> None:
        self._request = request
        self._response = web.StreamResponse(status=status, headers=headers)
        self._sleep = sleep
        self._broken = False

    @property
    def opened(self) -> bool:
        """Whether the status line has been sent."""
        return self._response.prepared

    async def do(self, step: Step) -> None:
        """Perform one step; after a break nothing more happens."""
        if self._broken:
            return
        match step:
            case Wait(seconds):
                await self._sleep(seconds)
            case Hold():
                await asyncio.Event().wait()  # until the client goes or the server stops
            case Reset() | Drop():
                await self._sleep(_FLIGHT)
                self._broken = True
                _break(self._request, reset=isinstance(step, Reset))
            case Open():
                await self._open()
            case _:
                await self._open()
                if self._request.method != "HEAD":  # its answer has no body, or the next would begin with it
                    await self._response.write(encoded(step))

    async def play(self, steps: Iterable[Step]) -> None:
        """Perform steps one after the other."""
        for step in steps:
            await self.do(step)

    async def end(self) -> web.StreamResponse:
        """The response that the server shall take as sent."""
        if not self._broken:
            await self._open()
            await self._response.write_eof()
        return self._response

    async def _open(self) -> None:
        if not self._response.prepared:
            await self._response.prepare(self._request)


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
