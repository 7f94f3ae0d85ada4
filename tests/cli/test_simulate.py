import json
import signal
import subprocess
import sys
import urllib.request

import pytest

from serinus.cli.simulate import simulate

BAD = """
[[model]]
id = "acme/story-70b"
[[host]]
tag = "amber"
faults = [{ name = "slow_first_tokens" }, { name = "http_502", rate = 3 }]
"""


@pytest.fixture
def started():
    """The command as a user starts it, with its first line of JSON."""
    process = subprocess.Popen(
        [sys.executable, "-m", "serinus", "simulate", "--port", "0", "--json", "--seed", "9"],
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process, json.loads(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_answers_and_stops_cleanly(started, stop):
    process, told = started
    url = f"{told['base_url']}/models"
    with urllib.request.urlopen(url, timeout=5) as response:  # noqa: S310  our own server
        listed = json.load(response)
    process.send_signal(stop)
    assert process.wait(timeout=10) == 0
    assert [m["id"] for m in listed["data"]] == told["models"]
    assert told["seed"] == 9
    assert any(h["faults"] for h in told["hosts"])


def test_every_problem_of_a_scenario_is_told_and_the_status_is_1(tmp_path, capsys):
    file = tmp_path / "bad.toml"
    file.write_text(BAD)
    assert simulate(file) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2 or "rate" in told[0]


def test_an_address_that_cannot_be_used_is_told(capsys):
    assert simulate(host="192.0.2.1", port=1) == 1
    assert "192.0.2.1:1 cannot be listened on" in capsys.readouterr().err
