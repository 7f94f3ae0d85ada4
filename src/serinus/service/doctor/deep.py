"""What documents leave open about the gateway, settled by asking it: how a question is asked and answered."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from serinus.core.model import Offer
from serinus.wire.json_text import as_list, as_mapping, as_number, as_text

OK: Final = 200
ASKED: Final = "Answer with this one word: ready"
TOKENS_ASKED, TOKENS_SAID = 24, 16  # of one question, at most
MOST: Final = 16  # questions that are charged
WAITS: Final = (0.1, 0.25, 0.5, 0.5, 1.0, 1.0, 2.0, 2.0, 4.0, 8.0)  # seconds between looks for a record


@dataclass(frozen=True, slots=True)
class Said:
    """What the gateway said to one request: `status` None if nothing came. `seconds` is until all of it."""

    status: int | None
    value: Any = None
    seconds: float = 0.0

    @property
    def provider(self) -> str | None:
        """The display name of who served."""
        return as_text(as_mapping(self.value).get("provider"))

    @property
    def id(self) -> str | None:
        """The generation's id."""
        return as_text(as_mapping(self.value).get("id"))

    @property
    def cost(self) -> float:
        """US dollars, as reported."""
        return as_number(as_mapping(as_mapping(self.value).get("usage")).get("cost")) or 0.0

    @property
    def error(self) -> dict[str, Any]:
        """The error object; empty where there is none."""
        return as_mapping(as_mapping(self.value).get("error"))

    def __str__(self) -> str:
        """As evidence: the status, and who served or what the error says."""
        told = self.provider or as_text(self.error.get("message")) or "no JSON"
        return f"{self.status}: {told[:160]}"


class Line(Protocol):
    """The gateway as it is spoken to: no pin, no plugin and no retry that a question did not ask for."""

    async def get(self, path: str) -> Said:
        """A document under the base URL."""
        ...

    async def chat(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Said:
        """One whole answer, not streamed."""
        ...


@dataclass(frozen=True, slots=True)
class Settled:
    """One question with what was found; `answer` None where it cannot be settled, and then `why` says why."""

    question: str
    answer: str | None
    evidence: tuple[str, ...] = ()
    usd: float = 0.0
    asked: int = 0
    why: str | None = None


@dataclass(slots=True)
class Bench:
    """Two routes of different providers to ask, the cheapest ones, and what all answers cost."""

    line: Line
    first: Offer
    second: Offer
    sleep: Callable[[float], Awaitable[None]]
    session: str
    usd: float = 0.0
    asked: int = 0
    answers: list[Said] = field(default_factory=list)

    @property
    def most(self) -> float:
        """US dollars that all questions can cost: each at the price of the dearer of the two routes."""
        return MOST * max(_price(self.first), _price(self.second))

    async def ask(self, provider: Mapping[str, Any], *, session: str | None = None, **headers: str) -> Said:
        """One short question under these routing preferences; `headers` with `_` for `-`."""
        body = {
            "model": self.first.route.model,
            "messages": [{"role": "user", "content": ASKED}],
            "max_tokens": TOKENS_SAID,
            "temperature": 0,
            "provider": dict(provider),
            "session_id": session or f"{self.session}-{self.asked}",
            "user": "serinus-probe",
            "usage": {"include": True},
        }
        self.asked += 1
        said = await self.line.chat(body, {name.replace("_", "-"): value for name, value in headers.items()})
        self.usd += said.cost
        if said.status == OK and said.id:
            self.answers.append(said)
        return said

    async def listed(self) -> list[dict[str, Any]]:
        """The model's endpoints as the gateway lists them now."""
        said = await self.line.get(f"/models/{self.first.route.model}/endpoints")
        return [
            as_mapping(row)
            for row in as_list(as_mapping(as_mapping(said.value).get("data")).get("endpoints"))
        ]

    async def record(self, said: Said) -> tuple[float | None, dict[str, Any]]:
        """The record of an answer and the seconds until it was there; None if it did not come."""
        waited = 0.0
        for wait in (0.0, *WAITS):
            waited += wait
            await self.sleep(wait)
            found = await self.line.get(f"/generation?id={said.id}")
            if found.status == OK:
                return waited, as_mapping(as_mapping(found.value).get("data"))
        return None, {}

    def both(self, **more: Any) -> dict[str, Any]:
        """Preferences that reach the two routes only, the first one first, and fall back to nobody."""
        pair = [self.first.route.tag, self.second.route.tag]
        return {"only": pair, "order": pair, "allow_fallbacks": False, **more}


Question = Callable[[Bench], Awaitable[Settled]]


async def settle(bench: Bench, questions: Sequence[Question]) -> list[Settled]:
    """Ask every question in order."""
    found = []
    for question in questions:
        usd, asked = bench.usd, bench.asked
        settled = await question(bench)
        cost, count = bench.usd - usd, bench.asked - asked
        found.append(Settled(settled.question, settled.answer, settled.evidence, cost, count, settled.why))
    return found


def endpoint_of(record: Mapping[str, Any]) -> str | None:
    """The id of the endpoint that served last, by the generation's record."""
    attempts = [as_mapping(a) for a in as_list(record.get("provider_responses"))]
    return as_text(attempts[-1].get("endpoint_id")) if attempts else None


def places_of(value: Any, key: str, path: str = "") -> list[str]:
    """Where a key stands in a document, as dotted paths."""
    found = []
    for name, inner in as_mapping(value).items():
        here = f"{path}.{name}".lstrip(".")
        found += [here] * (name == key) + places_of(inner, key, here)
    return found


def shown(value: Any) -> str:
    """A value as evidence."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)[:300]


def _price(offer: Offer) -> float:
    return TOKENS_ASKED * (offer.prompt_price or 0.0) + TOKENS_SAID * (offer.completion_price or 0.0)
