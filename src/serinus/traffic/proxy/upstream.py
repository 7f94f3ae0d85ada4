"""The way to the gateway: one client session, to one address, that follows nothing."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from functools import partial
from typing import Final, cast

from aiohttp import (
    ClientConnectionError,
    ClientConnectorError,
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    ConnectionTimeoutError,
    DummyCookieJar,
    TCPConnector,
)
from aiohttp.client_proto import ResponseHandler
from yarl import URL

from serinus.traffic.proxy.addresses import ForbiddenAddressError, VettedResolver
from serinus.traffic.proxy.endpoints import Endpoint
from serinus.traffic.proxy.relay import Tapped
from serinus.traffic.proxy.replies import Reply, bad_answer, broke_off, unreachable
from serinus.traffic.proxy.settings import Bounds, Gateway

_OWN: Final = frozenset({"User-Agent", "Accept", "Accept-Encoding", "Content-Type"})  # the caller's alone
_PIECE: Final = 256 * 1024
_KEPT_OPEN: Final = 30.0  # seconds; gateways close later, so that a connection is rarely found closed
_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


class UpstreamError(Exception):
    """The gateway gave no answer; `reply` is what the caller is told."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.code)
        self.reply = reply


class Upstream:
    """Sends requests to the gateway.

    Redirects come back as they are, cookies are not kept, no proxy of the environment is asked: a key
    goes to the configured address or nowhere.
    """

    def __init__(self, gateway: Gateway, bounds: Bounds) -> None:
        self._base = str(gateway.base).rstrip("/")
        connector = TCPConnector(
            limit=0,
            resolver=VettedResolver(link_local=gateway.link_local),
            keepalive_timeout=_KEPT_OPEN,
            ttl_dns_cache=60,
        )
        # aiohttp lets nobody choose the class of its connections; a test sees that this one is taken.
        tapped = partial(Tapped, loop=asyncio.get_running_loop())
        connector._factory = cast("partial[ResponseHandler]", tapped)  # noqa: SLF001  as above
        self._session = ClientSession(
            connector=connector,
            auto_decompress=False,
            cookie_jar=DummyCookieJar(),
            timeout=ClientTimeout(total=None, sock_connect=bounds.connect),
            skip_auto_headers=_OWN,
            trust_env=False,
            max_line_size=bounds.max_head,
            max_field_size=bounds.max_head,
        )

    def url(self, endpoint: Endpoint, query: bytes) -> URL:
        """The address of an endpoint, its path and query as they came."""
        asked = f"?{query.decode('ascii')}" if query else ""
        return URL(f"{self._base}/{endpoint.path}{asked}", encoded=True)

    async def send(self, method: str, url: URL, fields: list[tuple[str, str]], body: bytes) -> ClientResponse:
        """The gateway's answer, its body still to be read.

        A request for an answer is sent once. Where a connection that had been idle is found closed, the
        gateway may have read the request before or not: to ask again might be paid twice, and callers'
        libraries try again by themselves. (What changes nothing, a GET, is sent again by aiohttp.)

        Raises:
            UpstreamError: there is no answer.
        """
        announced = [("Content-Length", str(len(body)))] if body or method in _WITH_BODY else []
        try:
            return await self._session.request(
                method,
                url,
                headers=[*fields, *announced],
                data=_pieces(body) if len(body) > _PIECE else body or None,
                allow_redirects=False,
            )
        except (ClientError, OSError, ValueError, TimeoutError) as error:
            raise UpstreamError(_reply_for(error)) from None

    async def close(self) -> None:
        """Let every connection go."""
        await self._session.close()


async def _pieces(body: bytes) -> AsyncIterator[memoryview]:
    """A long body piece by piece, so that other streams go on meanwhile."""
    view = memoryview(body)
    for start in range(0, len(body), _PIECE):
        yield view[start : start + _PIECE]


def _reply_for(error: Exception) -> Reply:
    """What a failure means to the caller; its text stays out, since it may quote what was sent."""
    if isinstance(error, ConnectionTimeoutError):
        return unreachable("it took too long to connect")
    if isinstance(error, ClientConnectorError):
        return unreachable(_why(error))
    if isinstance(error, (ClientConnectionError, ConnectionError)):
        return broke_off()
    return bad_answer()


def _why(error: ClientConnectorError) -> str:
    if isinstance(error.os_error, ssl.SSLError):
        return f"TLS failed ({error.os_error.reason or 'no reason given'})"
    if isinstance(error.os_error, ForbiddenAddressError):
        return "its name leads to an address that no gateway has (see proxy.link_local)"
    return (error.os_error.strerror or "its name could not be looked up").lower()
