"""One answer over a wire that breaks anywhere: what came is a prefix, and the end says that it broke."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from shutil import which

import pytest

from one_request import ANSWER, BODY, CALM, QUICK, ask, exchange
from raw_server import CHUNKED, HEAD, Peer, raw_server
from serinus.core.transcript import End, Phase
from serinus.prober.exchange import Exchange, Request
from serinus.prober.prober import Prober

EVENTS = [
    b'data: {"choices": [{"index": 0, "delta": {"content": "gr\xc3\xbc\xc3\x9f"}}]}\n\n',
    b"data: [DONE]\n\n",
]
BOUNDED = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n"


def chunked() -> bytes:
    return CHUNKED + b"".join(b"%x\r\n%s\r\n" % (len(e), e) for e in EVENTS) + b"0\r\n\r\n"


WIRES = {
    "open": HEAD + b"".join(EVENTS),
    "chunked": chunked(),
    "bounded": BOUNDED % len(b"".join(EVENTS)) + b"".join(EVENTS),
}


@pytest.mark.parametrize("kind", WIRES)
def test_a_reset_at_any_byte_is_an_answer_that_broke(kind):
    wire = WIRES[kind]
    done = wire.index(b"[DONE]") + len(b"[DONE]\n\n")
    cuts = list(range(done))

    async def script(peer: Peer) -> None:
        cut = cuts[int(peer.request.partition(b"/cut/")[2].split(b" ")[0])]
        await peer.send(wire[:cut])
        await asyncio.sleep(0)
        peer.reset()

    async def run() -> list[Exchange]:
        async with raw_server(script) as url, Prober() as prober:
            found = []
            for number in range(0, len(cuts), 40):
                part = range(number, min(number + 40, len(cuts)))
                requests = [Request("POST", f"{url}/cut/{n}", body=BODY) for n in part]
                found += await asyncio.gather(*(prober.exchange(r, CALM) for r in requests))
            return found

    whole = [e.removeprefix(b"data: ").strip().decode() for e in EVENTS]
    for cut, found in enumerate(asyncio.run(run())):
        assert found.end is End.RESET, cut
        assert found.phase is (Phase.WAIT if found.status is None else None), cut
        seen = [(event.data or "").rstrip("\ufffd") for event in found.events]  # of a character cut in two
        assert all(w.startswith(s) for s, w in zip(seen, whole, strict=False)), cut
        assert (found.error or "").partition(":")[0] in {"reset", "broken", "disconnected", "not_http"}, found


def test_a_connection_that_is_half_closed_after_the_request_is_no_answer():
    async def script(peer: Peer) -> None:
        peer.writer.write_eof()
        await peer.hold()

    found = exchange(script, QUICK)
    assert (found.status, found.end, found.phase) == (None, End.RESET, Phase.WAIT)


def test_a_peer_that_takes_the_connection_and_reads_nothing_is_given_up():
    async def run() -> Exchange:
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen(8)  # the kernel accepts; nobody ever reads
            port = listening.getsockname()[1]
            return await ask(f"http://127.0.0.1:{port}", QUICK)

    found = asyncio.run(run())
    assert (found.status, found.end, found.phase) == (None, End.HELD, Phase.WAIT)


VALID = ("-startdate", "200101000000Z", "-enddate", "400101000000Z")
EXPIRED = ("-startdate", "200101000000Z", "-enddate", "200102000000Z")
AUTHORITY = """[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
serial = serial
default_md = sha256
policy = any
[any]
commonName = supplied
"""


def certificate(where: Path, name: str, life: tuple[str, ...]) -> ssl.SSLContext:
    """A certificate of our own making for that name and time."""
    for file, text in (("ca.cnf", AUTHORITY), ("index.txt", ""), ("serial", "01\n")):
        (where / file).write_text(text, encoding="utf-8")
    asked = [
        "openssl",
        "req",
        "-new",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "key.pem",
        "-out",
        "req.pem",
    ]
    signed = ["openssl", "ca", "-batch", "-config", "ca.cnf", "-selfsign", "-keyfile", "key.pem"]
    for command in (
        [*asked, "-subj", f"/CN={name}"],
        [*signed, "-in", "req.pem", "-out", "cert.pem", *life],
    ):
        subprocess.run(command, check=True, capture_output=True, cwd=where)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(where / "cert.pem", where / "key.pem")
    return context


@asynccontextmanager
async def tls_server(context: ssl.SSLContext) -> AsyncIterator[str]:
    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + ANSWER)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    try:
        yield f"https://localhost:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await server.wait_closed()


@pytest.mark.skipif(which("openssl") is None, reason="no openssl to make certificates with")
@pytest.mark.parametrize(
    ("name", "life"),
    [
        ("localhost", VALID),
        ("localhost", EXPIRED),
        ("elsewhere.invalid", VALID),
    ],
    ids=["self_signed", "expired", "wrong_host"],
)
def test_a_certificate_that_proves_nothing_is_a_fault_of_tls(tmp_path, name, life):
    context = certificate(tmp_path, name, life)

    async def run() -> Exchange:
        async with tls_server(context) as url:
            return await ask(url)

    found = asyncio.run(run())
    assert (found.status, found.end, found.phase) == (None, End.RESET, Phase.CONNECT)
    assert (found.error or "").startswith("tls: ")


def test_times_never_run_back_whatever_the_wall_clock_does():
    """The prober has a clock of its own, which no one sets."""
    ticks = iter(range(10_000))

    async def run() -> Exchange:
        async def script(peer: Peer) -> None:
            await peer.send(HEAD, *EVENTS)

        async with raw_server(script) as url, Prober(clock=lambda: next(ticks) / 1000) as prober:
            return await prober.exchange(Request("POST", url, body=BODY), replace(CALM, hard=60.0))

    times = [event.at or 0.0 for event in asyncio.run(run()).events]
    assert times == sorted(times)
