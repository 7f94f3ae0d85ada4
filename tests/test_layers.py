"""The import rules hold, and each planted violation breaks exactly the rule that is meant.

A rule that nobody has seen fail may be one that cannot: `as_packages = false` once made a forbidden rule
look at `__init__` files only. So the imports are planted in ordinary modules.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINTER = Path(sys.executable).with_name("lint-imports")
LAYERS = "Imports point from plugs to the pure core"
PURE = "The pure packages reach neither clock, chance, network nor disk"
APPLICATIONS = "What runs inside applications imports the standard library and core only"
CONTRACTS, GATEWAYS, NOTIFIERS = (
    f"No {what} imports a sibling" for what in ("contract", "gateway", "notifier")
)


def broken_rules(root):
    """The names of the rules that the tree under this root breaks."""
    environ = {**os.environ, "PYTHONPATH": str(root / "src"), "COLUMNS": "200"}
    command = [LINTER, "--no-cache", "--no-logo"]
    done = subprocess.run(
        command, cwd=root, env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    rules = {
        line.rpartition(" ")[::2] for line in done.stdout.splitlines() if line.endswith(("KEPT", "BROKEN"))
    }
    assert {name for name, _ in rules} == {LAYERS, PURE, APPLICATIONS, CONTRACTS, GATEWAYS, NOTIFIERS}, (
        done.stdout + done.stderr
    )
    broken = {name for name, word in rules if word == "BROKEN"}
    assert bool(broken) == bool(done.returncode)
    return broken


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "data"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_tree_keeps_every_rule():
    assert broken_rules(ROOT) == set()


@pytest.mark.parametrize(
    ("module", "line", "rule"),
    [
        ("core/model.py", "import asyncio", PURE),
        ("core/model.py", "import os", PURE),
        ("core/model.py", "from time import monotonic", PURE),
        ("judging/votes.py", "import random", PURE),
        ("wire/sse.py", "import socket", PURE),
        ("text/planted.py", "import logging", PURE),
        ("contracts/planted.py", "from urllib.request import urlopen", PURE),
        ("probes/planted.py", "import secrets", PURE),
        ("contracts/planted.py", "from serinus.contracts import other", CONTRACTS),
        ("gateways/planted.py", "from serinus.gateways import other", GATEWAYS),
        ("notify/planted.py", "from serinus.notify import other", NOTIFIERS),
        ("text/planted.py", "import serinus.contracts", LAYERS),
        ("core/explain/planted.py", "import serinus.judging.votes", LAYERS),
        ("wire/sse.py", "import serinus.judging.votes", LAYERS),
        ("service/ports.py", "import serinus.engine.clock", LAYERS),
        ("service/ports.py", "import serinus.config", LAYERS),
        ("prober/planted.py", "import serinus.gateways", LAYERS),
        ("gateways/planted.py", "import serinus.cli", LAYERS),
        ("gateways/planted.py", "import serinus.store", LAYERS),
        ("undeclared/__init__.py", "", LAYERS),
        ("traffic/client/planted.py", "import aiohttp", APPLICATIONS),
        ("traffic/client/url.py", "import serinus.service.ports", APPLICATIONS),
        ("traffic/openai_hook.py", "import serinus.traffic.proxy", APPLICATIONS),
        ("traffic/litellm_hook.py", "import pydantic", APPLICATIONS),
    ],
)
def test_a_planted_violation_breaks_the_rule_that_is_meant(copy, module, line, rule):
    for package in ("contracts", "gateways", "notify"):
        (copy / "src/serinus" / package / "other.py").write_text('"""A sibling."""\n', encoding="utf-8")
    file = copy / "src/serinus" / module
    file.parent.mkdir(exist_ok=True)
    with file.open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    assert broken_rules(copy) == {rule}
