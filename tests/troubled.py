"""A gateway on a real socket that answers most routes well, and each other one with a trouble of its own."""

from __future__ import annotations

import asyncio
import gzip
import json
import tracemalloc
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from multidict import CIMultiDict

from raw_server import Peer, raw_server
from serinus.contracts import by_name
from serinus.core.model import Limits, Word
from serinus.core.policy import Decision, Kind, Mode, Policy
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.pace import Pace
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from serinus.service.canary import Canary, Outcome
from serinus.service.planning import ModelPlan
from serinus.simulator.corpus import corpus
from serinus.simulator.desk import Desk, Incoming
from serinus.simulator.gateway import SimulatedGateway
from serinus.simulator.ledger import Ledger
from serinus.simulator.scenario import Host, Latency, Scenario
from serinus.simulator.steps import Reply, encoded
from serinus.store import open_store
from simulated import BEGAN, MODEL

AT_ONCE = Latency(0.0, 0.0, 0.0)
HEALTHY = tuple(f"well{n}" for n in range(30))  # more than half of all providers, so that no round is void
LIMITS = Limits(first_text=2.0, first_sign=2.0, hard=2.5, lag=1.5)
CONTRACTS = ("first_token", "filtering", "structured_output", "stall", "completion", "protocol", "usage")
HALF_HOUR = timedelta(minutes=30)

Spoil = Callable[[Peer, bytes, bytes], Awaitable[None]]


@dataclass(frozen=True)
class Trouble:
    """What is done to an answer, given its head and its body; `word` is what `first_token` says of it.

    `suspends` marks what R6 calls a failure.
    """

    spoil: Spoil
    word: Word = Word.TRANSPORT
    suspends: bool = False


def events(body: bytes) -> list[bytes]:
    return [part + b"\n\n" for part in body.split(b"\n\n") if part]


def cut(share: float) -> Spoil:
    """A reset after a share of the bytes, head and all."""

    async def spoil(peer: Peer, head: bytes, body: bytes) -> None:
        wire = head + body
        await peer.send(wire[: int(len(wire) * share)])
        await asyncio.sleep(0.02)  # so that the bytes arrive before the reset takes them away
        peer.reset()

    return spoil


def closed(share: float) -> Spoil:
    """An orderly end after a share of the body."""

    async def spoil(peer: Peer, head: bytes, body: bytes) -> None:
        await peer.send(head + body[: int(len(body) * share)])

    return spoil


async def silent(peer: Peer, _head: bytes, _body: bytes) -> None:
    await peer.hold()


async def slow_head(peer: Peer, head: bytes, _body: bytes) -> None:
    while not peer.gone.is_set():
        for byte in head[:-2]:  # the last line never ends
            await peer.send(bytes([byte]), pause=0.05)


async def slow_body(peer: Peer, head: bytes, body: bytes) -> None:
    await peer.send(head)
    for byte in body * 9:
        if peer.gone.is_set():
            return
        await peer.send(bytes([byte]), pause=0.05)


async def comments(peer: Peer, head: bytes, _body: bytes) -> None:
    await peer.send(head)
    while not peer.gone.is_set():
        await peer.send(b": OPENROUTER PROCESSING\n\n", pause=0.1)


async def head_alone(peer: Peer, head: bytes, _body: bytes) -> None:
    await peer.send(head)
    await peer.hold()


async def single_bytes(peer: Peer, head: bytes, body: bytes) -> None:
    await peer.send(head)
    for start in range(0, len(body), 400):  # a part of a character, a part of an event
        await peer.send(*(body[i : i + 1] for i in range(start, min(start + 40, len(body)))))
        await peer.send(body[start + 40 : start + 400])


async def ten_thousand(peer: Peer, head: bytes, body: bytes) -> None:
    """Ten thousand chunks: the answer's own, and empty ones between its first text and its end."""
    parts = events(body)
    chunk = b'data: {"choices": [{"index": 0, "delta": {"content": ""}}]}\n\n'
    await peer.send(head, b"".join(parts[:-3]), chunk * (10_000 - len(parts)), b"".join(parts[-3:]))


async def doubled_ends(peer: Peer, head: bytes, body: bytes) -> None:
    parts = events(body)
    await peer.send(head + b"".join([*parts[:-3], *(p for part in parts[-3:] for p in (part, part))]))


async def bill_first(peer: Peer, head: bytes, body: bytes) -> None:
    """The chunk with the bill comes before the finish reason."""
    parts = events(body)
    await peer.send(head + b"".join([*parts[:-3], parts[-2], parts[-3], parts[-1]]))


async def shuffled(peer: Peer, head: bytes, body: bytes) -> None:
    """The end mark comes before the finish reason and the bill."""
    parts = events(body)
    await peer.send(head + b"".join([*parts[:-3], parts[-1], *parts[-3:-1]]))


async def long_line(peer: Peer, head: bytes, _body: bytes) -> None:
    await peer.send(head, b"data: ")
    with suppress(ConnectionError):
        for _ in range(80):
            await peer.send(b"x" * 65536)


async def long_body(peer: Peer, _head: bytes, _body: bytes) -> None:
    await peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    with suppress(ConnectionError):
        for _ in range(80):
            await peer.send(b"[" * 65536)


async def long_header(peer: Peer, _head: bytes, _body: bytes) -> None:
    with suppress(ConnectionError):
        await peer.send(b"HTTP/1.1 200 OK\r\nX-Much: ", b"y" * 3_000_000, b"\r\n\r\n{}")


async def many_headers(peer: Peer, _head: bytes, body: bytes) -> None:
    with suppress(ConnectionError):
        await peer.send(b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 200_000 + b"\r\n" + body)


async def packed(peer: Peer, head: bytes, body: bytes) -> None:
    await peer.send(head[:-2] + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(body))


async def packed_badly(peer: Peer, head: bytes, body: bytes) -> None:
    await peer.send(head[:-2] + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(body)[:200])


async def not_http(peer: Peer, _head: bytes, _body: bytes) -> None:
    await peer.send(b"SSH-2.0-OpenSSH_9.9\r\n")


async def storm(peer: Peer, _head: bytes, _body: bytes) -> None:
    said = b'{"error": {"code": 429, "message": "Provider returned error"}}'
    length = b"Content-Length: %d\r\n\r\n" % len(said)
    await peer.send(
        b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3600\r\nContent-Type: application/json\r\n"
        + length
        + said
    )


TROUBLES: Mapping[str, Trouble] = {
    **{f"reset_at_{n}0": Trouble(cut(n / 10)) for n in range(10)},
    **{f"closed_at_{n}0": Trouble(closed(n / 10)) for n in (0, 3, 6, 9)},
    "silent": Trouble(silent),
    "slow_head": Trouble(slow_head),
    "slow_body": Trouble(slow_body, Word.FAIL, suspends=True),
    "comments": Trouble(comments, Word.FAIL, suspends=True),
    "head_alone": Trouble(head_alone, Word.FAIL, suspends=True),
    "single_bytes": Trouble(single_bytes, Word.PASS),
    "ten_thousand": Trouble(ten_thousand, Word.PASS),
    "doubled_ends": Trouble(doubled_ends, Word.PASS),
    "bill_first": Trouble(bill_first, Word.PASS),
    "shuffled": Trouble(shuffled, Word.PASS),
    "long_line": Trouble(long_line, Word.INCONCLUSIVE),
    "long_body": Trouble(long_body),
    "long_header": Trouble(long_header),
    "many_headers": Trouble(many_headers),
    "packed": Trouble(packed, Word.PASS),
    "packed_badly": Trouble(packed_badly),
    "not_http": Trouble(not_http),
    "storm": Trouble(storm),
}

# Megabytes that are read while others are timed would be our lateness, not theirs.
HEAVY = frozenset({"ten_thousand", "long_line", "long_body", "long_header", "many_headers"})
GROUPS = (tuple(t for t in TROUBLES if t not in HEAVY), tuple(t for t in TROUBLES if t in HEAVY))


@dataclass
class Wire:
    """The gateway's socket.

    `spoils` are by tag; `listing` stands in for the listing's answer; while `deaf` is true every
    connection breaks.
    """

    tags: Sequence[str]
    spoils: dict[str, Spoil] = field(default_factory=dict)
    listing: Spoil | None = None
    deaf: Callable[[int], bool] = lambda _seen: False
    seen: int = 0

    def __post_init__(self) -> None:
        hosts = tuple(Host(tag, tag.title(), tag, latency=AT_ONCE) for tag in self.tags)
        world = Scenario((MODEL,), hosts, seed=3)
        self._desk = Desk(SimulatedGateway(world, corpus(), BEGAN), Ledger(0.0))

    async def script(self, peer: Peer) -> None:
        """Answer one request."""
        self.seen += 1
        if self.deaf(self.seen):
            peer.reset()
            return
        line, _, rest = peer.request.partition(b"\r\n")
        method, path, _ = line.decode().split(" ", 2)
        head, _, body = rest.partition(b"\r\n\r\n")
        headers: CIMultiDict[str] = CIMultiDict(
            [tuple(h.split(": ", 1)) for h in head.decode().split("\r\n")]
        )
        reply = self._desk.reply(Incoming(method, path, {}, headers, body, "http://gateway"), BEGAN)
        assert isinstance(reply, Reply)
        answer = b"".join(map(encoded, reply.steps))
        lines = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
        start = f"HTTP/1.1 {reply.status} Said\r\n{lines}\r\n".encode()
        tag = json.loads(body)["provider"]["only"][0] if body else None
        spoil = self.spoils.get(tag) if tag else self.listing if path.endswith("/endpoints") else None
        if spoil is None:
            await peer.send(start + answer)
        else:
            await spoil(peer, start, answer)


@dataclass
class World:
    """A canary over the wire, on a wall clock that tests move; rounds are asked by `ask`."""

    wire: Wire
    url: str
    prober: Prober
    now: datetime = BEGAN
    outcomes: list[Outcome] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = open_store("sqlite://")
        plan = ModelPlan(MODEL.id, ("en",), tuple(by_name(n) for n in CONTRACTS), limits=LIMITS)
        self.canary = Canary(
            store=self.store,
            gateway=OpenRouter(self.prober, Secret("sk-simulated"), base_url=f"{self.url}/api/v1"),
            pace=Pace(starts_per_second=float("inf"), in_flight=100),
            policy=Policy(mode=Mode.ENFORCE),
            plans={MODEL.id: plan},
            clock=lambda: self.now,
        )

    async def round(self, after: timedelta = HALF_HOUR) -> Outcome | None:
        """One planned round, and then so much time."""
        outcome = await self.canary.round(MODEL.id, self.now)
        if outcome is not None:
            self.outcomes.append(outcome)
        self.now += after
        return outcome

    def suspended(self) -> set[str]:
        """The routes that were ever suspended."""
        return {
            e.route or ""
            for outcome in self.outcomes
            for e in outcome.entries
            if isinstance(e, Decision) and e.kind is Kind.SUSPENDED
        }

    def words(self, contract: str) -> dict[str, set[Word]]:
        """What the contract settled on for each route over the rounds."""
        found: dict[str, set[Word]] = {}
        for outcome in self.outcomes:
            for route in outcome.report.routes:
                for f in route.findings:
                    if f.contract == contract:
                        found.setdefault(route.offer.route.tag, set()).add(f.verdict.word)
        return found


def live(wire: Wire, story: Callable[[World], Awaitable[None]]) -> World:
    """Tell a story over the wire; the world as it is afterwards."""

    async def run() -> World:
        async with raw_server(wire.script) as url, Prober() as prober:
            world = World(wire, url, prober)
            try:
                await story(world)
            finally:
                world.store.close()
            return world

    return asyncio.run(run())


def troubled(tags: Sequence[str]) -> Wire:
    """A wire on which each of these routes has the trouble of its name, and most have none."""
    well = HEALTHY[: len(tags) + 2]
    return Wire([*tags, *well], {tag: TROUBLES[tag].spoil for tag in tags})


async def two_rounds(world: World) -> None:
    for _ in range(2):
        await world.round()


def peak_of(work: Callable[[], Any]) -> tuple[Any, int]:
    """What the work gives, and the bytes that it held at most beyond those before it."""
    tracemalloc.start()
    try:
        return work(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
