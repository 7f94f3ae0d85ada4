"""Typed settings: one TOML file, every key also an environment variable (`formats.md` §3).

Reading them takes a quarter of a second, so commands import this package when they run, not before.
"""

from __future__ import annotations

from serinus.config.load import DEFAULT_FILE, Report, inspect, load
from serinus.config.problems import ConfigError, Problem
from serinus.config.secrets import api_key, required_key
from serinus.config.settings import Model, Settings

__all__ = [
    "DEFAULT_FILE",
    "ConfigError",
    "Model",
    "Problem",
    "Report",
    "Settings",
    "api_key",
    "inspect",
    "load",
    "required_key",
]
