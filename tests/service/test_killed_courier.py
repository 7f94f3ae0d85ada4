"""At least once, by a stable name: `kill -9` between sending and noting sends again, and loses nothing."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from receiver import Receiver, beside
from serinus.service.storage import Notice
from serinus.store import open_store

TESTS = Path(__file__).parents[1]
AT = datetime(2026, 11, 30, tzinfo=UTC)


def life(path: Path, url: str, *kill: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "service.killed_courier", str(path), url, *kill]
    return subprocess.run(command, cwd=TESTS, capture_output=True, text=True, timeout=60, check=False)


def test_a_notice_that_was_sent_and_not_noted_comes_again_under_the_same_id(tmp_path):
    path = tmp_path / "serinus.sqlite"
    store = open_store(path, create=True)
    store.append(0, [], [Notice(f"n{n}", AT, "suspended", "m", "alpha", "out.") for n in range(3)])
    store.close()
    receiver = Receiver()
    with beside(receiver.served()):
        killed = life(path, f"{receiver.base}/hook", "kill")
        again = life(path, f"{receiver.base}/hook")
        after = life(path, f"{receiver.base}/hook")
    assert killed.returncode == -9, killed.stderr
    assert (again.stdout, after.stdout) == ("3\n", "0\n"), again.stderr
    first, second = receiver.at("/hook")
    assert [n["id"] for n in first["notices"]] == [n["id"] for n in second["notices"]]
    assert len({n["id"] for n in first["notices"]}) == 3
