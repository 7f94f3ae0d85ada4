"""A request on its way to the gateway, and its answer on the way back, byte for byte."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Final

from aiohttp import ClientError, ClientResponse

from serinus.service.ledger import Served
from serinus.traffic.proxy.counters import Counters
from serinus.traffic.proxy.exchange import Exchange, Waiting
from serinus.traffic.proxy.headers import BadFieldsError, Fields, check, to_caller, value_of
from serinus.traffic.proxy.incoming import Head, Intake, Send
from serinus.traffic.proxy.outgoing import Outgoing, Preparing
from serinus.traffic.proxy.reading import Reading
from serinus.traffic.proxy.relay import Relay
from serinus.traffic.proxy.replies import Reply, bad_answer
from serinus.traffic.proxy.settings import Bounds
from serinus.traffic.proxy.track import Track
from serinus.traffic.proxy.upstream import Upstream, UpstreamError

WARNING: Final = b"x-serinus-warning"
_BODILESS: Final = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED})

Keep = Callable[[Served], None]


@dataclass(frozen=True, slots=True)
class Forwarder:
    """Passes requests on. `keep` takes the ledger's rows; None where no ledger is kept."""

    upstream: Upstream
    preparing: Preparing
    bounds: Bounds
    counters: Counters
    intake: Intake
    now: Callable[[], datetime]
    keep: Keep | None

    async def forward(self, head: Head, body: bytes, exchange: Exchange, send: Send) -> None:
        """Pass one request on and its answer back.

        Raises:
            UpstreamError: there is no answer, and nothing was sent to the caller.
            asyncio.CancelledError: the exchange was ended; see `exchange` for why.
        """
        loop = asyncio.get_running_loop()
        outgoing = self.preparing.outgoing(head, body)
        began, end = loop.time(), "refused"
        track = self._track(outgoing, began)
        exchange.waiting, exchange.due = Waiting.ANSWER, began + self.bounds.first_byte
        try:
            answer = await self._asked(head, outgoing, exchange)
            end = "reset"
            try:
                end = await self._relay(answer, outgoing, track, exchange, send)
            finally:
                answer.close()  # no more than a formality once it was read whole; else it hangs up
        except UpstreamError as error:
            end = "refused" if error.reply.code == "gateway_unreachable" else "reset"
            raise
        except asyncio.CancelledError:
            end = "timeout" if exchange.overdue in {Waiting.ANSWER, Waiting.MORE} else "caller_left"
            raise
        finally:
            self._note(track, end, loop.time())

    async def _asked(self, head: Head, outgoing: Outgoing, exchange: Exchange) -> ClientResponse:
        url = self.upstream.url(head.endpoint, head.query)
        self.counters.sent_bytes += len(outgoing.body)
        try:
            return await self.upstream.send(head.method, url, outgoing.fields, outgoing.body)
        finally:
            self.intake.release(exchange)

    async def _relay(
        self,
        answer: ClientResponse,
        outgoing: Outgoing,
        track: Track | None,
        exchange: Exchange,
        send: Send,
    ) -> str:
        """Pass the answer back as it comes; how it ended."""
        fields = _checked(answer)
        self.counters.answers[f"{answer.status // 100}xx"] += 1
        reading = _reading(answer, fields) if track is not None else Reading(stream=False, plain=False)
        if track is not None:
            track.status, track.reading = answer.status, reading
            track.generation = _words(value_of(fields, b"x-generation-id"))
        passed = to_caller(fields, bodiless=answer.status in _BODILESS)
        passed += [(WARNING, warning) for warning in outgoing.warnings]
        exchange.started = True
        await send({"type": "http.response.start", "status": answer.status, "headers": passed})
        try:
            await Relay(answer, reading, exchange, send, self.bounds).run()
        except (ClientError, ConnectionError):
            return "reset"
        finally:
            self.counters.received_bytes += reading.received
        return "done"

    def _track(self, outgoing: Outgoing, began: float) -> Track | None:
        if self.keep is None or outgoing.asked is None:
            return None
        return Track(outgoing.asked, self.now(), began, len(outgoing.body))

    def _note(self, track: Track | None, end: str, now: float) -> None:
        self.counters.ends[end] += 1
        if track is None or self.keep is None:
            return
        served = track.served(end, now)
        if served.first_token is not None:
            self.counters.first_tokens += 1
            self.counters.first_token_seconds += served.first_token
        self.keep(served)


def _checked(answer: ClientResponse) -> Fields:
    """The answer's fields, if they may be written to a caller.

    Raises:
        UpstreamError: a peer might read another answer in them, or it is no final answer.
    """
    try:
        fields = check(answer.raw_headers)
    except BadFieldsError:
        raise UpstreamError(bad_answer()) from None
    if not HTTPStatus.OK <= answer.status < 600:  # noqa: PLR2004  the classes end at 5xx
        raise UpstreamError(bad_answer())
    return fields


def _reading(answer: ClientResponse, fields: Fields) -> Reading:
    kind = value_of(fields, b"content-type") or b""
    coded = value_of(fields, b"content-encoding") or b"identity"
    stream = kind.startswith(b"text/event-stream") and answer.status == HTTPStatus.OK
    return Reading(stream=stream, plain=coded == b"identity")


def _words(value: bytes | None) -> str | None:
    return None if value is None else value[:256].decode("latin-1")


async def reply(send: Send, told: Reply, *, close: bool) -> None:
    """Answer for the proxy itself."""
    body = told.body()
    fields = told.fields(body)
    if close:  # the rest of the request is not read
        fields.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": told.status, "headers": fields})
    await send({"type": "http.response.body", "body": body, "more_body": False})
