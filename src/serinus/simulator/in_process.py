"""The simulated gateway without a network: what a prober would have seen, at once and on a clock of its own.

A drill of days runs in minutes this way, and a test of a minute's silence in no time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from multidict import CIMultiDict

from serinus.core.transcript import End, Phase, Timing
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.attempt import Patience
from serinus.prober.exchange import Exchange, Request
from serinus.prober.prober import Prober
from serinus.prober.receiver import Receiver
from serinus.prober.secret import Secret
from serinus.simulator.desk import Desk, Incoming
from serinus.simulator.response import Forwarded
from serinus.simulator.scenario import Scenario
from serinus.simulator.steps import Drop, Hold, Open, Reply, Reset, Step, Wait, encoded

ORIGIN: Final = "http://simulated.invalid"
BASE_URL: Final = f"{ORIGIN}/api/v1"
_AGES: Final = 10_000_000.0  # seconds that a held connection would last


class InProcessProber(Prober):
    """A prober whose every request is answered by a desk, in no time; `now` is when it asks.

    Times in an exchange are those that the steps say, cut by the same limits that a real prober
    applies. Hosts that forward to an engine cannot be asked so.
    """

    def __init__(self, desk: Desk, now: datetime) -> None:
        super().__init__(clock=self._monotonic)
        self.desk = desk
        self.now = now

    def advance(self, span: timedelta) -> None:
        """Let time pass."""
        self.now += span

    def _monotonic(self) -> float:
        return self.now.timestamp()

    async def exchange(self, request: Request, patience: Patience) -> Exchange:
        """What the request brings.

        Raises:
            ValueError: the host forwards to a real engine.
        """
        reply = self.desk.reply(_incoming(request), self.now)
        if isinstance(reply, Forwarded):
            message = f"{reply.host.tag} forwards to a real engine, which needs a real prober"
            raise ValueError(message)  # noqa: TRY004  the value of its setting is what is wrong
        return _Playback(reply, patience).exchange().without(request.key)


def in_process(
    scenario: Scenario, began: datetime, now: datetime | None = None
) -> tuple[OpenRouter, InProcessProber]:
    """The gateway of a scenario that began at a moment, and what asks it; `now` is a later one."""
    prober = InProcessProber(Desk.of(scenario, began), now or began)
    return OpenRouter(prober, Secret("sk-simulated"), base_url=BASE_URL), prober


def _incoming(request: Request) -> Incoming:
    parts = urlsplit(request.url)
    headers: CIMultiDict[str] = CIMultiDict(request.headers)
    if request.key is not None:
        headers["Authorization"] = f"Bearer {request.key.get_secret_value()}"
    query = dict(parse_qsl(parts.query))
    return Incoming(request.method, unquote(parts.path), query, headers, request.body or b"", ORIGIN)


class _Playback:
    """Walks the steps of a reply along its own clock, as a real prober's limits would let it."""

    def __init__(self, reply: Reply, patience: Patience) -> None:
        self.reply = reply
        self.patience = patience
        self.at = 0.0
        self.headers_at: float | None = None
        self.until = patience.hard
        self.end = End.CLOSED
        self.error: str | None = None
        headers = {name.lower(): value for name, value in reply.headers.items()}
        self.headers = headers
        kind, packing = headers.get("content-type", ""), headers.get("content-encoding", "")
        self.receiver = Receiver(patience.size, kind, packing)

    def exchange(self) -> Exchange:
        """The whole exchange."""
        for step in _from_here(self.reply.steps):
            if not self._take(step):
                break
        self.receiver.finish(given_up=self.end is End.HELD)
        opened = self.headers_at is not None
        return Exchange(
            status=self.reply.status if opened else None,
            headers=self.headers if opened else {},
            events=tuple(self.receiver.events),
            body=self.receiver.body,
            end=self.end,
            ended=self.at,
            phase=None if opened else Phase.WAIT,
            error=self.error,
            timing=Timing(dns=0.0, connect=0.0, send=0.0, headers=self.headers_at, lag=0.0),
        )

    def _take(self, step: Step) -> bool:
        """Perform one step; False when the exchange is over."""
        match step:
            case Wait(seconds):
                return self._pass(self.at + seconds)
            case Hold():
                return self._pass(_AGES)
            case Reset() | Drop():
                self.end = End.RESET
                self.error = "reset: simulated" if isinstance(step, Reset) else "broken: simulated early end"
                return False
            case Open():
                self.headers_at = self.at if self.headers_at is None else self.headers_at
                return True
            case _:
                self.headers_at = self.at if self.headers_at is None else self.headers_at
                if self.receiver.feed(encoded(step), self.at):
                    return True
                self.end = End.CAPPED
                return False

    def _pass(self, target: float) -> bool:
        if self.receiver.done and target > self.at + self.patience.after_done:
            self.at += self.patience.after_done
            return False
        while target > self.until:
            later = self._more_time()
            if later is None:
                self.at = self.until
                return False
            self.until = later
        self.at = target
        return True

    def _more_time(self) -> float | None:
        """As a real attempt: on while there is text and data keeps coming, but not for ever."""
        if self.headers_at is None:
            self.end, self.error = End.HELD, f"silent: no complete response head within {self.until:g} s"
            return None
        events, hard = self.receiver.events, self.patience.hard
        last = max((e.at or 0.0 for e in events if e.data is not None), default=0.0)
        silent_at, cut_at = last + hard, hard * self.patience.times_hard
        if self.until >= silent_at or not self.patience.has_text(events):
            self.end = End.HELD
        elif self.until >= cut_at:
            self.end = End.CAPPED
        else:
            return min(silent_at, cut_at)
        return None


def _from_here(steps: tuple[Step, ...]) -> Iterator[Step]:
    """The steps, and the Open that an answer without any body still makes."""
    yield from steps
    if not any(isinstance(step, Reset | Drop | Hold) for step in steps):
        yield Open()
