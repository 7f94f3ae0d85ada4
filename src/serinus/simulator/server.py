"""The simulated gateway over HTTP, under `/api/v1` like the real one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from aiohttp import web

from serinus.simulator import catalogue, errors
from serinus.simulator.ask import BadRequestError, read
from serinus.simulator.chance import dice, token
from serinus.simulator.draft import Served
from serinus.simulator.errors import ErrorReply
from serinus.simulator.faults import catalogue as faults
from serinus.simulator.faults.registry import ListingCase, Stage
from serinus.simulator.forward import UpstreamError, relay
from serinus.simulator.gateway import SimulatedGateway
from serinus.simulator.ledger import Ledger
from serinus.simulator.performer import Performer, Sleep
from serinus.simulator.response import Forwarded, Refused, refused
from serinus.simulator.scenario import FaultUse, Host, Model
from serinus.simulator.steps import Chunk

BASE: Final = "/api/v1"
_BODY_LIMIT: Final = 32 * 1024 * 1024


@dataclass(frozen=True)
class Server:
    """The HTTP face of a gateway; `now` and `sleep` are its only sense of time."""

    gateway: SimulatedGateway
    ledger: Ledger
    now: Callable[[], datetime]
    sleep: Sleep

    def application(self) -> web.Application:
        """The routes, ready to be served."""
        app = web.Application(client_max_size=_BODY_LIMIT)
        app.router.add_get(f"{BASE}/models", self.models)
        app.router.add_get(f"{BASE}/model/{{author}}/{{slug}}", self.model)
        app.router.add_get(f"{BASE}/models/{{author}}/{{slug}}/endpoints", self.endpoints)
        app.router.add_get(f"{BASE}/providers", self.providers)
        app.router.add_get(f"{BASE}/key", self.key)
        app.router.add_get(f"{BASE}/credits", self.credits)
        app.router.add_get(f"{BASE}/generation", self.generation)
        app.router.add_post(f"{BASE}/chat/completions", self.chat)
        return app

    async def models(self, request: web.Request) -> web.Response:
        """`GET /models`."""
        return web.json_response(catalogue.models(self.gateway.scenario, str(request.url.origin())))

    async def model(self, request: web.Request) -> web.Response:
        """`GET /model/{author}/{slug}`."""
        model = self._model(request)
        if model is None:
            return self._error(errors.not_found("Model not found"))
        return web.json_response(catalogue.model_row(self.gateway.scenario, model, str(request.url.origin())))

    async def endpoints(self, request: web.Request) -> web.Response:
        """`GET /models/{author}/{slug}/endpoints`, with the faults of the listing."""
        model = self._model(request)
        if model is None:
            return self._error(errors.not_found("Model not found"))
        now, known = self.now(), self._authorised(request)
        hosts = self.gateway.hosts(model, now)
        rows = [catalogue.endpoint_row(model, h, now, authenticated=known) for h in hosts]
        listed: list[dict[str, Any]] | ErrorReply = rows
        for host, use in self._listing_faults(hosts, now):
            chance = dice(self.gateway.scenario.seed, use.name, host and host.tag, now.timestamp() // 1)
            if chance.random() < use.rate and not isinstance(listed, ErrorReply):
                listed = faults()[use.name](listed, ListingCase(host, model, chance), **use.parameters)
        if isinstance(listed, ErrorReply):
            return self._error(listed)
        return web.json_response(catalogue.endpoints(model, listed))

    async def providers(self, request: web.Request) -> web.Response:
        """`GET /providers`."""
        del request
        return web.json_response(catalogue.providers(self.gateway.scenario.hosts))

    async def key(self, request: web.Request) -> web.Response:
        """`GET /key`."""
        if not self._authorised(request):
            return self._error(errors.no_auth())
        return web.json_response({"data": self._key()})

    async def credits(self, request: web.Request) -> web.Response:
        """`GET /credits`."""
        if not self._authorised(request):
            return self._error(errors.no_auth())
        account = self.gateway.scenario.account
        return web.json_response(
            {"data": {"total_credits": account.credits, "total_usage": round(self.ledger.spent, 10)}}
        )

    async def generation(self, request: web.Request) -> web.Response:
        """`GET /generation?id=`: 404 until the record is there."""
        if not self._authorised(request):
            return self._error(errors.no_auth())
        name = request.query.get("id", "")
        found = self.ledger.find(name, self.now())
        if found is None:
            return self._error(errors.not_found(f"Generation {name} not found"))
        return web.json_response({"data": found})

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """`POST /chat/completions`."""
        if not self._authorised(request):
            return self._error(errors.no_auth())
        try:
            ask = read(json.loads(await request.read()), request.headers)
        except (BadRequestError, ValueError) as error:
            return self._error(errors.bad_request(str(error)))
        now = self.now()
        response = self.gateway.chat(ask, now)
        if isinstance(response, Refused):
            return self._error(response.error, response.document, response.id)
        kind = "text/event-stream" if ask.stream else "application/json"
        performer = Performer(request, self._headers(response.id, response.framer.served, kind), self.sleep)
        if isinstance(response, Forwarded):
            return await self._forward(response, performer, now)
        self.ledger.enter(response, response.framer.usage(response.draft), now)
        await performer.play(response.steps)
        return await performer.end()

    async def _forward(self, forwarded: Forwarded, performer: Performer, now: datetime) -> web.StreamResponse:
        try:
            answer, usage = await relay(forwarded, performer.do)
        except UpstreamError as error:
            told = refused(error.reply, forwarded.framer)
            if not performer.opened:
                return self._error(told.error, told.document, told.id)
            await performer.do(Chunk(forwarded.framer.error(told.document["error"])))
            return await performer.end()
        self.ledger.enter(answer, usage, now)
        return await performer.end()

    def _headers(self, name: str, served: Served, kind: str) -> dict[str, str]:
        headers = {
            "Content-Type": kind,
            "X-Generation-Id": name,
            "X-Request-Id": f"req-{token(name, size=16)}",
            "CF-Ray": f"{token('ray', name, size=16).lower()}-IAD",
            "Cache-Control": "no-cache",
        }
        if served.cached:
            headers["X-OpenRouter-Cache-Status"] = "HIT"
        return headers

    def _error(
        self, error: ErrorReply, document: dict[str, Any] | None = None, name: str | None = None
    ) -> web.Response:
        headers = {**error.headers, **({"X-Generation-Id": name} if name else {})}
        if error.body is not None:
            return web.Response(
                status=error.status, text=error.body, content_type="text/html", headers=headers
            )
        return web.json_response(document or error.document(), status=error.status, headers=headers)

    def _authorised(self, request: web.Request) -> bool:
        scheme, _, key = request.headers.get("Authorization", "").partition(" ")
        wanted = self.gateway.scenario.account.key
        return scheme.lower() == "bearer" and bool(key.strip()) and wanted in (None, key.strip())

    def _model(self, request: web.Request) -> Model | None:
        return self.gateway.scenario.model(f"{request.match_info['author']}/{request.match_info['slug']}")

    def _listing_faults(self, hosts: tuple[Host, ...], now: datetime) -> list[tuple[Host | None, FaultUse]]:
        scenario = self.gateway.scenario
        uses: list[tuple[Host | None, FaultUse]] = [(h, use) for h in hosts for use in h.faults]
        uses += [(None, use) for use in scenario.faults]
        return [
            (host, use)
            for host, use in uses
            if faults()[use.name].stage is Stage.LISTING and use.window.holds(now, self.gateway.began)
        ]

    def _key(self) -> dict[str, Any]:
        account, spent = self.gateway.scenario.account, round(self.ledger.spent, 10)
        zero = {"byok_usage": 0, "byok_usage_daily": 0, "byok_usage_weekly": 0, "byok_usage_monthly": 0}
        return {
            "label": "sk-or-v1-sim...key",
            "limit": account.credits,
            "limit_remaining": round(account.credits - spent, 10),
            "limit_reset": None,
            "include_byok_in_limit": False,
            "usage": spent,
            "usage_daily": spent,
            "usage_weekly": spent,
            "usage_monthly": spent,
            **zero,
            "is_free_tier": False,
            "is_management_key": False,
            "is_provisioning_key": False,
            "expires_at": None,
            "rate_limit": {"requests": -1, "interval": "10s", "note": "This field is deprecated."},
        }
