"""The simulated gateway over HTTP, under `/api/v1` like the real one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from aiohttp import web

from serinus.simulator.desk import Desk, Incoming, answer_headers, failure
from serinus.simulator.forward import UpstreamError, relay
from serinus.simulator.performer import Performer, Sleep
from serinus.simulator.response import Forwarded, refused
from serinus.simulator.steps import Chunk

_BODY_LIMIT: Final = 32 * 1024 * 1024


@dataclass(frozen=True)
class Server:
    """The HTTP face of a gateway; `now` and `sleep` are its only sense of time."""

    desk: Desk
    now: Callable[[], datetime]
    sleep: Sleep

    def application(self) -> web.Application:
        """The one route, ready to be served."""
        app = web.Application(client_max_size=_BODY_LIMIT)
        app.router.add_route("*", "/{path:.*}", self.handle)
        return app

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Any request; a client that leaves before its answer is no fault of the gateway's."""
        try:
            return await self._handle(request)
        except ConnectionResetError:
            return web.Response()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        incoming = Incoming(
            request.method,
            request.path,
            request.query,
            request.headers,
            await request.read(),
            str(request.url.origin()),
        )
        now = self.now()
        reply = self.desk.reply(incoming, now)
        if isinstance(reply, Forwarded):
            return await self._forward(reply, request, now)
        performer = Performer(request, reply.headers, self.sleep, status=reply.status)
        await performer.play(reply.steps)
        return await performer.end()

    async def _forward(self, forwarded: Forwarded, request: web.Request, now: datetime) -> web.StreamResponse:
        served, stream = forwarded.framer.served, forwarded.ask.stream
        performer = Performer(request, answer_headers(forwarded.id, served, stream=stream), self.sleep)
        try:
            answer, usage = await relay(forwarded, performer.do)
        except UpstreamError as error:
            told = refused(error.reply, forwarded.framer)
            if performer.opened:
                await performer.do(Chunk(forwarded.framer.error(told.document["error"])))
                return await performer.end()
            reply = failure(told.error, told.document, told.id)
            performer = Performer(request, reply.headers, self.sleep, status=reply.status)
            await performer.play(reply.steps)
            return await performer.end()
        self.desk.ledger.enter(answer, usage, now)
        return await performer.end()
