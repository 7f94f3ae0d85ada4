"""A server of HTTP in the loop that is running, and the socket that it listens on."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn


class Server(uvicorn.Server):
    """A server that leaves signals to the program that it is part of, and says when it takes requests."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


def socket_at(host: str, port: int, backlog: int) -> socket.socket:
    """A socket that listens there; at most `backlog` connections wait to be taken.

    It names its protocol, or asyncio would not set TCP_NODELAY on what it takes: a head and a body that are
    written apart then wait for each other, 40 ms on a kept connection.

    Raises:
        OSError: the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(backlog)
        found.setblocking(False)
    except BaseException:
        found.close()
        raise
    return found
