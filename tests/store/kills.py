"""Kills a scripted day again and again, and compares what it wrote with an undisturbed one.

`python -m store.kills FOLDER [--kills N | --each-call] [--made] [--seed S] [--models M] [--rounds R]`, in the
folder of tests. Each life is a process of its own, forked so that it starts at once, and ended by
SIGKILL: at a random instant, or at its n-th call to the database for n = 1, 2, …
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from alembic import command  # noqa: F401  imported here, so that each life need not

from serinus.store import open_store
from store.day import Day, live
from store.rows import dumped


def main() -> int:
    asked = arguments()
    calm = day_in(asked.folder / "calm", asked)
    wait(born(lambda: live(calm)))
    begun = time.perf_counter()
    told = at_each_call(asked, calm) if asked.each_call else at_random(asked, calm)
    print(json.dumps({**told, "seconds": round(time.perf_counter() - begun, 1)}))  # noqa: T201  what it is for
    return 1 if told["differing"] or told["messages_lost"] else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--each-call", action="store_true")
    parser.add_argument("--made", action="store_true", help="begin with an empty store instead of none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=48)
    return parser.parse_args()


def day_in(folder: Path, asked: argparse.Namespace) -> Day:
    folder.mkdir()
    day = Day(folder / "serinus.sqlite", folder / "sent", asked.models, asked.rounds)
    if asked.made:
        made = asked.folder / "made.sqlite"
        if not made.exists():
            wait(born(lambda: open_store(made, create=True).close()))
        shutil.copy(made, day.store)
    return day


def at_random(asked: argparse.Namespace, calm: Day) -> dict:
    """Kill each life at a random instant, up to 150 calls and 2 ms in, then let the last one end."""
    chance = random.Random(asked.seed)  # noqa: S311  a test's draw
    hard = day_in(asked.folder / "hard", asked)
    told = Counter()
    while told["kills"] < asked.kills:
        heard, tell = os.pipe()
        listening = Heard(tell, chance.randint(1, 150))
        child = born(lambda: live(hard, listening))  # noqa: B023  it is over by then
        os.close(tell)
        os.read(heard, 1)
        time.sleep(chance.uniform(0, 0.002))
        os.kill(child, signal.SIGKILL)
        os.close(heard)
        if wait(child):
            told["days_over_too_early"] += 1
            break
        told["kills"] += 1
        told["rounds_cut"] += open_rounds(hard.store)
    wait(born(lambda: live(hard)))
    return {**told, **compared(calm, hard)}


def at_each_call(asked: argparse.Namespace, calm: Day) -> dict:
    """Kill a day at its n-th call and let the next life end it, for n = 1, 2, … to the day's last call."""
    told = Counter()
    while True:
        hard = day_in(asked.folder / f"hard{told['kills']}", asked)
        if wait(born(lambda: live(hard, Fatal(told["kills"] + 1)))):  # noqa: B023  it is over by then
            return {**told, **compared(calm, hard)}
        told["kills"] += 1
        told["rounds_cut"] += open_rounds(hard.store)
        wait(born(lambda: live(hard)))  # noqa: B023  it is over by then
        outcome = compared(calm, hard)
        told["messages_sent_again"] += outcome["messages_sent_again"]
        if outcome["differing"] or outcome["messages_lost"]:
            return {**told, **outcome}


def open_rounds(store: Path) -> int:
    """How many rounds a killed life left half asked; 0 too if it had made no tables yet."""
    if not store.exists():
        return 0
    with closing(sqlite3.connect(store)) as c:
        if not c.execute("SELECT 1 FROM sqlite_master WHERE name = 'round'").fetchall():
            return 0
        return c.execute("SELECT count(*) FROM round WHERE state = 'open'").fetchone()[0]


class Heard:
    """Writes a byte at the n-th call, so that a slow machine is killed as far into the day as a fast one."""

    def __init__(self, pipe: int, n: int) -> None:
        self.pipe, self.left = pipe, n

    def __call__(self, statement: str) -> None:
        del statement
        self.left -= 1
        if self.left == 0:
            os.write(self.pipe, b".")


class Fatal:
    """Ends its own process at the n-th call, as `kill -9` would."""

    def __init__(self, n: int) -> None:
        self.left = n

    def __call__(self, statement: str) -> None:
        del statement
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def born(life: Callable[[], object]) -> int:
    """A process that lives so; its id."""
    child = os.fork()
    if child:
        return child
    try:
        life()
    except BaseException:  # noqa: BLE001  whatever it was: say it, and end without the parent's cleaning up
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def wait(child: int) -> bool:
    """Whether it lived to its end.

    Raises:
        SystemExit: it ended by a fault of its own.
    """
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return False
    if os.WEXITSTATUS(status):
        sys.exit("a life ended with an error, see above")
    return True


def said(sent: Path) -> list[str]:
    """The messages sent in a day."""
    return sent.read_text().splitlines() if sent.exists() else []


def compared(calm: Day, hard: Day) -> dict:
    """Whether every table is the same, and what the messages were."""
    one, other = dumped(calm.store), dumped(hard.store)
    differing = sorted(table for table in one if one[table] != other.get(table))
    meant, sent = (Counter(said(d.sent)) for d in (calm, hard))
    return {
        "differing": differing,
        "entries": len(one["entry"]),
        "rounds": len(one["round"]),
        "findings": len(one["finding"]),
        "messages": len(meant),
        "messages_lost": len(meant - sent),
        "messages_sent_again": sum((sent - meant).values()),
    }


if __name__ == "__main__":
    sys.exit(main())
