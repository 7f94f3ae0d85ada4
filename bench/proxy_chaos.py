"""Many requests through the proxy while everything around it misbehaves.

    python bench/proxy_chaos.py [--requests 20000] [--callers 48]

The gateway resets, cuts, refuses and dies; callers leave, read slowly and send nonsense; the list's
source vanishes and comes back with other names. Then it is counted: no request reached the gateway
altered otherwise than in `provider.ignore`, every request that was forwarded is a row of the ledger or a
counted loss, answers that ended well were whole, and the memory of the last third is that of the second.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from proxy_rig.processes import free_port, resident, running
from proxy_rig.targets import MODEL, serinus_command

HOWS = ["stream"] * 60 + ["whole"] * 15 + ["busy"] * 5 + ["cut"] * 6 + ["reset"] * 4
HOWS += ["leave"] * 5 + ["leave_at_once"] * 3 + ["nonsense"] * 2
SLOW_EVERY = 2000  # of these callers one reads slowly
TEXTS = (
    (20, b'{"model":"%b","stream":true,"messages":[{"role":"user","content":"\\ud83d \\u00e9 %d"}]}'),
    (10, b'{ "model":"%b", "provider" : {"sort":"price"}, "n":%d, "n":1e400}'),
    (10, b'{"model":"%b","provider":{"ignore":["azure"]},"x":[%d]}'),
)
BODIES = [text % (MODEL.encode(), n) for many, text in TEXTS for n in range(many)]
NONSENSE = b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc"
GROWTH = 1.1


@dataclass
class Seen:
    """What callers saw."""

    ends: Counter[str] = field(default_factory=Counter)
    sent: int = 0
    torn: int = 0
    memory: list[int] = field(default_factory=list)


async def main() -> int:
    """Run, count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--callers", type=int, default=48)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="serinus-chaos-") as name, ExitStack() as stack:
        folder, port, gateway_port = Path(name), free_port(), free_port()
        write_list(folder, 0)
        gateway = Gateway(folder, gateway_port)
        gateway.start()
        stack.callback(gateway.stop)
        command = serinus_command(folder, port, gateway_port)
        pid = stack.enter_context(running(command, port, folder / "log"))
        seen, began = Seen(), time.monotonic()
        async with asyncio.TaskGroup() as group:
            nuisance = group.create_task(trouble(folder, gateway, pid, seen))
            callers = [
                group.create_task(caller(port, asked.requests // asked.callers, n, seen))
                for n in range(asked.callers)
            ]
            for task in callers:
                await task
            nuisance.cancel()
        took = time.monotonic() - began
        await asyncio.sleep(3)
        gateway.tally()
        return judged(seen, counted(folder, port), gateway, took)


@dataclass(frozen=True)
class Counted:
    """What the proxy says of itself, and the rows that its store has."""

    forwarded: int
    rows: int
    lost: int
    in_flight: int


def counted(folder: Path, port: int) -> Counted:
    """Ask the proxy's pages and its store."""
    health = fetched(f"http://127.0.0.1:{port}/health")
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as page:
        lines = page.read().decode().splitlines()
    ends = sum(float(line.split()[1]) for line in lines if line.startswith("serinus_proxy_ends_total{"))
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as store:
        (rows,) = store.execute("select count(*) from served").fetchone()
    return Counted(int(ends), rows, health["ledger"]["lost"], health["in_flight"])


def write_list(folder: Path, turn: int) -> None:
    """The published list, whole at once, with other names each turn."""
    at = "2026-11-30T00:00:00Z"
    entry = {"layer": "operational", "since": at, "until": None, "by": "bench", "why": "bench", "level": None}
    names = [f"chaos/{turn + n}" for n in range(turn % 4)]
    entries = [{**entry, "name": name, "contracts": None} for name in names]
    nothing = {"at": at, "ignore": [], "fail_open": False, "entries": [], "unmatched": []}
    found = {**nothing, "model": MODEL, "ignore": names, "entries": entries}
    document = {"version": 1, "at": at, "models": {MODEL: found}, "others": {**nothing, "model": None}}
    new = folder / "exclusions.new"
    new.write_text(json.dumps(document), encoding="utf-8")
    new.replace(folder / "exclusions.json")


def fetched(url: str) -> dict[str, Any]:
    """A JSON page."""
    with urlopen(url, timeout=10) as page:  # noqa: S310  our own
        found: dict[str, Any] = json.load(page)
    return found


class Gateway:
    """The misbehaving gateway, which also dies now and then; its counts outlive it."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.came = self.altered = self.deaths = 0
        self._stack = ExitStack()

    def start(self) -> None:
        """Let it live."""
        command = [sys.executable, "-m", "proxy_rig.chaos_gateway", str(self.port)]
        path = {"PYTHONPATH": str(Path(__file__).parent)}
        self._stack.enter_context(running(command, self.port, self.folder / "gateway", path))

    def tally(self) -> None:
        """Note its counts."""
        found = fetched(f"http://127.0.0.1:{self.port}/counts")
        self.came, self.altered = self.came + found["came"], self.altered + found["altered"]

    def stop(self) -> None:
        """Let it die, with whatever is in flight."""
        self._stack.close()


async def trouble(folder: Path, gateway: Gateway, pid: int, seen: Seen) -> None:
    """The list changes each second, vanishes each tenth; the gateway dies each thirtieth."""
    turn = 0
    while True:
        await asyncio.sleep(1)
        turn += 1
        seen.memory.append(resident(pid))
        if turn % 10 == 0:
            (folder / "exclusions.json").unlink(missing_ok=True)
        else:
            write_list(folder, turn)
        if turn % 30 == 0:
            gateway.tally()
            gateway.deaths += 1
            await asyncio.to_thread(gateway.stop)
            await asyncio.sleep(0.5)
            await asyncio.to_thread(gateway.start)


async def caller(port: int, requests: int, number: int, seen: Seen) -> None:
    """One caller after another on one connection, as long as it lasts."""
    dice = random.Random(number)  # noqa: S311  chaos, not cryptography
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    for n in range(requests):
        how, body = dice.choice(HOWS), dice.choice(BODIES)
        if (n + number * 40) % SLOW_EVERY == 0:
            how = "slow"
        if reader is None or writer is None:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
        seen.sent += 1
        end = await one(reader, writer, how, body)
        seen.ends[f"{how}: {end}"] += 1
        seen.torn += end == "torn"
        if end != "whole":
            writer.close()
            writer = None
    if writer is not None:
        writer.close()


async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, how: str, body: bytes) -> str:
    """One request; how it ended for the caller."""
    if how == "nonsense":
        writer.write(NONSENSE)
    else:
        asks = {"leave": "long", "slow": "long", "leave_at_once": "stream"}.get(how, how)
        digest = hashlib.sha256(body).hexdigest()
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: p\r\nX-How: {asks}\r\nX-Digest: {digest}\r\n"
        writer.write(f"{head}Authorization: Bearer k\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    if how == "leave_at_once":
        return "left"
    try:
        head_ = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
        if how == "leave":
            return "left"
        if how == "slow":
            await asyncio.sleep(2)
        return await _rest(reader, head_)
    except (ConnectionError, asyncio.IncompleteReadError):
        return "cut"


async def _rest(reader: asyncio.StreamReader, head: bytes) -> str:
    status = head.split()[1].decode()
    if b"transfer-encoding: chunked" not in head:
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await asyncio.wait_for(reader.readexactly(length), 60)
        return "whole" if status == "200" else f"status {status}"
    last = b""
    while True:
        size = int(await asyncio.wait_for(reader.readuntil(b"\r\n"), 60), 16)
        data = await reader.readexactly(size + 2)
        if not size:
            return "whole" if last.endswith(b"data: [DONE]\n\n") else "torn"
        last = (last + data[:-2])[-64:]


def judged(seen: Seen, counted: Counted, gateway: Gateway, took: float) -> int:
    """Print what was counted; 1 if anything is missing."""
    third = max(1, len(seen.memory) // 3)
    second, last = max(seen.memory[third : 2 * third]), max(seen.memory[2 * third :])
    print(f"{seen.sent} requests in {took:.0f} s, {seen.sent / took:.0f} a second")
    print(f"the gateway died     {gateway.deaths} times")
    for name, count in sorted(seen.ends.items()):
        print(f"  {name:<28}{count:>9}")
    print(f"came to the gateway  {gateway.came} (and what was in flight when it died)")
    print(f"forwarded            {counted.forwarded}; kept {counted.rows}, counted lost {counted.lost}")
    print(f"memory               {second / 1e6:.0f} MB in the second third, {last / 1e6:.0f} MB in the last")
    wrong = {
        "requests altered": gateway.altered,
        "requests asked twice": max(0, gateway.came - counted.forwarded),
        "answers torn and given as whole": seen.torn,
        "forwarded requests neither kept nor counted": abs(counted.forwarded - counted.rows - counted.lost),
        "still in flight": counted.in_flight,
        "memory grows": int(last > second * GROWTH),
    }
    for what, count in wrong.items():
        print(f"{'ok' if not count else 'WRONG':<8}{what}: {count:.0f}")
    return int(any(wrong.values()))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
