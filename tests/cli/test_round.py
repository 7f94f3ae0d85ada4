import json
from datetime import timedelta
from pathlib import Path

import pytest

from serinus.cli.round import run

# Two hosts, one of which answers JSON in a fence; nothing waits, so that a round takes a moment.
SCENARIO = """
[[model]]
id = "acme/story-70b"

[[host]]
tag = "alpha/fp8"
latency = { first_text = 0.01, per_token = 0.0 }

[[host]]
tag = "beta"
latency = { first_text = 0.01, per_token = 0.0 }
faults = [{ name = "json_fenced" }]
"""


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    file = tmp_path / "scenario.toml"
    file.write_text(SCENARIO, encoding="utf-8")
    return file


def test_rounds_over_a_simulated_gateway_suspend_the_faulty_host_and_say_why(scenario, capsys):
    assert run(simulate=scenario, rounds=2, every=timedelta(seconds=1), json_=True) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first["routes"]["beta"]["structured_output"]["verdict"] == "fail"
    assert first["routes"]["alpha/fp8"]["structured_output"]["verdict"] == "pass"
    assert first["decisions"] == []
    assert [d["decision"] for d in second["decisions"]] == ["held_at_floor"]
    assert second["ignore"] == []


def test_a_table_says_what_failed(scenario, capsys):
    assert run(simulate=scenario) == 0
    shown = capsys.readouterr().out
    assert "structured_output broke its promise (fenced)" in shown
    assert "provider.ignore" in shown


def test_a_model_that_is_not_configured_is_told(scenario, capsys):
    assert run("acme/other", simulate=scenario) == 2
    assert "configured: acme/story-70b" in capsys.readouterr().err


def test_a_missing_configuration_is_told(tmp_path, capsys):
    assert run(config=tmp_path / "absent.toml") == 2
    assert "absent.toml" in capsys.readouterr().err


def test_a_refused_key_is_told_once_and_as_ours(tmp_path, capsys):
    file = tmp_path / "scenario.toml"
    file.write_text('[[fault]]\nname = "http_401"\n' + SCENARIO, encoding="utf-8")
    assert run(simulate=file) == 0
    ours = [line for line in capsys.readouterr().out.splitlines() if line.startswith("ours")]
    assert len(ours) == 1
    assert "(401)" in ours[0]
    assert "So it was at 2 routes" in ours[0]
    assert "serinus doctor" in ours[0]


def test_an_answer_of_another_model_is_told_once_and_not_by_each_contract(tmp_path, capsys):
    file = tmp_path / "scenario.toml"
    file.write_text(SCENARIO.replace("json_fenced", "wrong_model"), encoding="utf-8")
    assert run(simulate=file) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if "is not this route's answer" in line]) == 1
