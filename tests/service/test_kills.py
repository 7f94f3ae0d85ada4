"""`kill -9` in the middle of rounds loses no decision and doubles none; `bench/kill_canary.py` has more."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent


def test_a_canary_killed_again_and_again_decides_and_tells_as_an_undisturbed_one(tmp_path):
    command = [sys.executable, "-m", "service.kills", str(tmp_path), "--kills", "8", "--rounds", "20"]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, timeout=300, check=False)
    told = json.loads(done.stdout or "{}")
    assert done.returncode == 0, done.stderr or told
    assert told["kills"] == 8
    assert told["differing"] == []
    assert told["messages_lost"] == 0
    assert told["rounds"] == 20
    assert told["decisions"] >= 3
