"""`kill -9` at any instant loses no decision and doubles none. `bench/kill.py` does it far more often."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent


def test_a_day_killed_again_and_again_ends_like_an_undisturbed_one(tmp_path):
    command = [sys.executable, "-m", "store.kills", str(tmp_path), "--kills", "25"]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, timeout=300, check=False)
    told = json.loads(done.stdout or "{}")
    assert done.returncode == 0, done.stderr or told
    assert told["kills"] == 25
    assert told["differing"] == []
    assert told["messages_lost"] == 0
    assert (told["rounds"], told["findings"]) == (96, 576)
