"""Which addresses the gateway may have: looked up once, vetted, and connected to as looked up.

The base URL is the operator's, its name's address is the DNS's. A name that answers with a cloud's
metadata address would send callers' keys there, so what the resolver found is vetted and handed to the
connector itself: there is no second look-up in between (ASVS 15.4.2).
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from aiohttp import ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult

_METADATA: Final = frozenset(
    map(ip_address, ("169.254.169.254", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254"))
)
_NAT64: Final = ip_address("64:ff9b::")
_LOW_32: Final = (1 << 32) - 1


class ForbiddenAddressError(OSError):
    """The gateway's name leads to an address that no gateway has; the message says which."""


def vet(address: str, *, link_local: bool) -> None:
    """Refuse what no gateway has: link-local and metadata addresses (unless allowed), multicast, any.

    Loopback and private addresses pass: a gateway of one's own stands there.

    Raises:
        ForbiddenAddressError: it is one of those.
    """
    found = _inner(ip_address(address.partition("%")[0]))
    why = None
    if found.is_multicast or found.is_unspecified or found == ip_address("255.255.255.255"):
        why = "is no address of a server"
    elif (found.is_link_local or found in _METADATA) and not link_local:
        why = "is a link-local or metadata address (proxy.link_local allows it)"
    if why:
        message = f"{address} {why}"
        raise ForbiddenAddressError(message)


def vet_host(host: str, *, link_local: bool) -> None:
    """Vet a host that is written as an address; a name is vetted when it is looked up.

    Raises:
        ForbiddenAddressError: as `vet`.
    """
    try:
        ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return
    vet(host.strip("[]"), link_local=link_local)


def _inner(found: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 one stands for, however it is wrapped."""
    if isinstance(found, IPv4Address):
        return found
    if int(found) & ~_LOW_32 == int(_NAT64):
        return IPv4Address(int(found) & _LOW_32)
    return found.ipv4_mapped or found.sixtofour or found


class VettedResolver(AbstractResolver):
    """Looks names up and returns only addresses that passed."""

    def __init__(self, *, link_local: bool = False, inner: AbstractResolver | None = None) -> None:
        self._link_local = link_local
        self._inner = inner or ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a name.

        Raises:
            ForbiddenAddressError: one of them is refused; the others are not trusted either.
        """
        found = await self._inner.resolve(host, port, family)
        for one in found:
            vet(one["host"], link_local=self._link_local)
        return found

    async def close(self) -> None:
        """Let the inner resolver go."""
        await self._inner.close()
