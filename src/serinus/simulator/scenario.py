"""A simulated gateway as data: its models, its hosts, and what is wrong with them when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid5

_ENDPOINTS: Final = UUID("6c8f1f0e-6d3a-5a0b-9d0e-5e1f5a5e5a11")  # any fixed name space gives stable ids

FULL_CLAIMS: Final = (
    "temperature",
    "top_p",
    "max_tokens",
    "stop",
    "seed",
    "frequency_penalty",
    "presence_penalty",
    "response_format",
    "structured_outputs",
    "tools",
    "tool_choice",
)


@dataclass(frozen=True, slots=True)
class Window:
    """When something holds: from `start` (included) to `end` (excluded); None is open.

    A `timedelta` counts from the start of the simulation, a `datetime` is by the clock.
    """

    start: timedelta | datetime | None = None
    end: timedelta | datetime | None = None

    def holds(self, now: datetime, began: datetime) -> bool:
        """Whether `now` lies in the window of a simulation that began at `began`."""
        after = self.start is None or _instant(self.start, began) <= now
        return after and (self.end is None or now < _instant(self.end, began))


def _instant(edge: timedelta | datetime, began: datetime) -> datetime:
    if isinstance(edge, timedelta):
        return began + edge
    return edge if edge.tzinfo else edge.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FaultUse:
    """A fault on a host: how often, when, and for which requests.

    `rate` is the share of requests it strikes. `languages` and `kinds` limit it (empty: all);
    `correlation` is how far its striking is decided by the prompt rather than by the host.
    `parameters` are the fault's own.
    """

    name: str
    rate: float = 1.0
    window: Window = Window()
    languages: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    correlation: float = 0.0
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds: until the first text, and for each token after it; `jitter` is a share of both."""

    first_text: float = 0.3
    per_token: float = 0.004
    jitter: float = 0.2


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens."""

    prompt: float = 0.10
    completion: float = 0.30


@dataclass(frozen=True, slots=True)
class Host:
    """One endpoint of a provider: `tag` is its routing name, `display` what responses call it.

    `control` marks a host that filters role-play by policy. `forward` is the base address of an
    OpenAI-compatible server that answers in its place. `ready` is when the host exists at all.
    """

    tag: str
    display: str
    provider: str
    models: frozenset[str] = frozenset()
    precision: str | None = None
    price: Price = Price()
    claims: tuple[str, ...] = FULL_CLAIMS
    latency: Latency = Latency()
    context_length: int = 131072
    max_completion_tokens: int | None = 16384
    tier: str | None = None
    status: int | None = 0
    control: bool = False
    byok: bool = False
    forward: str | None = None
    forward_model: str | None = None
    present: Window = Window()
    faults: tuple[FaultUse, ...] = ()

    @property
    def endpoint_id(self) -> str:
        """The opaque id that generation records name the endpoint by."""
        return str(uuid5(_ENDPOINTS, self.tag))


@dataclass(frozen=True, slots=True)
class Model:
    """A model of the catalogue; `dated` is the permanent slug, which responses may use."""

    id: str
    name: str
    dated: str | None = None
    reasoning_mandatory: bool = False
    context_length: int = 131072


@dataclass(frozen=True, slots=True)
class Account:
    """The account behind the key: what it ignores or allows on its own, and its plugin defaults.

    `key` is the only accepted API key; None accepts any. `healing` is the account's default for the
    response-healing plugin.
    """

    ignored: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    credits: float = 50.0
    key: str | None = None
    healing: bool = False


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole simulated gateway. `faults` strike whatever host is asked, and the listing."""

    models: tuple[Model, ...]
    hosts: tuple[Host, ...]
    title: str = ""
    seed: int = 1
    account: Account = Account()
    faults: tuple[FaultUse, ...] = ()
    generation_delay: float = 1.5

    def model(self, name: str) -> Model | None:
        """The model of that id, of its dated slug, or of a variant of it (`:nitro`)."""
        base = name.split(":", 1)[0]
        return next((m for m in self.models if base in {m.id, m.dated}), None)

    def hosts_of(self, model: Model) -> tuple[Host, ...]:
        """The hosts that offer the model; one that names no models offers all."""
        return tuple(h for h in self.hosts if not h.models or model.id in h.models)
