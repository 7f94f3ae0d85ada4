"""How fast a history folds: rounds a second, and how often the time of merely parsing its JSON.

    python bench/replay.py [--rounds 10000] [--routes 15]

The ratio is taken in the same run, so that it can be compared between machines. Four contracts a
route; one route in five is broken for a tenth of the time, and every answer fails at 1 %.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from serinus.core.instants import format_instant
from serinus.core.policy import Mode, Policy, State, decide, fold
from serinus.core.policy.journal import from_json, to_json
from serinus.service.history import parse_event

START = datetime(2026, 1, 1, tzinfo=UTC)
CONTRACTS = ("first_token", "filtering", "structured_output", "language")
POLICY = Policy(mode=Mode.ENFORCE)


def history(rounds: int, routes: int) -> Iterator[str]:
    """One line a round, half an hour apart."""
    chance = Random(1)  # noqa: S311  repeatable, not secret
    live = [f"p{n}/fp8" for n in range(routes)]
    for number in range(rounds):
        bad = number % 200 < 20  # noqa: PLR2004  a tenth of the time
        rates = {tag: 0.5 if bad and n % 5 == 0 else 0.01 for n, tag in enumerate(live)}
        results = {
            tag: {c: "fail" if chance.random() < rate else "pass" for c in CONTRACTS}
            for tag, rate in rates.items()
        }
        at = format_instant(START + timedelta(minutes=30 * number))
        event = {"at": at, "event": "round", "model": "m", "live": live, "results": results}
        yield json.dumps({**event, "controls": {"openai": "caught"}})


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """(seconds, result) of one run."""
    start = perf_counter()
    result = work()
    return perf_counter() - start, result


def decided(events: list[Any]) -> list[Any]:
    """Every entry that the events lead to."""
    state, log = State(), []
    for event in events:
        entries = decide(POLICY, state, event)
        state = fold(entries, state)
        log += entries
    return log


def command(lines: list[bytes]) -> None:
    """The whole command, its start included."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "history.jsonl"
        file.write_bytes(b"\n".join(lines))
        subprocess.run(
            [sys.executable, "-m", "serinus", "replay", str(file)], stdout=subprocess.DEVNULL, check=True
        )


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--routes", type=int, default=15)
    options = parser.parse_args()
    lines = [line.encode() for line in history(options.rounds, options.routes)]
    parsing, _ = timed(lambda: [json.loads(line) for line in lines])
    reading, events = timed(lambda: [parse_event(line) for line in lines])
    deciding, log = timed(lambda: decided(events))
    folding, state = timed(lambda: fold(log))
    records = [json.dumps(to_json(entry)) for entry in log]
    starting, again = timed(lambda: fold(from_json(json.loads(record)) for record in records))
    if again != state:
        sys.exit("the log as JSON gives another state")
    running, _ = timed(lambda: command(lines))
    print(
        f"{options.rounds} rounds x {options.routes} routes x {len(CONTRACTS)} contracts, {len(log)} entries"
    )
    print(f"{'':34}{'seconds':>9}{'rounds/s':>11}{'x parsing':>11}")
    for name, seconds in {
        "parsing the JSON alone": parsing,
        "reading lines into events": reading,
        "deciding and evolving": deciding,
        "folding the entries": folding,
        "the same from JSON, as at start": starting,
        "serinus replay, start included": running,
    }.items():
        print(f"{name:34}{seconds:9.2f}{options.rounds / seconds:11.0f}{seconds / parsing:11.1f}")


if __name__ == "__main__":
    main()
