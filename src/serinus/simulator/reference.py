"""The page of every fault and every key of a scenario, written from the code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final, get_args, get_origin

from pydantic import BaseModel

from serinus.config.keys import allowed, as_toml
from serinus.contracts import contracts
from serinus.simulator import scenario_file
from serinus.simulator.faults import catalogue
from serinus.simulator.faults.registry import KINDS, Fault, Parameter, Stage

HEAD: Final = """# The simulated gateway

`serinus simulate [SCENARIO]` serves OpenRouter's wire format on this machine, with hosts that have the
faults you name: for a demo, for tests, and for drills of operators.
Without a scenario it uses the demo that comes with the product.

```
serinus simulate examples/demo.toml --port 8765 --seed 7
curl http://127.0.0.1:8765/api/v1/models/acme/roleplay-70b/endpoints
```

It answers `GET /models`, `/models/count`, `/model/{author}/{slug}`, `/models/{author}/{slug}/endpoints`,
`/endpoints/zdr`, `/providers`, `/key`, `/credits`, `/generation?id=` and `POST /chat/completions`, streamed
or not.
The gateway's own client, the openai client, LiteLLM and a checker of relays read it like the real one.
Which contract names each fault, and how soon, is in [What catches what](coverage.md).
Any bearer key is accepted unless the scenario names one.
Answers are synthetic texts in the language of the prompt; probes of serinus get their nonce back.
All chance follows from the seed, the host and the request's `session_id` (or else its body), so that the same
request is answered alike whatever was asked before; only `foreign_nonce` looks at earlier requests.
A host with `forward` is a real OpenAI-compatible server, whose stream goes on unbuffered in the gateway's
frames.
"""

STAGES: Final[Mapping[Stage, str]] = {
    Stage.REQUEST: "What the host gets to see of the request. These work on forwarded hosts too.",
    Stage.STATUS: "An error instead of an answer. These work on forwarded hosts too.",
    Stage.CONTENT: "What the host writes, before the cap and the stop strings cut it.",
    Stage.ANSWER: "Who served, how it ended, what was billed.",
    Stage.STREAM: "When and how it goes over the wire.",
    Stage.LISTING: "What discovery shows.",
    Stage.HOST: "What the host is called.",
}

_TABLES: Final[Mapping[str, type[BaseModel]]] = {
    "top level": scenario_file.ScenarioFile,
    "[account]": scenario_file.AccountTable,
    "[[model]]": scenario_file.ModelTable,
    "[[host]]": scenario_file.HostTable,
    "price": scenario_file.PriceTable,
    "latency": scenario_file.LatencyTable,
    "faults, [[fault]]": scenario_file.FaultTable,
}


def page() -> str:
    """The whole page, in Markdown."""
    parts = [HEAD, "## Scenario files\n"]
    for title, table in _TABLES.items():
        parts.append(f"### `{title}`\n\n{table.__doc__}\n\n{_keys(table)}\n")
    parts.append(f"## Faults\n\nThere are {len(catalogue())}. Each has one line that says what is seen.\n")
    parts.append("`kinds` are the kinds of request that it strikes; parameters are keys beside `name`.\n")
    for stage, meaning in STAGES.items():
        parts.append(f"### {stage.value.capitalize()}\n\n{meaning}\n\n{_faults(stage)}\n")
    parts.append(f"## The fault that proves each contract\n\n{_proofs()}\n")
    return "\n".join(parts)


def _keys(table: type[BaseModel]) -> str:
    lines = ["| key | allowed | default | what it is |", "| --- | --- | --- | --- |"]
    for name, field in table.model_fields.items():
        default = "must be there" if field.is_required() else _default(field.default)
        lines.append(
            f"| `{field.alias or name}` | {_cell(allowed(field))} | {default} | {field.description} |"
        )
    return "\n".join(lines)


def _default(value: Any) -> str:
    if value is None or value in ("", (), frozenset()):
        return "absent"
    return "its defaults" if isinstance(value, BaseModel) else f"`{as_toml(value)}`"


def _faults(stage: Stage) -> str:
    lines = ["| fault | what is seen | kinds | parameters |", "| --- | --- | --- | --- |"]
    lines += [
        f"| `{f.name}` | {_cell(f.summary)} | {_kinds(f)} | {_parameters(f)} |"
        for f in catalogue().values()
        if f.stage is stage
    ]
    return "\n".join(lines)


def _kinds(fault: Fault) -> str:
    if fault.stage in (Stage.LISTING, Stage.HOST):
        return ""
    named = "all" if fault.kinds == frozenset(KINDS) else ", ".join(k for k in KINDS if k in fault.kinds)
    return named if fault.bodies else f"{named}; streams"


def _parameters(fault: Fault) -> str:
    return ", ".join(f"`{name} = {_cell(_value(p))}`{_choices(p)}" for name, p in fault.parameters.items())


def _value(parameter: Parameter) -> str:
    value = parameter.default
    return as_toml(value.value if isinstance(value, Enum) else value)


def _choices(parameter: Parameter) -> str:
    choices = [str(c) for c in get_args(parameter.annotation)] if get_origin(parameter.annotation) else []
    return f" ({', '.join(choices)})" if choices else ""


def _proofs() -> str:
    lines = ["| contract | fault |", "| --- | --- |"]
    lines += [f"| `{c.name}` | `{c.blind_fault}` |" for c in contracts()]
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Text that a table cell can hold."""
    return "".join(_escaped(text))


def _escaped(text: str) -> Iterator[str]:
    for character in text:
        yield {"|": "\\|", "\n": "\\n", "[": "\\[", "<": "\\<"}.get(character, character)
