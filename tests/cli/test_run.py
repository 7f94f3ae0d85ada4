import json
import signal
import subprocess
import sys
import tomllib
from datetime import timedelta
from pathlib import Path

import pytest

from cli.place import configured
from receiver import beside
from serinus.bootstrap.stage import real_stage
from serinus.cli import INTERRUPTED
from serinus.cli.run import run
from serinus.config import ConfigError
from serinus.simulator.scenario_file import parse
from serinus.simulator.simulator import Simulator

SCENARIO = """
[[model]]
id = "acme/story-70b"

[[host]]
tag = "alpha"
latency = { first_text = 0.01, per_token = 0.0 }

[[host]]
tag = "beta"
latency = { first_text = 0.01, per_token = 0.0 }

[[host]]
tag = "gamma"
latency = { first_text = 0.01, per_token = 0.0 }
faults = [{ name = "json_fenced" }]
"""


def test_a_canary_on_a_simulated_gateway_suspends_the_faulty_host_and_stops(tmp_path: Path, capsys):
    file = tmp_path / "scenario.toml"
    file.write_text(SCENARIO, encoding="utf-8")
    assert run(simulate=file, every=timedelta(seconds=1), rounds=2) == 0
    shown = capsys.readouterr().out
    assert "a simulated gateway, at no cost" in shown
    assert 'provider.ignore  ["gamma"]' in shown


def test_a_configuration_without_a_key_is_told(tmp_path: Path):
    file = tmp_path / "serinus.toml"
    file.write_text('[[model]]\nid = "acme/story-70b"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="OPENROUTER_API_KEY: found no key"):
        real_stage(file, {})


OFTEN = """
languages = ["en"]
modes = { structured_output = "enforce" }

[rounds]
interval = "1s"
jitter = "0s"

[policy]
min_gap = "0s"
floor = 1
"""
REVIEWED = """
[[exclusion]]
route = "alpha"
reason = "It answers from a cache."
evidence = "issue 12"
reviewed_by = "dana"
date = 2026-11-01
"""


def test_a_configured_run_takes_in_reviewed_exclusions_and_the_modes_of_contracts(tmp_path: Path, capsys):
    (tmp_path / "exclusions.toml").write_text(REVIEWED, encoding="utf-8")
    simulator = Simulator(parse(tomllib.loads(SCENARIO)))
    with beside(simulator):
        config = configured(tmp_path, simulator.base_url, OFTEN)
        assert run(config=config, rounds=2, yes=True) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    rounds = [line for line in lines if line["event"] == "round"]
    assert rounds[0]["ignore"] == ["alpha"]
    assert [(d["decision"], d["route"], d["enforced"]) for d in rounds[1]["decisions"]] == [
        ("suspended", "gamma", True)
    ]
    assert rounds[1]["ignore"] == ["alpha", "gamma"]


SLOW = SCENARIO.replace("first_text = 0.01", "first_text = 30.0")


def test_a_first_ctrl_c_waits_for_the_round_in_flight_and_a_second_leaves_it(tmp_path: Path):
    file = tmp_path / "scenario.toml"
    file.write_text(SLOW, encoding="utf-8")
    command = [sys.executable, "-m", "serinus", "run", "--simulate", str(file), "--every", "1h"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as canary:
        assert canary.stdout is not None
        assert canary.stderr is not None
        while "Ctrl-C stops it" not in canary.stdout.readline():
            pass
        canary.send_signal(signal.SIGINT)
        told = [canary.stderr.readline() for _ in ("serves", "set-up", "once", "Stopping")]
        assert [line.split()[0] for line in told[:2]] == ["serves", "set-up"]
        assert told[-1] == "Stopping after the round in flight; once more leaves it unfinished.\n"
        canary.send_signal(signal.SIGINT)
        assert canary.wait() == INTERRUPTED
        assert canary.stderr.read() == "The round in flight was left unfinished; nothing of it counts.\n"


def test_a_canary_that_nobody_reads_any_more_goes_on(tmp_path: Path):
    simulator = Simulator(parse(tomllib.loads(SCENARIO)))
    with beside(simulator):
        config = configured(tmp_path, simulator.base_url, OFTEN)
        command = [sys.executable, "-m", "serinus", "run", "--config", str(config), "--rounds", "2", "--yes"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as canary:
            assert canary.stdout is not None
            assert canary.stderr is not None
            while '"begin"' not in canary.stdout.readline():
                pass
            canary.stdout.close()
            assert canary.stderr.read().endswith(
                "Standard output cannot be written (Broken pipe): rounds go on without it.\n"
            )
            assert canary.wait() == 0
