"""The scenario that comes with the product."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from serinus.simulator.scenario import Scenario
from serinus.simulator.scenario_file import parse


def demo() -> Scenario:
    """Healthy hosts, six clearly different faults and a control: what `serinus simulate` shows first."""
    text = (files("serinus.simulator") / "scenarios" / "demo.toml").read_text(encoding="utf-8")
    return parse(tomllib.loads(text), "demo.toml")
