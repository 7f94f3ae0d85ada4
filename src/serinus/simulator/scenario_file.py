"""A scenario out of a TOML file; everything that is wrong with it is told at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, ConfigDict, Field, StrictBool, TypeAdapter, ValidationError

from serinus.config.keys import nearest
from serinus.config.kinds import Allowed, ModelId, Money, Tag, Text, Url
from serinus.config.problems import ConfigError, Problem, shown
from serinus.config.section import Section
from serinus.config.sources import read_toml
from serinus.config.validation import problems_of
from serinus.core.durations import parse_duration
from serinus.simulator import scenario as values
from serinus.simulator.faults import catalogue
from serinus.simulator.faults.registry import KINDS, Stage

_PRECISIONS: Final = "int4 int8 fp4 mxfp4 nvfp4 fp6 fp8 mxfp8 fp16 bf16 fp32 unknown"


def _edge(value: Any) -> Any:
    return parse_duration(value) if isinstance(value, str) else value


Edge = Annotated[
    timedelta | datetime | None,
    BeforeValidator(_edge),
    Allowed("a duration after the start, such as 90s, or a date and time"),
]
Rate = Annotated[float, Field(ge=0, le=1), Allowed("a number from 0 to 1")]
Seconds = Annotated[float, Field(ge=0, le=3600), Allowed("seconds, from 0 to 3600")]
Tokens = Annotated[int, Field(ge=1), Allowed("a whole number of tokens, at least 1")]
Switch = Annotated[StrictBool, Allowed("true or false")]
Name = Annotated[str, Field(min_length=1, max_length=100)]


class FaultTable(Section):
    """One fault: its name, when it strikes, and its own parameters."""

    model_config = ConfigDict(extra="allow", frozen=True, use_attribute_docstrings=True)

    name: Annotated[Name, Allowed("the name of a fault (docs/reference/simulator.md)")]
    """Which fault."""
    rate: Rate = 1.0
    """The share of requests that it strikes."""
    start: Annotated[Edge, Field(alias="from")] = None
    """From when on; absent: from the start."""
    until: Edge = None
    """Until when; absent: for ever."""
    languages: Annotated[frozenset[str], Allowed("a list of language codes")] = frozenset()
    """Only for requests in these languages."""
    kinds: Annotated[frozenset[str], Allowed(f"a list of {', '.join(KINDS)}")] = frozenset()
    """Only for requests of these kinds."""
    correlation: Rate = 0.0
    """How far the prompt decides instead of the host, so that hosts err together."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The fault's own parameters."""
        return dict(self.model_extra or {})


class PriceTable(Section):
    """USD per million tokens."""

    prompt: Money = 0.10
    """What a million tokens of prompt cost."""
    completion: Money = 0.30
    """What a million tokens of answer cost."""


class LatencyTable(Section):
    """How fast a healthy answer is."""

    first_text: Seconds = 0.3
    """Seconds to the first text."""
    per_token: Seconds = 0.004
    """Seconds between two tokens."""
    jitter: Rate = 0.2
    """The share by which both vary."""


class HostTable(Section):
    """One endpoint of a provider."""

    tag: Annotated[Tag, Allowed("the endpoint's routing name, such as deepinfra/fp8")]
    """The routing name."""
    display: Annotated[Name | None, Allowed("the name in responses")] = None
    """What responses call the provider; absent: the provider's slug with a capital."""
    provider: Annotated[Tag | None, Allowed("the provider's slug")] = None
    """The base slug; absent: the part of the tag before its first slash."""
    models: Annotated[frozenset[str], Allowed("a list of model ids of this file; empty for all")] = (
        frozenset()
    )
    """Which models it offers."""
    precision: Annotated[str | None, Allowed(f"one of {_PRECISIONS}")] = None
    """What the listing says of its weights."""
    price: Annotated[PriceTable, Allowed("a table with prompt, completion")] = PriceTable()
    """What it charges."""
    claims: Annotated[tuple[str, ...], Allowed("a list of supported parameters")] = values.FULL_CLAIMS
    """The parameters that its listing claims."""
    latency: Annotated[LatencyTable, Allowed("a table with first_text, per_token, jitter")] = LatencyTable()
    """How fast it is."""
    context_length: Tokens = 131072
    """Its window."""
    max_completion_tokens: Annotated[Tokens | None, Allowed("a whole number of tokens, at least 1")] = 16384
    """The longest answer it gives."""
    tier: Annotated[str | None, Allowed("flex, priority or ultrafast")] = None
    """The service tier; such endpoints are reached by their full tag alone."""
    status: Annotated[int | None, Allowed("0, -1, -2, -3, -5 or -10")] = 0
    """The listing's opaque status."""
    control: Switch = False
    """Whether it filters role-play by policy."""
    byok: Switch = False
    """Whether the caller's own account is used there."""
    forward: Annotated[Url | None, Allowed("the http:// address of an OpenAI-compatible server")] = None
    """A real server that answers in its place."""
    forward_model: Annotated[str | None, Allowed("the model's name at that server")] = None
    """The model to ask there; absent: the gateway's own name of it."""
    start: Annotated[Edge, Field(alias="from")] = None
    """When it appears."""
    until: Edge = None
    """When it vanishes."""
    faults: Annotated[tuple[FaultTable, ...], Allowed("a list of tables with a name")] = ()
    """What is wrong with it."""


class ModelTable(Section):
    """A model of the catalogue."""

    id: ModelId
    """Its id."""
    name: Annotated[Name | None, Allowed("a name for people")] = None
    """Its name for people."""
    dated: Annotated[ModelId | None, Allowed("the permanent slug that responses use")] = None
    """Its permanent slug, which responses then use."""
    reasoning_mandatory: Switch = False
    """Whether reasoning cannot be switched off."""
    context_length: Tokens = 131072
    """Its window."""


class AccountTable(Section):
    """The account behind the key."""

    ignored: Annotated[tuple[str, ...], Allowed("a list of tags or provider slugs")] = ()
    """Providers that the account ignores on its own."""
    allowed: Annotated[tuple[str, ...], Allowed("a list of tags or provider slugs")] = ()
    """Providers that the account allows; empty for all."""
    credits: Money = 50.0
    """USD bought."""
    key: Annotated[str | None, Allowed("the only key that is accepted; absent: any")] = None
    """The only key that is accepted."""
    healing: Switch = False
    """Whether the response-healing plugin is on by default."""


class ScenarioFile(Section):
    """A scenario file."""

    title: Annotated[Text, Allowed("a text of 1 to 256 characters")] = "simulated gateway"
    """What is shown at the start."""
    seed: Annotated[int, Allowed("a whole number")] = 1
    """Fixes all chance."""
    generation_delay: Seconds = 1.5
    """Seconds until a generation record can be read."""
    account: Annotated[AccountTable, Allowed("a table")] = AccountTable()
    """The account."""
    model: Annotated[tuple[ModelTable, ...], Field(min_length=1), Allowed("[[model]] tables, at least one")]
    """The models."""
    host: Annotated[tuple[HostTable, ...], Allowed("[[host]] tables")] = ()
    """The hosts."""
    fault: Annotated[tuple[FaultTable, ...], Allowed("[[fault]] tables")] = ()
    """Faults of the gateway itself, which strike whatever host is asked."""


def load(path: Path) -> values.Scenario:
    """The scenario in the file.

    Raises:
        ConfigError: it cannot be read or used; all problems at once.
    """
    tables, problems = read_toml(path)
    if problems:
        raise ConfigError(problems)
    return parse(tables, str(path))


def parse(tables: dict[str, Any], where: str = "scenario") -> values.Scenario:
    """The scenario that the tables of a TOML file describe.

    Raises:
        ConfigError: as `load`.
    """
    try:
        read = ScenarioFile.model_validate(tables)
    except ValidationError as error:
        raise ConfigError(problems_of(error, ScenarioFile, lambda key: (where, key))) from error
    problems = [Problem(where, *rest) for rest in (*_fault_problems(read), *_name_problems(read))]
    if problems:
        raise ConfigError(problems)
    return _scenario(read)


_Wrong = tuple[str, str, str, str]


def _uses(read: ScenarioFile) -> Iterator[tuple[str, FaultTable, HostTable | None]]:
    for n, host in enumerate(read.host):
        yield from ((f"host[{n}].faults[{k}]", fault, host) for k, fault in enumerate(host.faults))
    yield from ((f"fault[{k}]", fault, None) for k, fault in enumerate(read.fault))


def _fault_problems(read: ScenarioFile) -> Iterator[_Wrong]:
    for path, use, host in _uses(read):
        known = catalogue().get(use.name)
        if known is None:
            like = nearest(use.name, catalogue())
            advice = f"did you mean {like}?" if like else "see docs/reference/simulator.md"
            yield f"{path}.name", shown(use.name), ", ".join(catalogue()), advice
            continue
        yield from _parameter_problems(path, use)
        for kind in sorted(use.kinds - set(KINDS)):
            yield f"{path}.kinds", shown(kind), ", ".join(KINDS), "correct it"
        if host is not None and host.forward and known.stage in (Stage.CONTENT, Stage.ANSWER, Stage.STREAM):
            allowed = ", ".join(n for n, f in catalogue().items() if f.stage in (Stage.REQUEST, Stage.STATUS))
            yield f"{path}.name", f"{use.name} on a forwarded host", allowed, "take forward or the fault out"


def _parameter_problems(path: str, use: FaultTable) -> Iterator[_Wrong]:
    parameters = catalogue()[use.name].parameters
    for name, value in use.parameters.items():
        if name not in parameters:
            known = ", ".join((*(k for k in FaultTable.model_fields if k != "start"), "from", *parameters))
            like = nearest(name, known.split(", "))
            yield (
                f"{path}.{name}",
                "an unknown key",
                known,
                f"did you mean {like}?" if like else "take it out",
            )
            continue
        kind = parameters[name].annotation
        try:
            TypeAdapter(kind).validate_python(value, strict=not (kind is float and isinstance(value, int)))
        except ValidationError as error:
            message = error.errors()[0]["msg"].removeprefix("Input should be ")
            yield f"{path}.{name}", shown(value), message, "correct it"


def _name_problems(read: ScenarioFile) -> Iterator[_Wrong]:
    models = {m.id for m in read.model}
    seen: dict[str, int] = {}
    for n, host in enumerate(read.host):
        for unknown in sorted(host.models - models):
            yield f"host[{n}].models", shown(unknown), ", ".join(sorted(models)), "add it as a [[model]]"
        if host.tag in seen:
            yield f"host[{n}].tag", f"{host.tag} again", "each tag once", f"host[{seen[host.tag]}] has it"
        seen.setdefault(host.tag, n)


def _scenario(read: ScenarioFile) -> values.Scenario:
    return values.Scenario(
        models=tuple(
            values.Model(m.id, m.name or m.id, m.dated, m.reasoning_mandatory, m.context_length)
            for m in read.model
        ),
        hosts=tuple(_host(h) for h in read.host),
        title=read.title,
        seed=read.seed,
        account=values.Account(**dict(read.account)),
        faults=tuple(_use(f) for f in read.fault),
        generation_delay=read.generation_delay,
    )


def _host(host: HostTable) -> values.Host:
    provider = host.provider or host.tag.partition("/")[0]
    plain = {
        name: getattr(host, name)
        for name in HostTable.model_fields
        if name not in {"display", "provider", "price", "latency", "start", "until", "faults"}
    }
    return values.Host(
        **plain,
        display=host.display or provider.replace("-", " ").title(),
        provider=provider,
        price=values.Price(**dict(host.price)),
        latency=values.Latency(**dict(host.latency)),
        present=values.Window(host.start, host.until),
        faults=tuple(_use(f) for f in host.faults),
    )


def _use(table: FaultTable) -> values.FaultUse:
    return values.FaultUse(
        table.name,
        table.rate,
        values.Window(table.start, table.until),
        table.languages,
        table.kinds,
        table.correlation,
        table.parameters,
    )
