"""A list over HTTP: long polls to a serinus, with its entity tag, and nothing else than that address."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import serinus
from serinus.core.http_date import http_date
from serinus.core.published import etag_of
from serinus.traffic.client.file import published_in
from serinus.traffic.client.source import LARGEST, Fetched, SourceError, Wall, instant

PATH: Final = "/v1/exclusions"
PATIENCE: Final = 10.0  # seconds for all that is not waiting for another list
AS_IT_IS: Final = (PATH, ".json")  # how a path ends that leads to a document itself
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_CHUNK: Final = 65_536
_SHOWN: Final = 120


class _Address(NamedTuple):
    scheme: str
    host: str
    port: int
    path: str


class _Reply(NamedTuple):
    status: int
    tag: str | None
    date: str | None
    body: bytes


class UrlSource:
    """One kept connection to one address. No redirect is followed, so that the token goes nowhere else.

    Proxies of the environment are not used: the canary is one's own.
    """

    pause = 1.0

    def __init__(self, url: str, token: str | None, wall: Wall) -> None:
        self._address = _address(url)
        scheme, host, port, path = self._address
        shown = f"[{host}]" if ":" in host else host
        self.name = f"{scheme}://{shown}{'' if port == DEFAULT_PORTS[scheme] else f':{port}'}{path}"
        self._headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": f"serinus/{serinus.__version__}",
            **({} if token is None else {"Authorization": f"Bearer {_sendable(token)}"}),
        }
        self._wall = wall
        self._connection: http.client.HTTPConnection | None = None
        self._current = True  # a tag that was kept on disk is one that only a serinus gives

    def fetch(self, seen: str | None, wait: float) -> Fetched:
        """Ask, and wait for another list than the one with the tag `seen`."""
        headers, path = self._headers, self._address.path
        if seen is not None:
            headers = {**headers, "If-None-Match": seen}
            path = f"{path}?wait={int(wait)}" if wait >= 1 else path
        reply = self._told(headers, path, wait + PATIENCE)
        if reply.status == http.client.NOT_MODIFIED and seen is not None:
            return Fetched(None, seen, self._now(reply), self._current)
        if reply.status != http.client.OK:
            message = f"{self.name} {_said(reply.status)}"
            raise SourceError(message)
        published, document = published_in(reply.body, self.name)
        self._current = reply.tag == etag_of(
            document
        )  # of all of it: a newer serinus may say more than we read
        return Fetched(published, reply.tag, max(self._now(reply), published.at), self._current)

    def interrupt(self) -> None:
        """Hang up, so that a wait in another thread ends."""
        _hang_up(self._connection)

    def let_go(self) -> None:
        """Close the connection; a child's closing of its copy says nothing to the other side."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _now(self, reply: _Reply) -> datetime:
        """Their clock, which wrote when things end; ours where they do not tell."""
        return http_date(reply.date or "") or instant(self._wall())

    def _told(self, headers: dict[str, str], path: str, limit: float) -> _Reply:
        """One exchange; once more if a kept connection turns out to be closed at the other end."""
        kept = self._connection is not None
        try:
            try:
                return self._exchange(headers, path, limit)
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                if not kept:
                    raise
                return self._exchange(headers, path, limit)
        except (OSError, http.client.HTTPException) as error:
            said = str(error)[:_SHOWN] or type(error).__name__
            message = f"{self.name} cannot be asked: {said}"
            raise SourceError(message) from error

    def _exchange(self, headers: dict[str, str], path: str, limit: float) -> _Reply:
        connection = self._connection = self._connection or self._connect()
        connection.timeout = PATIENCE
        whole = False
        try:
            if connection.sock is None:
                connection.connect()
            connection.sock.settimeout(limit)
            with _within(limit, connection):
                connection.request("GET", path, headers=headers)
                response = connection.getresponse()
                body = _body(response)
            whole = not response.will_close
            return _Reply(response.status, response.headers["ETag"], response.headers["Date"], body)
        finally:
            if not whole:
                self._connection = None
                connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        scheme, host, port, _ = self._address
        kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        return kind(host, port, timeout=PATIENCE)


def _address(url: str) -> _Address:
    """The parts of a URL.

    Raises:
        ValueError: it is none that can be asked; what it says is not shown, it may hold a secret.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        message = "the URL of the exclusions cannot be read: host and port are wrong"
        raise ValueError(message) from None
    scheme = parts.scheme.lower()
    if not parts.hostname or not url.isascii() or not url.isprintable() or " " in url:
        message = "the URL of the exclusions has no host, or characters that no URL has"
        raise ValueError(message)
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        message = (
            "the URL of the exclusions has a user, a query or a fragment; allowed is "
            "http(s)://HOST[:PORT][/PATH], with the token apart: as the argument, in SERINUS_TOKEN or in the "
            "file that SERINUS_TOKEN_FILE names"
        )
        raise ValueError(message)
    path = parts.path.rstrip("/")
    return _Address(
        scheme,
        parts.hostname,
        port or DEFAULT_PORTS[scheme],
        path if path.endswith(AS_IT_IS) else path + PATH,
    )


def _sendable(token: str) -> str:
    """A token as a header can carry it.

    Raises:
        ValueError: it cannot; it is not shown.
    """
    if token and token.isascii() and token.isprintable() and " " not in token:
        return token
    message = "the token is empty, or has characters that no token of serinus has (it is not shown)"
    raise ValueError(message)


def _body(response: http.client.HTTPResponse) -> bytes:
    """What came, and one byte more than is allowed where that is too much."""
    parts, left = [], LARGEST + 1
    while left and (part := response.read(min(_CHUNK, left))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


@contextlib.contextmanager
def _within(limit: float, connection: http.client.HTTPConnection) -> Iterator[None]:
    """Hang up after `limit` seconds, however slowly something still comes."""
    timer = threading.Timer(limit, _hang_up, [connection])
    timer.name, timer.daemon = "serinus-exclusions-limit", True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _hang_up(connection: http.client.HTTPConnection | None) -> None:
    opened = connection and connection.sock
    if opened:
        with contextlib.suppress(OSError):
            opened.shutdown(socket.SHUT_RDWR)


def _said(status: int) -> str:
    """What an answer without a list means."""
    if status in {http.client.UNAUTHORIZED, http.client.FORBIDDEN}:
        return f"refuses the token, or wants one ({status})"
    if status in REDIRECTS:
        return f"redirects ({status}), which is not followed: name the address itself"
    if status == http.client.NOT_FOUND:
        return "is not there (404): is it the address of a serinus?"
    return f"answered with status {status}"
