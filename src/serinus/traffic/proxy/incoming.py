"""A caller's request, read whole: its body has to be known before its first byte can go on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Final

from serinus.traffic.proxy.endpoints import BadPathError, Endpoint, endpoint_of
from serinus.traffic.proxy.exchange import Exchange
from serinus.traffic.proxy.headers import Fields, value_of
from serinus.traffic.proxy.replies import (
    Reply,
    bad_request,
    busy,
    method_refused,
    not_found,
    old_protocol,
    too_large,
)
from serinus.traffic.proxy.settings import Bounds

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_VISIBLE: Final = (ord("!"), ord("~"))


class RefusedError(Exception):
    """The proxy does not pass this on; `reply` says why."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.code)
        self.reply = reply


class CallerLeftError(Exception):
    """The caller went before its request was whole."""


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a request before its body."""

    method: str
    endpoint: Endpoint
    query: bytes
    fields: Fields

    @property
    def routed(self) -> bool:
        """Whether its body may carry a `provider` object."""
        return self.endpoint.routed and self.method == "POST"


def head_of(scope: Scope) -> Head:
    """The request's head.

    Raises:
        RefusedError: it cannot be passed on.
    """
    method, query = scope["method"], scope["query_string"]
    if scope["http_version"] != "1.1":
        raise RefusedError(old_protocol())
    if method not in _METHODS:
        raise RefusedError(method_refused(method))
    try:
        endpoint = endpoint_of(scope["raw_path"])
    except BadPathError as error:
        raise RefusedError(not_found(str(error))) from None
    if query and not (_VISIBLE[0] <= min(query) and max(query) <= _VISIBLE[1]):
        raise RefusedError(bad_request("the query has characters that have to be escaped"))
    return Head(method, endpoint, query, list(scope["headers"]))


class Intake:
    """Reads bodies, and bounds what all of them hold together."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self.held = 0

    async def read(self, head: Head, receive: Receive, exchange: Exchange) -> bytes:
        """The body, whole.

        Raises:
            RefusedError: it is longer than allowed, or all bodies together are.
            CallerLeftError: it never came.
        """
        announced = int(value_of(head.fields, b"content-length") or 0)
        self._check(announced, announced)
        pieces, size = [], 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise CallerLeftError
            piece = message.get("body", b"")
            size += len(piece)
            self.held += len(piece)
            exchange.held += len(piece)
            self._check(size, 0)
            pieces.append(piece)
            if not message.get("more_body", False):
                return b"".join(pieces) if len(pieces) > 1 else pieces[0]

    def release(self, exchange: Exchange) -> None:
        """The body is on its way, or never will be."""
        self.held -= exchange.held
        exchange.held = 0

    def _check(self, size: int, more: int) -> None:
        if size > self._bounds.max_body:
            raise RefusedError(too_large(self._bounds.max_body))
        if self.held + more > self._bounds.max_held:
            raise RefusedError(busy(self._bounds.in_flight))
