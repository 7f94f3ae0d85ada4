"""What the proxy costs beside nginx, LiteLLM's proxy and Portkey's gateway, all before one gateway.

    python bench/proxy.py [--rounds 3] [--portkey FOLDER] [--only nginx,serinus]

The gateway and the callers are C programs, compiled on the fly, which cost 10 us a stream. Each round
asks every proxy in turn, so that noise of the machine meets all alike; the CPU of a proxy is its whole
process tree's from /proc schedstat, the one number that survives noise. Three measures:

- one caller, answers that come at once: time to the first token, beyond that of no proxy at all;
- paced streams (64 frames, one each 20 ms): CPU of each stream, at 32, 128 and 512 at once;
- at 512: frames lost, and the gap between frames (p99), beyond that of no proxy at all.

Exit status 1 if a goal is missed: 0.25 ms added at p50, 2.5 times nginx's CPU and a thirtieth of LiteLLM's
for a paced stream, no frame lost and a gap p99 of at most 3 ms more at 512.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from proxy_rig.processes import compiled, cpu_seconds, free_port, resident, running
from proxy_rig.targets import MODEL, Target, targets

INSTANT, PACED = (21, 0, 0), (64, 5, 20)  # frames, ms to the first, ms between
CYCLE = 64 * 20  # ms: callers start spread over one stream's time
SLOW = {"litellm": 32, "portkey": 128}  # more at once than this they cannot pace on one core
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Rig:
    """The programs, a folder, and the gateways' ports."""

    programs: dict[str, Path]
    folder: Path
    instant: int
    paced: int

    def load(self, port: int, streams: int, rounds: int, *, paced: bool, headers: str) -> dict[str, float]:
        """What callers saw."""
        frames, spread = (PACED[0], CYCLE) if paced else (INSTANT[0], 0)
        extra = self.folder / "headers"
        extra.write_text(headers, newline="")
        command = [self.programs["load"], port, streams, rounds, frames, spread, self.folder / "body", extra]
        done = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, timeout=300, check=True
        )
        found: dict[str, float] = json.loads(done.stdout)
        return found


@contextmanager
def rig(programs: dict[str, Path], folder: Path) -> Iterator[Rig]:
    """Both gateways, running."""
    body = {"model": MODEL, "stream": True, "messages": [{"role": "user", "content": "x" * 1900}]}
    (folder / "body").write_text(json.dumps(body), encoding="utf-8")
    ports = free_port(), free_port()
    with ExitStack() as stack:
        for port, pace in zip(ports, (INSTANT, PACED), strict=True):
            command = [str(part) for part in (programs["upstream"], port, *pace)]
            stack.enter_context(running(command, port, folder / f"upstream-{port}"))
        yield Rig(programs, folder, *ports)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--portkey", type=Path)
    parser.add_argument("--litellm", type=Path, default=ROOT / ".venv-litellm/bin/litellm")
    parser.add_argument("--uvloop", type=Path, help="a folder with uvloop in it, to measure it too")
    parser.add_argument("--only", default="", help="names, separated by a slash")
    parser.add_argument("--streams", default="32,128,512")
    asked = parser.parse_args()
    found, missing = targets(asked.portkey, asked.litellm, asked.uvloop)
    found = [t for t in found if not asked.only or t.name in asked.only.split("/")]
    print("".join(f"not measured: {line}\n" for line in missing), end="")
    with tempfile.TemporaryDirectory(prefix="serinus-bench-") as name:
        folder = Path(name)
        programs = compiled(folder)
        if not programs:
            print("skipped: no C compiler, and callers in Python would be the bottleneck")
            return 0
        with rig(programs, folder) as made:
            seen = measured(made, found, asked.rounds, [int(n) for n in asked.streams.split(",")])
    show(seen)
    return judged(seen)


Seen = dict[tuple[str, str], list[dict[str, float]]]


def measured(made: Rig, found: list[Target], rounds: int, streams: list[int]) -> Seen:
    """Every measure of every proxy, round by round."""
    seen: Seen = defaultdict(list)
    with ExitStack() as stack:
        up: list[tuple[Target | None, int, int, int, int]] = [(None, made.instant, 0, made.paced, 0)]
        for target in found:
            fast = stack.enter_context(target.before(made.folder, made.instant))
            slow = stack.enter_context(target.before(made.folder, made.paced))
            up.append((target, *fast, *slow))
        for n in range(rounds + 1):  # the first warms up and does not count
            for target, port, _, slow_port, pid in up:
                name = "no proxy" if target is None else target.name
                headers = "" if target is None else target.headers(made.instant)
                one = made.load(port, 1, 20 if name in SLOW else 500, paced=False, headers=headers)
                if n:
                    seen[name, "one"].append(one)
                for many in streams:
                    if many > SLOW.get(name, many):
                        continue
                    headers = "" if target is None else target.headers(made.paced)
                    before, began = cpu_seconds(pid) if pid else 0.0, time.monotonic()
                    got = made.load(slow_port, many, 1, paced=True, headers=headers)
                    got["cpu_ms"] = (cpu_seconds(pid) - before) * 1000 / many if pid else 0.0
                    got["rss"] = resident(pid) / 1e6 if pid else 0.0
                    got["took"] = time.monotonic() - began
                    if n:
                        seen[name, str(many)].append(got)
    return seen


def show(seen: Seen) -> None:
    """Two tables."""
    direct = _median(seen["no proxy", "one"], "first_p50"), _median(seen["no proxy", "one"], "first_p99")
    print(f"\none caller, answers at once{'first token p50 us':>24}{'p99':>9}{'added p50 us':>14}{'p99':>9}")
    for (name, what), runs in seen.items():
        if what == "one":
            p50, p99 = _median(runs, "first_p50"), _median(runs, "first_p99")
            added = f"{(p50 - direct[0]) * 1000:>14.0f}{(p99 - direct[1]) * 1000:>9.0f}"
            print(f"{name:<27}{p50 * 1000:>24.0f}{p99 * 1000:>9.0f}{added}")
    head = f"\n{'paced streams':<20}{'at once':>8}{'CPU ms':>9}{'x nginx':>9}{'lost':>6}{'first p50':>11}"
    print(f"{head}{'p99':>9}{'gap p99 ms':>12}{'more':>8}{'RSS MB':>8}")
    for (name, what), runs in seen.items():
        if what == "one":
            continue
        cpu, nginx = _median(runs, "cpu_ms"), _median(seen.get(("nginx", what), []), "cpu_ms")
        lost = sum(r["lost"] + r["broken"] for r in runs)
        gap = _median(runs, "gap_p99")
        more = gap - _median(seen["no proxy", what], "gap_p99")
        ratio = f"{cpu / nginx:>9.2f}" if nginx else f"{'-':>9}"
        print(f"{name:<20}{what:>8}{cpu:>9.2f}{ratio}{lost:>6.0f}{_median(runs, 'first_p50'):>11.2f}", end="")
        print(f"{_median(runs, 'first_p99'):>9.2f}{gap:>12.2f}{more:>8.2f}{_median(runs, 'rss'):>8.0f}")


def judged(seen: Seen) -> int:
    """Each goal, met or missed; 1 if one is missed."""
    ours, direct = ("serinus", "one"), ("no proxy", "one")
    added = _median(seen[ours], "first_p50") - _median(seen[direct], "first_p50")
    goals = [("added time to first token at p50, ms", added, 0.25)]
    for many in ("128", "512"):
        nginx = _median(seen.get(("nginx", many), []), "cpu_ms")
        if nginx:
            goals.append(
                (
                    f"CPU of a paced stream at {many}, x nginx",
                    _median(seen["serinus", many], "cpu_ms") / nginx,
                    2.5,
                )
            )
    litellm = _median(seen.get(("litellm", "32"), []), "cpu_ms")
    if litellm:
        goals.append(
            (
                "CPU of a paced stream at 32, x LiteLLM",
                _median(seen["serinus", "32"], "cpu_ms") / litellm,
                1 / 30,
            )
        )
    if ("serinus", "512") in seen:
        runs = seen["serinus", "512"]
        goals.append(("frames lost at 512", sum(r["lost"] + r["broken"] for r in runs), 0))
        gap = _median(runs, "gap_p99") - _median(seen["no proxy", "512"], "gap_p99")
        goals.append(("gap p99 more than without, ms", gap, 3.0))
    print()
    for what, got, most in goals:
        print(f"{'met' if got <= most else 'MISSED':<8}{what}: {got:.3f}, at most {most:.3f}")
    return int(any(got > most for _, got, most in goals))


def _median(runs: list[dict[str, float]], what: str) -> float:
    return statistics.median(r[what] for r in runs) if runs else 0.0


if __name__ == "__main__":
    sys.exit(main())
