"""A host that knows the truth: its first token carries when the request came and when the token went.

Both on CLOCK_MONOTONIC, in nanoseconds, which all processes of one machine share. Run as a process
of its own; prints its port. The bytes are those of an OpenAI-compatible stream behind a gateway:
comments while it waits, a role-only chunk, then the token.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
COMMENT_EVERY = 0.25
MODELS = json.dumps(
    {"object": "list", "data": [{"id": "bench", "object": "model", "owned_by": "bench"}]}
).encode()


def event(text: str | None, finish: str | None = None, **more: object) -> bytes:
    """One chunk of the transfer encoding with one event in it."""
    delta = {"role": "assistant", "content": text} if text is not None else {}
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    value = {
        "id": "gen-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "bench",
        "choices": choices,
    }
    return framed(f"data: {json.dumps(value | more)}\n\n".encode())


def framed(data: bytes) -> bytes:
    """The data as a chunk of the transfer encoding."""
    return b"%x\r\n%s\r\n" % (len(data), data)


class Stream(asyncio.Protocol):
    """One connection, one request after another."""

    served = 0

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.loop = asyncio.get_running_loop()
        self.transport: asyncio.Transport | None = None
        self.buffer = b""
        self.arrived = 0
        self.close = False
        self.due = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self.transport = transport  # type: ignore[assignment]  a TCP transport

    def data_received(self, data: bytes) -> None:
        """Gather a request; the moment its last byte is here is its arrival."""
        now = time.monotonic_ns()
        self.buffer += data
        head, blank, body = self.buffer.partition(b"\r\n\r\n")
        if not blank:
            return
        lines = [line.lower() for line in head.split(b"\r\n")]
        length = next((int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length:")), 0)
        if len(body) < length:
            return
        self.buffer = b""
        self.close = b"connection: close" in lines
        if head.startswith(b"GET"):
            self.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                % (len(MODELS), MODELS)
            )
            return
        self.arrived = now
        self.begin()

    def write(self, data: bytes) -> None:
        """Write if the client is still there."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def begin(self) -> None:
        """Headers, a role-only chunk, comments, and a first token after a delay of its own."""
        # Golden-ratio steps spread the delays evenly, in the same order in each run.
        share = (Stream.served * 0.6180339887498949) % 1.0
        Stream.served += 1
        self.due = (
            self.loop.time() + self.options.shortest + share * (self.options.longest - self.options.shortest)
        )
        self.write(HEAD + event(""))
        self.wait()

    def wait(self) -> None:
        """A comment now and then, until the token is due."""
        left = self.due - self.loop.time()
        if left > COMMENT_EVERY:
            self.loop.call_later(COMMENT_EVERY, self.comment)
        else:
            self.loop.call_at(self.due, self.first)

    def comment(self) -> None:
        """What a gateway says while its host is silent."""
        self.write(framed(b": OPENROUTER PROCESSING\n\n"))
        self.wait()

    def first(self) -> None:
        """The first token, with the truth in it."""
        # Padded, so that the text has one length; the time is taken last.
        blank = "0" * 19
        template = event(f"t{self.arrived}:{blank} ")
        self.write(template.replace(blank.encode(), b"%019d" % time.monotonic_ns()))
        self.loop.call_later(self.options.gap, self.more, self.options.tokens)

    def more(self, left: int) -> None:
        """The rest of the answer."""
        if left:
            self.write(event("word "))
            self.loop.call_later(self.options.gap, self.more, left - 1)
            return
        usage = {
            "prompt_tokens": 9,
            "completion_tokens": self.options.tokens + 1,
            "total_tokens": self.options.tokens + 10,
        }
        self.write(event("", "stop", usage=usage) + framed(b"data: [DONE]\n\n") + b"0\r\n\r\n")
        if self.close and self.transport is not None:
            self.transport.close()


async def main(options: argparse.Namespace) -> None:
    """Serve until the process is ended."""
    server = await asyncio.get_running_loop().create_server(
        lambda: Stream(options), "127.0.0.1", 0, backlog=4096
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shortest", type=float, default=0.5, help="seconds until the first token, at least")
    parser.add_argument("--longest", type=float, default=1.5, help="and at most")
    parser.add_argument("--gap", type=float, default=0.02, help="seconds between later tokens")
    parser.add_argument("--tokens", type=int, default=20, help="tokens after the first")
    asyncio.run(main(parser.parse_args()))
