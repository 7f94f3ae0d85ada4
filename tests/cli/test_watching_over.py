"""A canary that died is told of by the process that serves beside it."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time

from cli.place import SCENARIO, Place
from receiver import Receiver, beside
from serinus.cli.run import run
from serinus.simulator.scenario_file import parse
from serinus.simulator.simulator import Simulator


def waited_for(what, seconds=30.0) -> bool:
    """Whether it came to be; how long it took is nobody's claim."""
    until = time.monotonic() + seconds
    while not what() and time.monotonic() < until:
        time.sleep(0.05)
    return what()


def ten_minutes_pass(store):
    """As if the last round had been ten minutes ago: no test waits until a canary is overdue."""
    with contextlib.closing(sqlite3.connect(store)) as c, c:
        c.execute("UPDATE round SET at = at - 600000000, closed_at = closed_at - 600000000")


def test_a_dead_canary_is_told_of_by_whoever_serves_beside_it(tmp_path, capsys):
    place = Place(tmp_path, Receiver())
    simulator = Simulator(parse(SCENARIO))
    with beside(place.receiver.served(), simulator):
        place.write(simulator.base_url, ops=[])
        with place.config.open("a", encoding="utf-8") as file:
            file.write("[serve]\nenabled = false\n")
        assert run(config=place.config, rounds=1, yes=True) == 0
        ten_minutes_pass(place.store)
        command = [sys.executable, "-m", "serinus", "serve", "--port", "0", "--config", str(place.config)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as served:
            try:
                told = waited_for(
                    lambda: "canary_stale" in [n["kind"] for n in place.receiver.notices("/ops")]
                )
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(served.pid, signal.SIGINT)
                _, said = served.communicate(timeout=20)
    capsys.readouterr()
    assert told, said
    [notice] = [n for n in place.receiver.notices("/ops") if n["kind"] == "canary_stale"]
    assert notice["severity"] == "critical"
    assert "Nobody has its place." in notice["text"]
