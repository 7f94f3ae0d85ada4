"""Where the API and the pages are served, and how they are reached."""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_address, ip_network
from typing import Annotated

from pydantic import AfterValidator, Field

from serinus.config.kinds import Allowed, Port, Span, Switch, Url
from serinus.config.section import Section


def _address(text: str) -> str:
    return text if text == "localhost" else str(ip_address(text))


def _network(text: str) -> str:
    return str(ip_network(text, strict=False))


Address = Annotated[
    str,
    AfterValidator(_address),
    Allowed("localhost or an IP address of this machine; 0.0.0.0 or :: for all of them"),
]
HostNames = Annotated[
    tuple[Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$")], ...],
    Allowed('a list of host names in lower case, such as ["canary.example.org"]'),
]
Networks = Annotated[
    tuple[Annotated[str, AfterValidator(_network)], ...],
    Allowed('a list of IP addresses or networks, such as ["127.0.0.1", "10.0.0.0/8"]'),
]
HeaderName = Annotated[
    Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,64}$")] | None,
    Allowed("the name of a header, such as X-Remote-User; absent for none"),
]
BasePath = Annotated[
    str,
    Field(pattern=r"^(/[A-Za-z0-9._~-]+)*$", max_length=200),
    Allowed("a path without a slash at its end, such as /serinus; empty for none"),
]


class Serve(Section):
    """The API and the pages: `serinus serve`, which is part of `serinus run`."""

    enabled: Switch = True
    """Whether `serinus run` serves."""
    host: Address = "127.0.0.1"
    """Where it listens; elsewhere than on loopback only once there is an operator."""
    port: Port = 7717
    """The port."""
    names: Annotated[HostNames, Field(examples=[("canary.example.org",)])] = ()
    """The host names by which it is reached beside loopback ones, such as behind a proxy."""
    base_path: BasePath = ""
    """What a proxy takes away before every path, for links."""
    public_url: Annotated[
        Url | None,
        Field(examples=["https://canary.example.org/serinus"]),
        Allowed("an http:// or https:// URL without query; absent for no links"),
    ] = None
    """Where operators open the pages, `base_path` included: notices link to them; absent for no links."""
    proxies: Annotated[Networks, Field(examples=[("127.0.0.1",)])] = ()
    """The proxies whose X-Forwarded-For, X-Forwarded-Proto and `user_header` are believed."""
    user_header: Annotated[HeaderName, Field(examples=["X-Remote-User"])] = None
    """The header in which these proxies name the operator whom they logged in; from others it is refused."""
    session: Span = timedelta(hours=12)
    """How long a browser stays logged in."""
