from datetime import timedelta
from pathlib import Path

import pytest

from serinus.bootstrap import real_stage
from serinus.cli.run import run
from serinus.config import ConfigError

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
