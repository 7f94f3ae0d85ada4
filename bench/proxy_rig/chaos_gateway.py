"""A gateway that misbehaves as each request asks it to, and checks that the request came unaltered.

    python -m proxy_rig.chaos_gateway PORT

`x-digest` is the SHA-256 of the body as the caller wrote it; names like "chaos/7" are what the proxy may
have added. `GET /counts` tells how many came and how many were altered.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import sys
from typing import Any

NAMES = re.compile(rb',?"chaos/\d+"')
EVENT = (
    'data: {"id":"gen-%d","provider":"Amber","choices":[{"delta":{"content":"a"},"finish_reason":%s}]}\n\n'
)
USAGE = 'data: {"id":"gen-%d","usage":{"prompt_tokens":3,"completion_tokens":8}}\n\ndata: [DONE]\n\n'
WHOLE = b'{"id":"gen-%d","provider":"Amber","choices":[{"finish_reason":"stop"}]}'
HEAD = b"HTTP/1.1 %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


class Counts:
    """What came, in this process's life."""

    came = 0
    altered = 0


def as_written(body: bytes) -> bytes:
    """The body without what the proxy added."""
    plain = NAMES.sub(b"", body)
    return plain.replace(b'"provider":{"ignore":[]},', b"", 1).replace(b'"ignore":[],', b"", 1)


class Caller(asyncio.Protocol):
    """One connection of the proxy."""

    def __init__(self) -> None:
        self.got = b""
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A proxy connects."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer every request that is whole."""
        self.got += data
        while True:
            head, end, rest = self.got.partition(b"\r\n\r\n")
            if not end:
                return
            fields = {}
            for line in head.split(b"\r\n")[1:]:
                name, _, value = line.partition(b":")
                fields[name.strip().lower()] = value.strip()
            size = int(fields.get(b"content-length", 0))
            if len(rest) < size:
                return
            body, self.got = rest[:size], rest[size:]
            self.answer(head, fields, body)

    def answer(self, head: bytes, fields: dict[bytes, bytes], body: bytes) -> None:
        """Do as the request asks."""
        if head.startswith(b"GET /counts"):
            self.whole(json.dumps({"came": Counts.came, "altered": Counts.altered}).encode())
            return
        Counts.came += 1
        if hashlib.sha256(as_written(body)).hexdigest().encode() != fields.get(b"x-digest"):
            Counts.altered += 1
        how = fields.get(b"x-how", b"stream").decode()
        if how == "reset":
            self.transport.abort()
        elif how == "busy":
            self.whole(b'{"error":{"code":429,"message":"rate"}}', b"429 Too Many Requests")
        elif how == "whole":
            self.whole(WHOLE % Counts.came)
        else:
            self.stream(Counts.came, how)

    def whole(self, body: bytes, status: bytes = b"200 OK") -> None:
        """An answer in one piece."""
        self.transport.write(HEAD % (status, len(body)) + body)

    def stream(self, number: int, how: str) -> None:
        """A stream; `cut` breaks it off, `long` makes it one that a slow reader cannot take at once."""
        events = [EVENT % (number, "null")] * (2000 if how == "long" else 8)
        text = "".join([*events, EVENT % (number, '"stop"'), USAGE % number]).encode()
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        if how == "cut":
            self.transport.write(head + b"%x\r\n%b" % (len(text), text[: len(text) // 2]))
            self.transport.abort() if number % 2 else self.transport.close()
            return
        self.transport.write(head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(text), text))


async def main() -> None:
    """Serve for ever."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Caller, "127.0.0.1", int(sys.argv[1]), backlog=4096)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
