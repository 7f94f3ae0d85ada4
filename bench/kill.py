"""How often a killed day ends like an undisturbed one: `python bench/kill.py [--kills 40] [--seeds 5]`.

A scripted day of rounds under logical time is killed by SIGKILL at random instants, then at each of
its calls to the database in turn; a disk is full at every possible byte. Every row of every table is
compared. Exit status 1 if anything was lost or written twice.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"


def main() -> int:
    """Kill, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=5)
    asked = parser.parse_args()
    print(
        f"{'':<34}{'kills':>7}{'rounds cut':>12}{'differing':>11}{'lost':>6}{'sent again':>12}{'seconds':>9}"
    )
    bad = 0
    for seed in range(asked.seeds):
        day = ["--kills", str(asked.kills), "--seed", str(seed), "--models", "4"]
        bad += line(f"at random instants, seed {seed}", day)
    bad += line("at each call, from no store on", ["--each-call", "--rounds", "1", "--models", "1"])
    bad += line("at each call, two models", ["--each-call", "--made", "--rounds", "1", "--models", "2"])
    return 1 if bad + full_disk() else 0


def line(what: str, options: list[str]) -> int:
    """One series of kills; 1 if it went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        code, told = run("store.kills", folder, *options)
    lost = told.get("messages_lost", "?")
    counts = (
        f"{told.get('kills', '?'):>7}{told.get('rounds_cut', 0):>12}{len(told.get('differing', '?')):>11}"
    )
    print(
        f"{what:<34}{counts}{lost:>6}{told.get('messages_sent_again', '?'):>12}{told.get('seconds', '?'):>9}"
    )
    return code


def full_disk() -> int:
    """A disk that is full at every possible byte; 1 if a round's end was half written."""
    with tempfile.TemporaryDirectory() as folder:
        code, told = run("store.small_disk", f"{folder}/serinus.sqlite")
    refused = ", ".join(f"{n} {kind}" for kind, n in told.get("refused", {}).items())
    print(f"a full disk refused a round's end whole: {refused}; through at {told.get('through_at')} bytes")
    return code


def run(module: str, *arguments: str) -> tuple[int, dict]:
    """What a script of the tests says."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr[-2000:])
    return done.returncode and 1, json.loads(done.stdout or "{}")


if __name__ == "__main__":
    sys.exit(main())
