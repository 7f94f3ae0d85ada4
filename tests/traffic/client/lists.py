"""Lists, a server that gives what a test says, and clocks that a test moves."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from serinus.core.exclusions import Exclusion, IgnoreList, Layer, Offered, merge
from serinus.core.published import OTHERS, Published, document, etag_of
from serinus.traffic.client.refresher import Clocks

AT = datetime(2026, 11, 30, 9, tzinfo=UTC)
MODEL = "acme/story-70b"
DAY = timedelta(days=1)


def suspended(name: str, until: datetime = AT + DAY, model: str | None = MODEL) -> Exclusion:
    return Exclusion(
        name, Layer.SUSPENSION, AT - DAY, until, model=model, level=1, contracts=("language",), by="canary"
    )


def excluded(name: str, until: datetime | None = None, model: str | None = MODEL) -> Exclusion:
    return Exclusion(name, Layer.OPERATIONAL, AT - DAY, until, model=model, by="anna", why="slow")


def lists(*entries: Exclusion, at: datetime = AT) -> Published:
    """The lists of two models; an entry without a model holds for all."""
    models = {MODEL, "acme/tale-8b"}
    merged = {name: merge(name, at, entries, Offered(frozenset(), {})) for name in [*models, OTHERS]}
    return Published(at, {name: merged[name] for name in models}, merged[OTHERS])


def merged(model: str, at: datetime, *suspended: str, until: datetime | None = None) -> IgnoreList:
    """A model's list that holds at another instant than `AT`."""
    entries = [
        Exclusion(name, Layer.SUSPENSION, at, until or at + DAY, model, level=1, contracts=("language",))
        for name in suspended
    ]
    return merge(model, at, entries, Offered(frozenset(), {}))


def written(*entries: Exclusion, at: datetime = AT) -> bytes:
    return json.dumps(document(lists(*entries, at=at))).encode()


class Time:
    """A wall clock and a monotonic one; `pass_` moves both, `step` the wall clock alone."""

    def __init__(self, at: datetime = AT) -> None:
        self.wall = at.timestamp()
        self.monotonic = 1000.0

    def pass_(self, delta: timedelta) -> None:
        self.wall += delta.total_seconds()
        self.monotonic += delta.total_seconds()

    def step(self, delta: timedelta) -> None:
        self.wall += delta.total_seconds()

    @property
    def clocks(self) -> Clocks:
        return Clocks(lambda: self.monotonic, lambda: self.wall, lambda: 0.0)


class Asked(NamedTuple):
    path: str
    headers: dict[str, str]


class Reply(NamedTuple):
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = {}  # noqa: RUF012  never changed


def ok(*entries: Exclusion, at: datetime = AT) -> Reply:
    """As a serinus answers."""
    body = written(*entries, at=at)
    return Reply(200, body, {"ETag": etag_of(json.loads(body)), "Date": format_datetime(at, usegmt=True)})


def unchanged(at: datetime = AT) -> Reply:
    return Reply(304, b"", {"Date": format_datetime(at, usegmt=True)})


Play = Callable[[Asked], Reply | Callable[[BaseHTTPRequestHandler], None]]


class Server(ThreadingHTTPServer):
    """Answers what `play` says; `asked` is all that came."""

    daemon_threads = True
    block_on_close = False
    play: Play
    asked: list[Asked]
    url: str

    def handle_error(self, request: object, client_address: object) -> None:
        """A client may leave when it likes."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()})
        self.server.asked.append(asked)
        reply = self.server.play(asked)
        if callable(reply):
            reply(self)
            return
        self.send_response_only(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.status != 304:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as the library names it
        """Quietly."""


@contextmanager
def serving(play: Play) -> Iterator[Server]:
    """A server on a free port."""
    server = Server(("127.0.0.1", 0), _Handler)
    server.play, server.asked = play, []
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
