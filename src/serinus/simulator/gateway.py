"""The simulated gateway as a pure part: a request and a moment in, the steps of a response out.

The HTTP server performs the steps; a drill may read them under a time of its own. Nothing here waits,
and all chance is named, so that a request with one session id is answered alike in any order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Final

from serinus.simulator import errors
from serinus.simulator.ask import Ask
from serinus.simulator.chance import dice, strikes, token
from serinus.simulator.corpus import Corpus
from serinus.simulator.draft import Attempt, Served
from serinus.simulator.faults import catalogue
from serinus.simulator.faults.registry import Case, Fault, ListingCase, Stage
from serinus.simulator.framing import Framer
from serinus.simulator.making import Struck, made
from serinus.simulator.recognise import Wish, wish_of
from serinus.simulator.response import Refused, Response, refused
from serinus.simulator.routing import NoRouteError, route
from serinus.simulator.scenario import FaultUse, Host, Model, Scenario

_REMEMBERED: Final = 64  # requests


@dataclass(frozen=True, slots=True)
class SimulatedGateway:
    """A scenario that began at a moment.

    `recent` are the nonces asked for lately: what answers that cross can be mixed up with. It is all
    that one request leaves behind for another.
    """

    scenario: Scenario
    corpus: Corpus
    began: datetime
    recent: deque[str] = field(default_factory=lambda: deque(maxlen=_REMEMBERED), compare=False)

    def hosts(self, model: Model, now: datetime) -> tuple[Host, ...]:
        """The hosts of the model at that moment, under the names they have then."""
        present = (h for h in self.scenario.hosts_of(model) if h.present.holds(now, self.began))
        return tuple(self._named(host, model, now) for host in present)

    def chat(self, ask: Ask, now: datetime) -> Response:
        """The response to one chat request; an upstream failure moves on to the next host, if allowed."""
        model = self.scenario.model(ask.model)
        if model is None:
            return refused(errors.unknown_model(ask.model))
        hosts = self.hosts(model, now)
        try:
            candidates = route(ask, model, hosts, self.scenario.account, self.scenario.seed)
        except NoRouteError as error:
            return refused(error.reply)
        wish = wish_of(ask, self.corpus)
        others = tuple(nonce for nonce in self.recent if nonce != wish.nonce)
        if wish.nonce is not None:
            self.recent.append(wish.nonce)
        attempts: tuple[Attempt, ...] = ()
        for host in candidates:
            served = _served(host, hosts, model.dated or model.id, attempts)
            peers = tuple(h for h in hosts if h.tag != host.tag)
            chance = dice(self.scenario.seed, host.tag, ask.key)
            framer = self._framer(ask, host, served, now)
            case = Case(host, peers, chance, ask, wish, self.corpus, framer, others)
            response = made(case, partial(self._struck, now), self.scenario)
            if not isinstance(response, Refused) or not response.error.upstream:
                break
            failed = replace(served.attempts[-1], status=response.error.status)
            attempts = (*attempts, failed)
        return response

    def uses(self, host: Host, stage: Stage, now: datetime) -> Iterator[tuple[Fault, FaultUse]]:
        """The faults of a stage that hold at the host at that moment, the gateway's own after the host's."""
        for use in (*host.faults, *self.scenario.faults):
            fault = catalogue()[use.name]
            if fault.stage is stage and use.window.holds(now, self.began):
                yield fault, use

    def _named(self, host: Host, model: Model, now: datetime) -> Host:
        named = host
        for fault, use in self.uses(host, Stage.HOST, now):
            case = ListingCase(named, model, dice(self.scenario.seed, host.tag, use.name))
            named = fault(named, case, **use.parameters)
        return named

    def _framer(self, ask: Ask, host: Host, served: Served, now: datetime) -> Framer:
        created = int(now.timestamp())
        name = f"gen-{created}-{token(self.scenario.seed, host.tag, ask.key)}"
        return Framer(name, created, ask, served, host.price)

    def _struck(self, now: datetime, case: Case, stage: Stage) -> Struck:
        """The faults of a stage that strike this request at this host, each with dice of its own."""
        ask, seed = case.ask, self.scenario.seed
        for fault, use in self.uses(case.host, stage, now):
            if not _concerns(fault, use, ask, case.wish):
                continue
            own = dice(seed, use.name, case.host.tag, ask.key)
            shared = dice(seed, use.name, "prompt", ask.prompt_key)
            if strikes(use.rate, use.correlation, shared, own):
                yield fault, use.parameters, replace(case, chance=own)


def _served(host: Host, hosts: tuple[Host, ...], model: str, before: tuple[Attempt, ...]) -> Served:
    return Served(
        display=host.display,
        model=model,
        endpoint_id=host.endpoint_id,
        attempts=(*before, Attempt(host.display, model, 200, host.endpoint_id)),
        available=tuple(dict.fromkeys(h.display for h in hosts)),
        byok=host.byok,
        tier=host.tier,
    )


def _concerns(fault: Fault, use: FaultUse, ask: Ask, wish: Wish) -> bool:
    kinds = use.kinds & fault.kinds if use.kinds else fault.kinds
    return ask.kind in kinds and (not use.languages or wish.language in use.languages)
