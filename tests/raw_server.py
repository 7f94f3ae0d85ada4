"""A server that says exactly the bytes a test scripts, at the pace and with the end it scripts."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


@dataclass
class Peer:
    """One connection after its request was read; `request` is all of it."""

    request: bytes
    writer: asyncio.StreamWriter
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, *pieces: bytes, pause: float = 0.0) -> None:
        """Write the pieces, each in a segment of its own; stop quietly once the client has left."""
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()
            await asyncio.sleep(pause)

    async def chunk(self, piece: bytes) -> None:
        await self.send(b"%x\r\n%s\r\n" % (len(piece), piece))

    async def hold(self) -> None:
        """Say nothing more until the client leaves."""
        await self.gone.wait()

    def reset(self) -> None:
        """Break the connection with a RST."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Script = Callable[[Peer], Awaitable[None]]


async def _read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        (
            int(line.split(b":")[1])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length")
        ),
        0,
    )
    return head + (await reader.readexactly(length) if length else b"")


async def _watch(reader: asyncio.StreamReader, gone: asyncio.Event) -> None:
    with suppress(ConnectionError):
        while await reader.read(4096):
            pass
    gone.set()


@asynccontextmanager
async def bare_server(handler: Callable[[asyncio.StreamReader, Peer], Awaitable[None]]) -> AsyncIterator[str]:
    """Hand each connection to the handler as it is; yields `host:port`, and ends when all have ended."""
    serving: set[asyncio.Task[None] | None] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(asyncio.current_task())
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await handler(reader, Peer(b"", writer))
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    try:
        yield f"{host}:{port}"
    finally:
        server.close()
        await server.wait_closed()
        await asyncio.gather(*filter(None, serving), return_exceptions=True)  # clients have left, so all end


@asynccontextmanager
async def raw_server(script: Script) -> AsyncIterator[str]:
    """Serve the script over HTTP on a free port; yields the server's address."""

    async def handle(reader: asyncio.StreamReader, peer: Peer) -> None:
        peer.request = await _read_request(reader)
        async with asyncio.TaskGroup() as group:
            watch = group.create_task(_watch(reader, peer.gone))
            with suppress(ConnectionError):
                await script(peer)
            watch.cancel()

    async with bare_server(handle) as address:
        yield f"http://{address}"
