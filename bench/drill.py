"""What a canary catches and whom it wrongs, over many drills.

    python bench/drill.py [--seeds 20] [--first 1] [--hours 48]

Each seed is two days of twelve hosts under logical time: four go wrong for good in different ways, the
others err at 1 % of their answers, with storms of transport errors, an empty listing now and then and
one fault of the probe itself. Exit status 1 if a fault was missed or a healthy host was suspended;
in which failing round each was caught is in the table.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

Drilled = dict[str, Any]
SURE = 0.95


def main() -> int:
    """Drill, two at a time, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--hours", type=int, default=48)
    parser.add_argument("--at-once", type=int, default=2)
    asked = parser.parse_args()
    names = (
        f"{'seed':>5}{'probes':>8}{'USD':>9}{'charged':>9}{'wrong':>7}{'missed':>8}{'held':>6}{'least':>7}"
    )
    print(f"{names}  caught at failing round (of)")
    drills: list[Drilled] = []
    with ThreadPoolExecutor(asked.at_once) as pool:
        seeds = range(asked.first, asked.first + asked.seeds)
        for drilled in pool.map(lambda seed: run(seed, asked.hours), seeds):
            drills.append(drilled)
            print(line(drilled), flush=True)
    return summary(drills)


def run(seed: int, hours: int) -> Drilled:
    """One drill in a process of its own."""
    command = [sys.executable, "-m", "serinus", "drill", "--seed", str(seed), "--hours", str(hours), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(f"seed {seed}: {done.stderr[-1000:]}")
    return dict(json.loads(done.stdout))


def line(d: Drilled) -> str:
    """One drill's line."""
    caught = ", ".join(f"{c['route']} {c['failing']} ({c['rounds']})" for c in d["caught"])
    counts = f"{len(d['wrong']):>7}{len(d['missed']):>8}{len(d['held']):>6}{d['least_capacity'] or 0:>7}"
    wrong = "".join(f"\n      wrong: {w['route']} {w['at']} {w['contracts']}" for w in d["wrong"])
    return f"{d['seed']:>5}{d['probes']:>8}{d['usd']:>9.4f}{d['charged']:>9.4f}{counts}  {caught}{wrong}"


def summary(drills: Sequence[Drilled]) -> int:
    """What all drills say together; 1 if it is not what was promised."""
    caught = [c for d in drills for c in d["caught"]]
    missed = sum(len(d["missed"]) for d in drills)
    wrong = sum(len(d["wrong"]) for d in drills)
    days = sum(d["healthy_host_days"] for d in drills)
    low, high = rate(wrong, days / 1000)
    failing = Counter(c["failing"] for c in caught)
    told: Counter[str] = Counter()
    for d in drills:
        told.update(d["messages"])
    least = min((d["least_capacity"] for d in drills if d["least_capacity"] is not None), default=None)
    held = sum(len(d["held"]) for d in drills)
    usd, charged, forecast = (sum(d[name] for d in drills) for name in ("usd", "charged", "forecast"))
    rounds = ", ".join(f"{n}: {failing[n]}" for n in sorted(failing))
    print()
    print(f"caught {len(caught)} of {len(caught) + missed} faults; at failing round {rounds}")
    print(f"wrongly suspended {wrong} in {days:.0f} days of healthy hosts:", end=" ")
    print(f"{low:.2f} to {high:.2f} per 1,000 (exact, {SURE:.0%})")
    print(f"least capacity left by a suspension: {least}; held at the floor {held}")
    off = f"reported {usd / charged - 1:+.1%}, forecast for healthy hosts {forecast / charged - 1:+.1%}"
    print(f"charged {charged:.4f} USD; {off}")
    messages = ", ".join(f"{kind} {n / len(drills):.1f}" for kind, n in told.most_common())
    print(f"messages a drill: {messages}")
    return int(bool(missed or wrong))


def rate(events: int, exposure: float) -> tuple[float, float]:
    """The exact interval of a Poisson rate (Garwood 1936), by bisection."""
    tail = (1 - SURE) / 2
    low = 0.0 if events == 0 else solved(lambda mean: 1 - below(events - 1, mean), tail)
    high = solved(lambda mean: -below(events, mean), -tail)
    return low / exposure, high / exposure


def below(events: int, mean: float) -> float:
    """The chance of at most so many events."""
    return sum(math.exp(-mean + n * math.log(mean) - math.lgamma(n + 1)) for n in range(events + 1))


def solved(rising: Callable[[float], float], value: float) -> float:
    """Where a rising function of a mean has that value."""
    low, high = 1e-9, 1e4
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < value else (low, middle)
    return high


if __name__ == "__main__":
    sys.exit(main())
