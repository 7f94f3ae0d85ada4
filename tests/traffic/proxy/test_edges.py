"""Paths, header fields and addresses: what passes, and what no peer gets through."""

import asyncio
import socket

import pytest
from aiohttp.abc import AbstractResolver

from serinus.traffic.proxy.addresses import ForbiddenAddressError, VettedResolver, vet, vet_host
from serinus.traffic.proxy.endpoints import BadPathError, endpoint_of
from serinus.traffic.proxy.headers import BadFieldsError, check, to_caller, to_gateway


@pytest.mark.parametrize("prefix", [b"/v1/", b"/api/v1/"])
@pytest.mark.parametrize(
    ("rest", "routed"),
    [
        (b"chat/completions", True),
        (b"messages", True),
        (b"embeddings", True),
        (b"presets/mine/chat/completions", False),
        (b"models/acme/story-70b/endpoints", False),
        (b"audio/speech", False),
        (b"files/a%20b", False),
    ],
)
def test_a_path_leads_beneath_the_gateway_as_it_was_written(prefix, rest, routed):
    endpoint = endpoint_of(prefix + rest)
    assert (endpoint.path, endpoint.routed) == (rest.decode(), routed)


@pytest.mark.parametrize(
    "path",
    [
        *(b"/", b"/v1", b"/v2/models", b"/v1/", b"/metricsx", b"//v1/models"),
        *(b"/v1/../admin", b"/v1/%2e%2e/admin", b"/v1/%252e%252e/admin", b"/v1/a/..%2fb", b"/v1/a%5c..%5cb"),
        *(b"/v1//evil.example/x", b"/v1/%2fevil", b"/v1/a%0d%0ab", b"/v1/a%00", b"/v1/a\xff", b"/v1/a b"),
    ],
)
def test_a_path_that_might_lead_elsewhere_is_refused(path):
    with pytest.raises(BadPathError):
        endpoint_of(path)


def test_fields_of_one_connection_stay_there_and_all_others_pass():
    fields = check(
        [
            *((b"Authorization", b"Bearer k"), (b"Connection", b"close, X-Private"), (b"X-Private", b"1")),
            *((b"Transfer-Encoding", b"chunked"), (b"TE", b"trailers"), (b"Host", b"proxy")),
            *((b"Proxy-Authorization", b"p"), (b"X-Two", b"a"), (b"X-Two", b"\xe9")),
        ]
    )
    assert to_gateway(fields) == [("authorization", "Bearer k"), ("x-two", "a"), ("x-two", "é")]
    back = check([(b"Content-Length", b"3"), (b"Keep-Alive", b"timeout=5"), (b"Set-Cookie", b"a=b")])
    assert to_caller(back, bodiless=False) == [(b"content-length", b"3"), (b"set-cookie", b"a=b")]
    assert to_caller(back, bodiless=True) == [(b"set-cookie", b"a=b")]


@pytest.mark.parametrize(
    "fields",
    [
        [(b"a", b"b\r\nevil: 1")],
        [(b"a", b"b\nevil: 1")],
        [(b"a", b"b\rc")],
        [(b"a", b"b\0")],
        [(b"a b", b"c")],
        [(b"", b"c")],
        [(b"a:", b"c")],
        [(b"content-length", b"3"), (b"content-length", b"3")],
        [(b"content-length", b"3"), (b"transfer-encoding", b"chunked")],
        [(b"transfer-encoding", b"chunked"), (b"transfer-encoding", b"chunked")],
        [(b"transfer-encoding", b"gzip, chunked")],
        [(b"transfer-encoding", b"xchunked")],
        [(b"content-length", b"+3")],
        [(b"content-length", b"3, 3")],
        [(b"content-length", b"0x3")],
    ],
)
def test_a_header_section_that_reads_in_two_ways_is_refused(fields):
    with pytest.raises(BadFieldsError):
        check(fields)


FORBIDDEN = [
    *("169.254.169.254", "169.254.0.1", "fe80::1", "fe80::1%eth0", "fd00:ec2::254", "100.100.100.200"),
    *("::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1"),
]


@pytest.mark.parametrize("address", FORBIDDEN)
def test_a_metadata_address_is_no_gateway_unless_somebody_says_so(address):
    with pytest.raises(ForbiddenAddressError):
        vet(address, link_local=False)
    with pytest.raises(ForbiddenAddressError):
        vet_host(f"[{address}]" if ":" in address else address, link_local=False)
    vet(address, link_local=True)


@pytest.mark.parametrize("address", ["224.0.0.1", "0.0.0.0", "::", "ff02::1", "255.255.255.255"])  # noqa: S104  refused here
def test_an_address_of_no_server_is_refused_always(address):
    with pytest.raises(ForbiddenAddressError):
        vet(address, link_local=True)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.0.0.7", "8.8.8.8", "2606:4700::1"])
def test_a_gateway_of_ones_own_may_stand_at_home(address):
    vet(address, link_local=False)


class Names(AbstractResolver):
    """A name server that answers with these."""

    def __init__(self, *addresses):
        self.addresses = addresses

    async def resolve(self, host, port=0, family=socket.AF_INET):
        return [
            {"hostname": host, "host": a, "port": port, "family": family, "proto": 0, "flags": 0}
            for a in self.addresses
        ]

    async def close(self):
        pass


def test_what_was_vetted_is_what_is_connected_to():
    found = asyncio.run(VettedResolver(inner=Names("8.8.8.8")).resolve("gateway.example", 443))
    assert [one["host"] for one in found] == ["8.8.8.8"]


def test_a_name_with_one_bad_address_is_not_trusted_with_the_others():
    with pytest.raises(ForbiddenAddressError):
        asyncio.run(VettedResolver(inner=Names("8.8.8.8", "169.254.169.254")).resolve("gateway.example"))
