"""A checker of relays that others wrote says of simulated hosts what is wrong with them.

Four of its eleven probes need no model that follows instructions, and are used: reliability, the
model's name in answers, hidden billing and token counts. The others ask for sums, echoes and exact
words, which the simulated hosts' fixed passages never give.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from serinus.simulator.scenario import FaultUse
from simulated import MODEL, host, scenario
from standing_gateway import AT_ONCE, standing

pytestmark = [
    pytest.mark.witnesses,
    pytest.mark.skipif(find_spec("relaycheck") is None, reason="relaycheck is not installed"),
]

PROBES = "reliability,echo,tokenizer,billing-hidden-reasoning"
QUICK = ("--delay", "0", "--max-retries", "0", "--timeout", "20", "--reliability-samples", "4")


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        (None, {"rel-clean", "echo-clean", "tok-clean", "bill-clean"}),
        ("http_502", {"rel-100"}),
        ("http_429", {"rel-102"}),  # being asked to slow down is no failure to it either
        ("wrong_model", {"echo-102"}),
        ("inflated_usage", {"bill-100"}),
    ],
)
def test_it_finds_what_is_injected(fault, found, tmp_path: Path):
    faults = (FaultUse(fault),) if fault else ()
    with standing(scenario(host("amber/fp8", *faults, latency=AT_ONCE))) as url:
        base = url.removesuffix("/v1")
        command = [sys.executable, "-m", "relaycheck.cli", "-u", base, "-k", "sk-x", "-m", MODEL.id]
        subprocess.run(
            [*command, "--probes", PROBES, "--out-dir", str(tmp_path), *QUICK],
            check=False,
            capture_output=True,
            timeout=60,
        )
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert found <= {finding["id"] for finding in report["findings"]}
