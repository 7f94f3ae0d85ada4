"""One attempt at a request: the way there, the wait, and the reading, each with its limit."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import aiohttp

from serinus.core.transcript import End, Event, Phase
from serinus.prober.errors import phase_of, sentence, silence
from serinus.prober.exchange import Exchange, Request
from serinus.prober.marks import Marks
from serinus.prober.receiver import Receiver


def _unknown(events: Sequence[Event]) -> bool:
    """Nobody reads the events: the hard limit is the end."""
    del events
    return False


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an answer may take and how large it may grow: seconds and bytes.

    `connect` bounds DNS, TCP and TLS together. `hard` counts from the request being written: an
    answer without text by then, as `has_text` sees it, is given up (`End.HELD`). One that has text
    is read on, for a slow host is not a silent one, until nothing but comments came for `hard`
    seconds (`HELD`); after `times_hard` times `hard` in all it is cut (`End.CAPPED`), as it is when
    it outgrows `size`. `after_done` is how long a stream may stay open after its `[DONE]`, because
    some hosts never close.
    """

    hard: float = 60.0
    connect: float = 15.0
    after_done: float = 2.0
    times_hard: float = 3.0
    size: int = 2_000_000
    has_text: Callable[[Sequence[Event]], bool] = _unknown


class Attempt:
    """The state of one exchange while it runs."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        request: Request,
        patience: Patience,
        clock: Callable[[], float],
    ) -> None:
        self._session = session
        self._request = request
        self._patience = patience
        self._clock = clock
        self._deadline = asyncio.timeout(patience.connect)
        self._marks = Marks(self._on_sent)
        self._receiver = Receiver(0)
        self._status: int | None = None
        self._headers: Mapping[str, str] = {}
        self._end = End.CLOSED
        self._phase: Phase | None = None
        self._error: str | None = None
        self._lost: str | None = None
        self._began = self._ended = clock()

    @property
    def since(self) -> float:
        """The instant from which times count: the request written, or else the beginning."""
        return self._began if self._marks.sent is None else self._marks.sent

    async def run(self) -> None:
        """Send and read; afterwards `result` has everything."""
        response: aiohttp.ClientResponse | None = None
        try:
            async with self._deadline:
                response = await self._send()
            await self._read(response)
        except TimeoutError:
            limit = self._patience.connect if self._marks.sent is None else self._patience.hard
            self._end, self._phase, self._error = silence(self._marks, limit)
        except Exception as error:  # noqa: BLE001  whatever breaks is evidence of this attempt, never a round's end
            self._end, self._error = End.RESET, sentence(error)
            self._phase = phase_of(error, self._marks) if self._status is None else None
        finally:
            self._ended = self._clock()
            self._receiver.finish(given_up=self._end is End.HELD)
            if response is not None:
                response.close()

    def result(self, lag: float) -> Exchange:
        """What was seen."""
        received = self._receiver
        undecoded = self._end is End.CLOSED and received.trouble
        return Exchange(
            status=self._status,
            headers=self._headers,
            events=tuple(received.events),
            body=received.body,
            end=End.RESET if undecoded else self._end,
            ended=None if self._marks.sent is None else self._ended - self._marks.sent,
            phase=self._phase,
            error=self._error or received.trouble,
            timing=self._marks.timing(lag),
        )

    def _on_sent(self) -> None:
        """The request is written: from now on it is the host's time."""
        with contextlib.suppress(RuntimeError):  # too late: the wait has just been given up, or answered
            self._deadline.reschedule(asyncio.get_running_loop().time() + self._patience.hard)

    async def _send(self) -> aiohttp.ClientResponse:
        request = self._request
        headers = dict(request.headers)
        if request.key is not None:
            headers["Authorization"] = f"Bearer {request.key.get_secret_value()}"
        response = await self._session.request(
            request.method,
            request.url,
            headers=headers,
            data=request.body,
            allow_redirects=False,  # a redirect would carry the key away, and the answer be another's
            trace_request_ctx=self._marks,
        )
        self._marks.headers = self._clock()
        return response

    async def _read(self, response: aiohttp.ClientResponse) -> None:
        """Read the body until it ends, breaks, fills its cap or outlasts the limits."""
        self._status = response.status
        self._headers = _plain_headers(response)
        content_type = self._headers.get("content-type", "").strip().lower()
        encoding = self._headers.get("content-encoding", "").strip().lower()
        self._receiver = Receiver(self._patience.size, content_type, encoding)
        self._watch(response)
        until: float | None = self.since + self._patience.hard
        while until is not None:
            try:
                async with asyncio.timeout(until - self._clock()):
                    await self._read_on(response.content.readany)
                break
            except TimeoutError:
                until = self._more_time()
        if self._receiver.capped:
            self._end = End.CAPPED
        elif self._lost is not None:
            self._end, self._error = End.RESET, self._lost

    def _watch(self, response: aiohttp.ClientResponse) -> None:
        """Learn how the connection is lost, where the client does not tell.

        It takes a reset for the end of an answer that has no length of its own, and it never ends
        the body of an answer whose later chunks are broken, which would look like a host that stalls.
        """
        connection, content = response.connection, response.content
        protocol = connection.protocol if connection is not None else None
        if connection is None or protocol is None or protocol.closed is None:
            return  # the whole answer is here already
        bounded = _has_its_own_end(self._headers)

        def on_lost(closed: asyncio.Future[None]) -> None:
            error = None if closed.cancelled() else closed.exception()
            if not content.is_eof() and content.exception() is None:
                self._lost = f"broken: {error or protocol.exception() or 'the answer ends too early'}"
                content.feed_eof()
            elif error is not None and not bounded:
                self._lost = f"reset: {error}"

        protocol.closed.add_done_callback(on_lost)

    async def _read_on(self, read: Callable[[], Awaitable[bytes]]) -> None:
        """Feed what comes until the answer ends or no more is wanted."""
        zero, clock, receiver = self.since, self._clock, self._receiver
        while not receiver.done:
            data = await read()
            if not data or not receiver.feed(data, clock() - zero):
                return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience.after_done):
                while (data := await read()) and receiver.feed(data, clock() - zero):
                    pass

    def _more_time(self) -> float | None:
        """The next instant to give up at; None if it has come, and then `_end` says how."""
        patience, events = self._patience, self._receiver.events
        if self._receiver.done:
            return None
        last = next((e.at for e in reversed(events) if e.data is not None and e.at is not None), 0.0)
        silent_at = self.since + last + patience.hard
        cut_at = self.since + patience.times_hard * patience.hard
        now = self._clock()
        if now >= silent_at or not patience.has_text(events):
            self._end = End.HELD
        elif now >= cut_at:
            self._end = End.CAPPED
        else:
            return min(silent_at, cut_at)
        return None


def _plain_headers(response: aiohttp.ClientResponse) -> dict[str, str]:
    """The headers by lower-case name; cookies are no evidence and are not kept."""
    found: dict[str, str] = {}
    for name, value in response.headers.items():
        key = name.lower()
        if key != "set-cookie":
            found[key] = f"{found[key]}, {value}" if key in found else value
    return found


def _has_its_own_end(headers: Mapping[str, str]) -> bool:
    return "content-length" in headers or "chunked" in headers.get("transfer-encoding", "").lower()
