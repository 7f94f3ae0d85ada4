"""The parser of a caller's connection, which stays with HTTP/1.1 whatever else the caller offers."""

from __future__ import annotations

from typing import Any

from httptools import HttpParserUpgrade, HttpRequestParser

from serinus.traffic.proxy.headers import Fields, value_of


class Staying:
    """httptools' parser; an offer to go on in another protocol is ignored, as a server may (RFC 9110 §7.8).

    llhttp ends a request that has such an offer (`Upgrade: h2c` is Java's with every one) behind its header
    section. Its body would be lost, or read as the next request where it comes in another read: what one
    caller wrote would be answered to another behind a proxy that shares connections. Here a second parser
    is told how long the body is and reads that and whatever follows.

    `protocol` has httptools' callbacks and the `headers` of the request that is read.
    """

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol
        self._parser = _parser(protocol)

    def feed_data(self, data: bytes) -> None:
        """Parse what a read brought.

        Raises:
            HttpParserError: it is no request.
        """
        while True:
            try:
                self._parser.feed_data(data)
            except HttpParserUpgrade as offered:
                self._parser = self._going_on()
                data = data[offered.args[0] :]
                if data:
                    continue
            return

    def _going_on(self) -> HttpRequestParser:
        framing = _framing(self._protocol.headers)
        if framing is None:
            return _parser(self._protocol)
        parser = _parser(_Beyond(self._protocol))
        parser.feed_data(b"POST / HTTP/1.1\r\n" + framing + b"\r\n\r\n")
        return parser

    def ends_early(self) -> bool:
        """Whether llhttp calls a message complete whose body is still to come."""
        return bool(self._parser.should_upgrade()) and _framing(self._protocol.headers) is not None

    def should_upgrade(self) -> bool:
        """Whether to go on in another protocol: never."""
        return False

    def should_keep_alive(self) -> bool:
        """Whether another request may follow."""
        return bool(self._parser.should_keep_alive())

    def get_http_version(self) -> str:
        """The version that the request is of."""
        return str(self._parser.get_http_version())

    def get_method(self) -> bytes:
        """The request's method."""
        return bytes(self._parser.get_method())


class _Beyond:
    """A protocol that knows the first header section already."""

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol
        self._known = False
        self.on_body = protocol.on_body
        self.on_message_complete = protocol.on_message_complete

    def on_message_begin(self) -> None:
        if self._known:
            self._protocol.on_message_begin()

    def on_url(self, url: bytes) -> None:
        if self._known:
            self._protocol.on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._known:
            self._protocol.on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._known:
            self._protocol.on_headers_complete()
        self._known = True


def _parser(protocol: Any) -> HttpRequestParser:
    parser = HttpRequestParser(protocol)
    parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn's own
    return parser


def _framing(fields: Fields) -> bytes | None:
    """The one field that tells where a body ends; None where there is no body. `check` has seen them."""
    for name in (b"content-length", b"transfer-encoding"):
        value = value_of(fields, name)
        if value is not None:
            return name + b": " + value
    return None
