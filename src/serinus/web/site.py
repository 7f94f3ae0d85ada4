"""How the server is reached: where it listens, by which names, through which proxies."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})

Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Site:
    """Where the server listens and how it is reached.

    `names` are host names by which it is reached beside loopback ones; without any, a server that
    listens elsewhere takes every name. `proxies` are peers whose X-Forwarded headers are believed, and
    `user_header` what they name the operator in. `base_path` is what they put before every address.
    """

    host: str = "127.0.0.1"
    names: frozenset[str] = frozenset()
    proxies: tuple[Network, ...] = ()
    user_header: str | None = None
    base_path: str = ""
    session: timedelta = timedelta(hours=12)

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def root(self) -> str:
        """The path of the first page, where our cookies belong."""
        return self.base_path or "/"

    def takes(self, name: str, *, closed: bool) -> bool:
        """Whether a request's Host may be this: else a page elsewhere may have made it up (DNS rebinding).

        `closed` says that everybody needs a credential.
        """
        if name in LOOPBACK_NAMES or name in self.names:
            return True
        return closed and not self.names and not self.loopback

    def below(self, address: str) -> str:
        """Path and query of an address of ours, below the base path: where a form was sent from."""
        page = urlsplit(address)
        path = page.path.removeprefix(self.base_path) or "/"
        return f"{path}?{page.query}" if page.query else path

    def trusts(self, peer: str) -> bool:
        """Whether a peer is one of the proxies."""
        try:
            address = ip_address(peer.partition("%")[0])
        except ValueError:
            return False
        return any(address in network for network in self.proxies)

    def caller(self, peer: str, headers: Headers) -> tuple[str, bool]:
        """The address that asks, and whether by https, as far as the proxies can be believed."""
        if not self.trusts(peer):
            return peer, False
        secure = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower() == "https"
        for hop in reversed(",".join(headers.getlist("x-forwarded-for")).split(",")):
            if hop.strip() and not self.trusts(hop.strip()):
                return hop.strip(), secure
        return peer, secure


def is_loopback(host: str) -> bool:
    """Whether an address to listen at, or a name of one, is reached from this machine only."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def host_name(header: str) -> str:
    """The name in a Host header, without port and brackets, in lower case; empty if it is none."""
    name = header.strip().lower()
    if name.startswith("["):
        address, closed, _ = name[1:].partition("]")
        return address if closed else ""
    return name.partition(":")[0]
