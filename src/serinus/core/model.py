"""The nouns of a canary: what is asked, of whom, and what was found.

Everything here is a frozen value. What came back over the wire is in `transcript.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

Evidence = Mapping[str, Any]


class Word(StrEnum):
    """What a contract says of a transcript (`formats.md` §1).

    `PASS` and `FAIL` count. `WARN` and `NOT_APPLICABLE` mean "not asked" to the policy; every other
    word means "asked, unknown" and moves nothing (`formats.md` §2, rule 2).
    """

    PASS = "pass"  # noqa: S105  a verdict, not a password
    FAIL = "fail"
    WARN = "warn"
    INCONCLUSIVE = "inconclusive"
    TRANSPORT = "transport"
    VOID = "void"
    NOT_APPLICABLE = "not_applicable"
    WEAK = "weak"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A contract's word on a transcript, with the reason and enough evidence to see it again.

    `reason` is a stable snake_case code; `detail` is one sentence for a person; `evidence` is small
    and JSON-serialisable (spans with offsets, measured values, thresholds).
    """

    word: Word
    reason: str
    detail: str = ""
    evidence: Evidence = field(default_factory=dict)


@dataclass(frozen=True, slots=True, order=True)
class Route:
    """One endpoint's offer of one model: what is probed, judged, suspended and restored.

    `tag` is the gateway's own name for the endpoint (`deepinfra/fp8`), the key of the route.
    """

    model: str
    tag: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A route as the gateway lists it: who runs it and what it claims.

    `provider` is the base slug that covers the route (`deepinfra`), `display` the name that
    responses carry (`DeepInfra`). `claims` are the listed supported parameters. Prices are USD per
    token; None where the listing gives none.
    """

    route: Route
    provider: str
    display: str
    claims: frozenset[str] = frozenset()
    precision: str | None = None
    prompt_price: float | None = None
    completion_price: float | None = None
    tier: str | None = None
    status: int | None = None
    reasoning_mandatory: bool = False

    @property
    def priced(self) -> bool:
        """Whether the listing says what tokens cost."""
        return self.prompt_price is not None and self.completion_price is not None

    def usd(self, prompt: int, completion: int) -> float | None:
        """US dollars of so many tokens by the listing; None where it gives no price."""
        if self.prompt_price is None or self.completion_price is None:
            return None
        return prompt * self.prompt_price + completion * self.completion_price


@dataclass(frozen=True, slots=True)
class Listing:
    """What discovery brought: the offers of a model, or what was wrong with the listing (R1).

    `trouble` is one sentence when the listing failed or was empty; such a listing is told and never
    believed. `notes` are harmless peculiarities worth telling (an unknown status, a renamed tag).
    """

    model: str
    offers: tuple[Offer, ...] = ()
    trouble: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message of a probe."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A function offered to the model; `parameters` is its JSON schema."""

    name: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a probe knows about a right answer, beyond its request.

    Each field is a promise made by the prompt: `nonce` must be in the answer, `needle` too,
    `other_nonces` and `previous_nonces` belong to other requests and must not be; `values` are
    allowed values by key of a structured answer; `call` says whether the prompt needs a tool;
    `empty_allowed` that silence is a right answer; `seen_hashes` are "sha256:<hex>" of earlier
    answers. `sent_tokens` and `peer_prompt_tokens` are counts to compare usage with.
    """

    nonce: str | None = None
    needle: str | None = None
    other_nonces: tuple[str, ...] = ()
    previous_nonces: tuple[str, ...] = ()
    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    call: bool | None = None
    empty_allowed: bool = False
    seen_hashes: frozenset[str] = frozenset()
    sent_tokens: tuple[int, ...] = ()
    peer_prompt_tokens: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Probe:
    """One synthetic request: what is asked, and what the request itself promised.

    `key` is stable within a round (`roleplay.pt.1`). `kind` names what is asked for (`roleplay`,
    `structured`, `tool_call`, or a special probe of `formats.md` §1); contracts choose by it which
    transcripts they read. `schema` is the response format's `{"name", "strict", "schema"}`.
    `parameters` holds every other request parameter as it was sent (`seed`, `stop`, `logprobs`, …).
    """

    key: str
    kind: str
    messages: tuple[Message, ...] = ()
    language: str | None = None
    max_tokens: int | None = None
    stream: bool = True
    schema: Mapping[str, Any] | None = None
    tools: tuple[Tool, ...] = ()
    tool_choice: str | None = None
    stop: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    expect: Expectation = Expectation()

    @property
    def prompt(self) -> str:
        """The user's turn, or the empty string: what echoes are compared with."""
        return "\n".join(m.content for m in self.messages if m.role == "user")


@dataclass(frozen=True, slots=True)
class Turn:
    """One route's turn in one round: all that a contract may know when it asks.

    `round` is the round's name (`model@2026-11-30T02:30Z`), from which nonces and choices derive.
    `index` counts rounds and rotates prompts and kinds. `language` is the one this route is asked
    in. `attempt` is 0 at first and 1, 2 for further votes: another prompt of the same language,
    a fresh nonce. `claims` are the route's listed parameters, None where unknown. `owed` are the
    contracts to ask again because their last answer failed. `retired` are prompts that left the pool.
    """

    round: str
    index: int
    tag: str
    language: str
    attempt: int = 0
    claims: frozenset[str] | None = None
    owed: frozenset[str] = frozenset()
    retired: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a host may take, in seconds (R5, R6; `formats.md` §1 "Limits")."""

    first_text: float = 10.0
    first_sign: float = 10.0
    first_text_reasoning: float = 60.0
    hard: float = 60.0
    stall: float = 15.0
    lag: float = 0.05


@dataclass(frozen=True, slots=True)
class Finding:
    """The settled verdict of one contract on one route in one round, with the votes behind it."""

    route: Route
    contract: str
    verdict: Verdict
    votes: tuple[Verdict, ...] = ()


class Control(StrEnum):
    """What a host known to filter did with this round's filtering probe (R8)."""

    CAUGHT = "caught"
    PASSED = "passed"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class Round:
    """One pass over all live routes of one model, as the policy sees it (`formats.md` §2).

    `at` is the planned instant. `results` maps a tag to each contract's settled word; a contract
    that is absent was not asked. `providers` gives a tag's provider where it is not simply the
    part of the tag before its first `/`.
    """

    at: datetime
    model: str
    live: frozenset[str]
    results: Mapping[str, Mapping[str, Word]]
    controls: Mapping[str, Control] = field(default_factory=dict)
    providers: Mapping[str, str] = field(default_factory=dict)
