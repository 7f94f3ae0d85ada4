"""A disk too small for a round's end refuses it whole."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent


def test_a_disk_that_is_full_at_any_byte_leaves_the_round_open_and_the_store_whole(tmp_path):
    command = [sys.executable, "-m", "store.small_disk", str(tmp_path / "serinus.sqlite")]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert sum(told["refused"].values()) > 20
    assert told["through_at"] > 40_000
