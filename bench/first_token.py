"""How far a measured time to first token is from the truth, under load; the host is another process.

    python bench/first_token.py [--peer httpx=PYTHON] [--peer openai=PYTHON] [--aiperf PATH] [--guidellm PATH]

Two patterns: starts paced so that `--in-flight` probes are in flight all the time, and all at once.
The error is measured minus true, in milliseconds: the truth is the host's own, from the request's
last byte being there to the first token being written. `lag` is what the prober says of its own
loop, `unseen` how much of the worst error it does not account for, `lagged` the share of answers on
which no latency verdict would rest (R6 of the specification: more than 50 ms). On a busy machine
give the bench precedence, `chrt -f 10 python bench/first_token.py`, or read `lagged` first.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from first_token_parts.tools import TOOLS, truth
from serinus.prober.attempt import Patience
from serinus.prober.exchange import Request
from serinus.prober.pace import Pace
from serinus.prober.prober import Prober
from serinus.wire.chat import answer_of_events

PARTS = Path(__file__).parent / "first_token_parts"
BODY = {
    "model": "bench",
    "stream": True,
    "max_tokens": 64,
    "messages": [
        {"role": "system", "content": "You are Mira. " * 100},
        {"role": "user", "content": "Tell on."},
    ],
}
LASTS = 5.0  # seconds a paced stream lasts, so that 100 starts a second are 500 in flight
LAG = 50.0  # ms of our own lateness above which no latency verdict rests on an answer
OURS = "serinus"
PAUSE = 1.0  # seconds between two measurements, for the machine to settle


@dataclass(frozen=True)
class Pattern:
    """How probes start: how many, how many a second, and how long their streams last in seconds."""

    name: str
    count: int
    rate: float
    lasts: float | None


@dataclass(frozen=True)
class Sample:
    """One answer: milliseconds."""

    error: float
    lag: float = 0.0


@dataclass(frozen=True)
class Run:
    """One tool under one pattern."""

    tool: str
    pattern: str
    samples: Sequence[Sample]
    cpu: float | None = None  # milliseconds of processor time for each stream


@contextlib.contextmanager
def host(*, lasts: float | None = None) -> Iterator[str]:
    """The server in a process of its own; yields its address."""
    tokens = [] if lasts is None else ["--gap", "0.05", "--tokens", str(round((lasts - 1.0) / 0.05))]
    command = [sys.executable, str(PARTS / "host.py"), *tokens]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101  it was asked for
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.terminate()


def sample(first: str, measured: float, lag: float = 0.0) -> Sample:
    """The error of one measurement in seconds, from the truth in its first token."""
    return Sample(measured * 1000 - truth(first), lag * 1000)


async def ours(url: str, pattern: Pattern) -> list[Sample]:
    """This project's prober, as a round uses it."""
    request = Request(
        "POST",
        f"{url}/chat/completions",
        {"Content-Type": "application/json"},
        json.dumps(BODY).encode(),
    )
    pace = Pace(starts_per_second=pattern.rate, in_flight=pattern.count, per_provider=pattern.count)
    found: list[Sample] = []

    async def probe(prober: Prober) -> None:
        async with pace.slot("bench"):
            exchange = await prober.exchange(request, Patience())
        first = next(d for d in answer_of_events(exchange.events).deltas if d.text.strip())
        found.append(sample(first.text, first.at or 0.0, exchange.timing.lag or 0.0))

    async with Prober() as prober, asyncio.TaskGroup() as group:
        for _ in range(pattern.count):
            group.create_task(probe(prober))
    return found


def run_ours(pattern: Pattern) -> Run:
    """Ours under one pattern, with its processor time."""
    with host(lasts=pattern.lasts) as url:
        before = resource.getrusage(resource.RUSAGE_SELF)
        samples = asyncio.run(ours(url, pattern))
        after = resource.getrusage(resource.RUSAGE_SELF)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(OURS, pattern.name, samples, spent * 1000 / pattern.count)


def run_peer(name: str, python: str, pattern: Pattern) -> Run:
    """A client library under the same pattern, by another interpreter."""
    script = [python, str(PARTS / "peer.py"), name]
    with host(lasts=pattern.lasts) as url:
        command = [*script, url, str(pattern.count), str(pattern.rate), json.dumps(BODY)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        print(f"{name}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return Run(name, pattern.name, [])
    rows = json.loads(done.stdout)
    return Run(name, pattern.name, [sample(*row) for row in rows["samples"]], rows["cpu"])


def run_tool(name: str, path: str, pattern: Pattern) -> Run:
    """A load tester, all at once; its own report says what it measured."""
    with host() as url:
        try:
            errors = TOOLS[name](path, url, pattern.count)
        except (OSError, RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"{name}: {error}", file=sys.stderr)
            errors = []
    return Run(name, pattern.name, [Sample(error) for error in errors])


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def row(run: Run, best: float) -> str:
    """One line of the table; `best` is our own 99th percentile under the same pattern."""
    if not run.samples:
        return f"{run.pattern:<22}{run.tool:<10}{0:>6}  no measurement"
    errors = [abs(s.error) for s in run.samples]
    worst = quantile(errors, 0.99)
    figures = [quantile(errors, 0.5), quantile(errors, 0.9), worst, max(errors)]
    line = f"{run.pattern:<22}{run.tool:<10}{len(errors):>6}" + "".join(f"{x:>9.2f}" for x in figures)
    line += f"{worst / best:>8.1f}x" + (f"{run.cpu:>9.1f}" if run.cpu is not None else f"{'':>9}")
    if run.tool == OURS:
        lagged = sum(s.lag > LAG for s in run.samples) / len(run.samples)
        unseen = max(abs(s.error) - s.lag for s in run.samples)
        line += f"{quantile([s.lag for s in run.samples], 0.99):>9.1f}{unseen:>9.1f}{lagged:>8.1%}"
    return line


def table(runs: Sequence[Run]) -> None:
    """Print the runs, each with its error as a multiple of ours under the same pattern."""
    print(
        f"{'pattern':<22}{'tool':<10}{'n':>6}{'p50 ms':>9}{'p90':>9}{'p99':>9}{'max':>9}"
        f"{'p99/ours':>9}{'cpu ms':>9}{'lag p99':>9}{'unseen':>9}{'lagged':>8}"
    )
    best: dict[str, float] = {}
    for run in runs:
        if run.tool == OURS:
            best[run.pattern] = quantile([abs(s.error) for s in run.samples], 0.99)
        print(row(run, best[run.pattern]))


def measure(options: argparse.Namespace) -> Iterator[Run]:
    """All runs that were asked for, ours first under each pattern."""
    rate = options.in_flight / LASTS
    steady = Pattern(f"{options.in_flight} in flight, paced", round(rate * options.seconds), rate, LASTS)
    burst = Pattern(f"{options.in_flight} at once", options.in_flight, float("inf"), None)
    for pattern in (steady, burst):
        yield run_ours(pattern)
        for peer in options.peer:
            time.sleep(PAUSE)
            name, _, python = peer.partition("=")
            yield run_peer(name, python, pattern)
        time.sleep(PAUSE)
    for name in TOOLS:
        path = getattr(options, name) or shutil.which(name)
        if path:
            yield run_tool(name, path, burst)
            time.sleep(PAUSE)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--in-flight", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=15.0, help="how long paced starts go on")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=PYTHON", help="httpx or openai")
    for name in TOOLS:
        parser.add_argument(f"--{name}", metavar="PATH", help="its command; it is found on PATH, too")
    options = parser.parse_args()
    for _ in range(options.repeat):
        runs = []
        for run in measure(options):
            runs.append(run)
            print(f"{run.pattern}: {run.tool} done", file=sys.stderr)
        table(runs)


if __name__ == "__main__":
    main()
