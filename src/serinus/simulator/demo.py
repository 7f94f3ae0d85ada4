"""The scenarios that come with the product."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from serinus.simulator.scenario import Scenario
from serinus.simulator.scenario_file import parse


def demo() -> Scenario:
    """Healthy hosts, six clearly different faults and a control: what `serinus simulate` shows first."""
    return _shipped("demo.toml")


def drill_scenario() -> Scenario:
    """Twelve hosts over two days, four of which go wrong for good: what `serinus drill` plays."""
    return _shipped("drill.toml")


def _shipped(name: str) -> Scenario:
    text = (files("serinus.simulator") / "scenarios" / name).read_text(encoding="utf-8")
    return parse(tomllib.loads(text), name)
