"""Kills the true canary in the middle of its day, again and again, and compares what it left.

`python -m service.kills FOLDER [--kills N] [--rounds R] [--seed S]`, in the folder of tests. Each life
is a process of its own, ended by SIGKILL at a random instant; the next one takes over as `serinus run`
does. In the end every row of every table must be that of a day that nothing disturbed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from alembic import command  # noqa: F401  imported here, so that each life need not

from service.day import Day, live
from store.kills import Heard, born, open_rounds, said, wait
from store.rows import dumped

FURTHEST = 150  # calls to the store that a life may make before its end, about two rounds and a half


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--rounds", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    begun = time.perf_counter()
    live(day_in(asked.folder / "warm", 2, asked.seed))  # so that no life need load what judges read
    calm, hard = (day_in(asked.folder / name, asked.rounds, asked.seed) for name in ("calm", "hard"))
    wait(born(lambda: live(calm)))
    told = {**killed(hard, asked.kills, random.Random(asked.seed)), **compared(calm, hard)}  # noqa: S311  a test's draw
    print(json.dumps({**told, "seconds": round(time.perf_counter() - begun, 1)}))  # noqa: T201  what it is for
    return 1 if told["differing"] or told["messages_lost"] else 0


def day_in(folder: Path, rounds: int, seed: int) -> Day:
    folder.mkdir()
    return Day(folder / "serinus.sqlite", folder / "sent", rounds, seed)


def killed(day: Day, kills: int, chance: random.Random) -> dict[str, int]:
    """Kill lives at random instants: some calls in, then up to 20 ms; the last one may end the day."""
    told = Counter(kills=0, rounds_cut=0, days_over_too_early=0)
    while told["kills"] < kills:
        heard, tell = os.pipe()
        listening = Heard(tell, chance.randint(1, FURTHEST))
        child = born(lambda: live(day, listening))  # noqa: B023  it is over by then
        os.close(tell)
        os.read(heard, 1)
        time.sleep(chance.uniform(0, 0.02))
        os.kill(child, signal.SIGKILL)
        os.close(heard)
        if wait(child):
            told["days_over_too_early"] += 1
            break
        told["kills"] += 1
        told["rounds_cut"] += open_rounds(day.store)
    wait(born(lambda: live(day)))
    return dict(told)


def compared(calm: Day, hard: Day) -> dict[str, object]:
    """What differs; a death may change when a message was noted as sent, and how far the fold was kept."""
    one, other = dumped(calm.store), dumped(hard.store)
    for tables in (one, other):
        tables["delivery"] = [row[:2] for row in tables["delivery"]]
        tables["standing"] = [row for row in tables["standing"] if row[1] != "fold"]
    meant, sent = (Counter(said(day.sent)) for day in (calm, hard))
    return {
        "differing": sorted(table for table in one if one[table] != other.get(table)),
        "rounds": len(one["round"]),
        "entries": len(one["entry"]),
        "decisions": sum(row[3] == "decision" for row in one["entry"]),
        "findings": len(one["finding"]),
        "messages": len(meant),
        "messages_lost": len(meant - sent),
        "messages_sent_again": sum((sent - meant).values()),
    }


if __name__ == "__main__":
    sys.exit(main())
