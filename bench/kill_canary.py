"""How often a killed canary decides like an undisturbed one.

    python bench/kill_canary.py [--kills 20] [--seeds 6]

Each seed is a day of its own on the simulated gateway under logical time: five hosts of which two go
wrong, with a storm, a flapping listing and a probe-wide outage. The process is killed by SIGKILL at
random instants and started again until the day is done; every row of every table is compared with
that of a day that nothing disturbed. Exit status 1 if anything was lost or written twice.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"
COLUMNS = (
    "kills",
    "rounds_cut",
    "rounds",
    "decisions",
    "findings",
    "messages",
    "differing",
    "messages_lost",
    "messages_sent_again",
    "seconds",
)


def main() -> int:
    """Kill, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=48)
    asked = parser.parse_args()
    print("seed  " + "".join(f"{name.removeprefix('messages_').replace('_', ' '):>13}" for name in COLUMNS))
    bad = 0
    for seed in range(1, asked.seeds + 1):
        with tempfile.TemporaryDirectory() as folder:
            options = ["--kills", str(asked.kills), "--rounds", str(asked.rounds), "--seed", str(seed)]
            command = [sys.executable, "-m", "service.kills", folder, *options]
            done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=False)
        bad += done.returncode != 0
        told = json.loads(done.stdout or "{}")
        told["differing"] = ",".join(told.get("differing", ["?"])) or 0
        print(f"{seed:<6}" + "".join(f"{told.get(name, '?'):>13}" for name in COLUMNS), flush=True)
        if done.returncode:
            print(done.stderr[-2000:])
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
