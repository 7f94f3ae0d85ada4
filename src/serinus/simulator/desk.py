"""The gateway's front desk: any request in, a response out, without network and without waiting.

The HTTP server performs the responses; whoever simulates time reads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Self

from serinus.simulator import catalogue, errors
from serinus.simulator.ask import BadRequestError, read
from serinus.simulator.chance import dice, token
from serinus.simulator.corpus import corpus
from serinus.simulator.draft import Served
from serinus.simulator.errors import ErrorReply
from serinus.simulator.faults import catalogue as faults
from serinus.simulator.faults.registry import ListingCase, Stage
from serinus.simulator.gateway import SimulatedGateway
from serinus.simulator.ledger import Ledger
from serinus.simulator.response import Forwarded, Refused
from serinus.simulator.scenario import FaultUse, Host, Model, Scenario
from serinus.simulator.steps import Head, Open, Raw, Reply, document

BASE: Final = "/api/v1"
_MODEL: Final = re.compile(rf"{BASE}/model/(?P<id>[^/]+/[^/]+)")
_ENDPOINTS: Final = re.compile(rf"{BASE}/models/(?P<id>[^/]+/[^/]+)/endpoints")


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request as it came. `headers` must find names in any case; `path` is decoded."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """Answers every path of the gateway, and writes down what it charged."""

    gateway: SimulatedGateway
    ledger: Ledger

    @classmethod
    def of(cls, scenario: Scenario, began: datetime) -> Self:
        """The desk of a scenario that began at this moment."""
        return cls(SimulatedGateway(scenario, corpus(), began), Ledger(scenario.generation_delay))

    def reply(self, request: Incoming, now: datetime) -> Reply | Forwarded:
        """The response to a request at a moment; a `Forwarded` one is for the server to fetch."""
        if request.method == "POST" and request.path == f"{BASE}/chat/completions":
            return self._chat(request, now)
        if request.method != "GET":
            return failure(errors.not_found("Not Found"))
        return self._document(request, now)

    def _document(self, request: Incoming, now: datetime) -> Reply:
        scenario = self.gateway.scenario
        if request.path == f"{BASE}/models":
            return document(catalogue.models(scenario, request.origin))
        if request.path == f"{BASE}/models/count":
            return document({"data": {"count": len(scenario.models)}})
        if request.path == f"{BASE}/endpoints/zdr":  # every simulated host keeps nothing
            rows = [row for model in scenario.models for row in self._rows(model, request, now)]
            return document({"data": rows})
        if request.path == f"{BASE}/providers":
            return document(catalogue.providers(scenario.hosts))
        for pattern, answer in ((_MODEL, self._model), (_ENDPOINTS, self._endpoints)):
            found = pattern.fullmatch(request.path)
            if found:
                model = scenario.model(found["id"])
                return answer(model, request, now) if model else failure(errors.not_found("Model not found"))
        return self._own(request, now)

    def _own(self, request: Incoming, now: datetime) -> Reply:
        """What only a key may see."""
        if not self._authorised(request):
            return failure(errors.no_auth())
        bought = self.gateway.scenario.account.credits
        if request.path == f"{BASE}/key":
            return document(self.ledger.key(bought))
        if request.path == f"{BASE}/credits":
            return document(self.ledger.balance(bought))
        if request.path == f"{BASE}/generation":
            name = request.query.get("id", "")
            found = self.ledger.find(name, now)
            missing = errors.not_found(f"Generation {name} not found")
            return failure(missing) if found is None else document({"data": found})
        return failure(errors.not_found("Not Found"))

    def _model(self, model: Model, request: Incoming, now: datetime) -> Reply:
        del now
        return document(catalogue.model_row(self.gateway.scenario, model, request.origin))

    def _endpoints(self, model: Model, request: Incoming, now: datetime) -> Reply:
        hosts = self.gateway.hosts(model, now)
        listed: list[dict[str, Any]] | ErrorReply = self._rows(model, request, now)
        for host, use in self._listing_faults(hosts, now):
            # No request of a listing is like another: the second it comes in takes the session's place.
            chance = dice(self.gateway.scenario.seed, use.name, host and host.tag, int(now.timestamp()))
            if not isinstance(listed, ErrorReply) and chance.random() < use.rate:
                listed = faults()[use.name](listed, ListingCase(host, model, chance), **use.parameters)
        if isinstance(listed, ErrorReply):
            return failure(listed)
        return document(catalogue.endpoints(model, listed))

    def _rows(self, model: Model, request: Incoming, now: datetime) -> list[dict[str, Any]]:
        known = self._authorised(request)
        hosts = self.gateway.hosts(model, now)
        return [catalogue.endpoint_row(model, h, now, authenticated=known) for h in hosts]

    def _listing_faults(
        self, hosts: tuple[Host, ...], now: datetime
    ) -> Iterator[tuple[Host | None, FaultUse]]:
        uses: list[tuple[Host | None, FaultUse]] = [(h, use) for h in hosts for use in h.faults]
        uses += [(None, use) for use in self.gateway.scenario.faults]
        for host, use in uses:
            if faults()[use.name].stage is Stage.LISTING and use.window.holds(now, self.gateway.began):
                yield host, use

    def _chat(self, request: Incoming, now: datetime) -> Reply | Forwarded:
        if not self._authorised(request):
            return failure(errors.no_auth())
        try:
            ask = read(json.loads(request.body), request.headers)
        except (BadRequestError, ValueError) as error:
            return failure(errors.bad_request(str(error)))
        response = self.gateway.chat(ask, now)
        if isinstance(response, Refused):
            return failure(response.error, response.document, response.id)
        if isinstance(response, Forwarded):
            return response
        self.ledger.enter(response, response.framer.usage(response.draft), now)
        headers = answer_headers(response.id, response.framer.served, stream=ask.stream)
        headers |= {step.name: step.value for step in response.steps if isinstance(step, Head)}
        return Reply(200, headers, tuple(s for s in response.steps if not isinstance(s, Head)))

    def _authorised(self, request: Incoming) -> bool:
        scheme, _, key = request.headers.get("Authorization", "").partition(" ")
        wanted = self.gateway.scenario.account.key
        return scheme.lower() == "bearer" and bool(key.strip()) and wanted in (None, key.strip())


def failure(error: ErrorReply, told: dict[str, Any] | None = None, name: str | None = None) -> Reply:
    """An error as a response; `name` is the id of the generation that failed."""
    headers = {**error.headers, **({"X-Generation-Id": name} if name else {})}
    if error.body is not None:
        return Reply(
            error.status, {"Content-Type": "text/html", **headers}, (Open(), Raw(error.body.encode()))
        )
    return document(told or error.document(), error.status, headers)


def answer_headers(name: str, served: Served, *, stream: bool) -> dict[str, str]:
    """The headers of an answer."""
    headers = {
        "Content-Type": "text/event-stream" if stream else "application/json",
        "X-Generation-Id": name,
        "X-Request-Id": f"req-{token(name, size=16)}",
        "CF-Ray": f"{token('ray', name, size=16).lower()}-IAD",
        "Cache-Control": "no-cache",
    }
    if served.cached:
        headers["X-OpenRouter-Cache-Status"] = "HIT"
    return headers
