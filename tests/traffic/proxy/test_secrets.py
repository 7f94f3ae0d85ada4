"""A canary in the key and one in the prompt go through every path, and are found nowhere afterwards."""

import asyncio
import json
from contextlib import contextmanager

from yarl import URL

from proxied import KEY, NOW, PROMPT, Heard, Listed, chat, listening, post, say
from raw_server import CHUNKED, raw_server
from serinus.store import open_store
from serinus.traffic.proxy.bookkeeper import Bookkeeper
from serinus.traffic.proxy.server import serving
from serinus.traffic.proxy.settings import Bounds, Gateway

ANSWER = "canary-in-the-answer"
EVENT = json.dumps({"id": "gen-9", "provider": "Amber", "choices": [{"delta": {"content": ANSWER}}]})
PATHS = ["well", "reset", "cut", "late", "odd", "forbidden", "not_http", "away"]


async def gateway(peer):
    """Behaves as the path in the request says."""
    how = next(word for word in PATHS if f"how={word}".encode() in peer.request)
    if how == "reset":
        peer.reset()
    elif how == "late":
        await peer.hold()
    elif how == "odd":
        await peer.send(f"HTTP/1.1 200 OK\r\nX-Key: {KEY}\x08{PROMPT}\r\n\r\n".encode())
    elif how == "not_http":
        await peer.send(f"{KEY} {PROMPT}\r\n\r\n".encode())
    elif how == "forbidden":
        await peer.send(f"HTTP/1.1 401 No\r\nContent-Length: {len(KEY)}\r\n\r\n{KEY}".encode())
    else:
        await peer.send(CHUNKED)
        await peer.chunk(f"data: {EVENT}\n\n".encode())
        if how == "well":
            await peer.send(b"0\r\n\r\n")
        else:
            peer.reset()


class Failing(Listed):
    """Exclusions whose failure quotes what it was asked."""

    def ignore(self, model):
        if "away" in model:
            message = f"{KEY} {PROMPT} {model}"
            raise RuntimeError(message)
        return super().ignore(model)


async def story(path, log, base):
    """Every path, then the proxy's own pages; what was answered by the proxy itself."""

    @contextmanager
    def opened():
        store = open_store(path, create=True)
        try:
            yield store.ledger
        finally:
            store.close()

    books = Bookkeeper(opened, lambda: NOW, log)
    sock = listening("127.0.0.1", 0)
    port = sock.getsockname()[1]
    settings = Gateway(URL(base)), Bounds(first_byte=0.2, max_body=10_000), Failing()
    async with serving(sock, *settings, now=lambda: NOW, log=log, books=books):
        for how in PATHS:
            body = chat(user=f"{PROMPT}-user", model=f"acme/{how}")
            await say(port, post(body, f"/v1/chat/completions?how={how}"))
        own = [
            await say(port, post(chat(), f"/{KEY}/{PROMPT}")),
            await say(port, post(chat() * 100)),
            await say(port, f"GET /v1/{KEY} HTTP/1.1\r\nA\0{KEY}: {PROMPT}\r\n\r\n".encode()),
            await say(port, post(chat(), "/v1/chat/completions?how=late")),
        ]
        pages = [
            f"GET /{page} HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n" for page in ("health", "metrics")
        ]
        return own + [await say(port, page.encode()) for page in pages]


def test_no_canary_is_found_in_logs_errors_store_or_metrics(tmp_path, capfd, caplog):
    caplog.set_level(0)
    log = Heard()

    async def told():
        async with raw_server(gateway) as base:
            return await story(tmp_path / "serinus.sqlite", log, base)

    own = asyncio.run(told())
    files = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert b"gen-9" in b"".join(files.values())  # the ledger was written
    printed = capfd.readouterr()
    places = {
        **files,
        "log": "".join(log.lines).encode(),
        "logging": caplog.text.encode(),
        "output": (printed.out + printed.err).encode(),
        "own answers": b"".join(own),
    }
    canaries = [KEY, PROMPT, ANSWER]
    assert {name for name, text in places.items() for c in canaries if c.encode() in text} == set()
    assert b"serinus_proxy_ends_total" in places["own answers"]
