"""The gateway port over one's own servers: a route is an address, and nothing stands between."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from serinus.core.model import Limits, Listing, Offer, Probe
from serinus.core.transcript import Answer, Phase, Transcript
from serinus.gateways.openai_compatible.replica import Pulse, Replica, health_of, pulse_of
from serinus.prober.asking import asked
from serinus.prober.attempt import Patience
from serinus.prober.document import Document, document_of
from serinus.prober.exchange import Request
from serinus.prober.prober import Prober
from serinus.service.ports import ByHand
from serinus.wire.request import as_sent, chat_body

PULSE_PATIENCE: Final = Patience(hard=10.0, connect=5.0, size=4_000_000)
HEADERS: Final = {"Content-Type": "application/json"}


class OpenAICompatible:
    """Asks replicas, each at its own address. `prober` must be entered.

    `reasoning` names models whose reasoning is left as the servers have it.
    """

    name = "openai_compatible"

    def __init__(
        self, prober: Prober, replicas: Iterable[Replica], *, reasoning: frozenset[str] = frozenset()
    ) -> None:
        """Connect the gateway."""
        self._prober = prober
        self._replicas = {replica.route: replica for replica in replicas}
        self._reasoning = reasoning

    async def discover(self, model: str) -> Listing:
        """The replicas of a model that live now; if none does, that is the listing's `trouble` (R1)."""
        mine = [replica for route, replica in self._replicas.items() if route.model == model]
        if not mine:
            return Listing(model, trouble=f"no replica serves {model}: add a [[replica]] table")
        async with asyncio.TaskGroup() as group:
            tasks = [(replica, group.create_task(self._pulse(replica))) for replica in mine]
        pulses = [(replica, task.result()) for replica, task in tasks]
        notes = tuple(said for _, pulse in pulses if (said := pulse.dead or pulse.note))
        live = [replica for replica, pulse in pulses if pulse.dead is None]
        if not live:
            return Listing(model, trouble=f"no replica is live: {'; '.join(notes)}")
        reasons = model in self._reasoning
        return Listing(model, tuple(replica.offer(reasons=reasons) for replica in live), notes=notes)

    async def ask(self, offer: Offer, probe: Probe, *, session: str, limits: Limits) -> Transcript:
        """One attempt at one replica; never raises for what came back."""
        del session  # a server of one's own needs no name for a request
        replica = self._replicas.get(offer.route)
        sent = as_sent(probe, reasons=offer.reasoning_mandatory)
        if replica is None:
            return _nowhere(offer, sent, limits)
        by_hand = self.by_hand(offer, sent)
        body = json.dumps(by_hand.body).encode()
        request = Request("POST", by_hand.url, HEADERS, body, replica.key)
        return await asked(self._prober, request, offer, sent, limits, direct=True)

    def by_hand(self, offer: Offer, probe: Probe) -> ByHand:
        """The same request for somebody else to make; what a replica adds to each is in it."""
        replica = self._replicas[offer.route]
        body = {**replica.extra_body, **chat_body(replica.serves, probe)}
        return ByHand(f"{replica.base_url}/chat/completions", body, HEADERS)

    async def _pulse(self, replica: Replica) -> Pulse:
        pulse = pulse_of(replica, await self._get(replica, f"{replica.base_url}/models"))
        if not pulse.silent:
            return pulse
        parts = urlsplit(replica.base_url)
        return health_of(replica, await self._get(replica, f"{parts.scheme}://{parts.netloc}/health"))

    async def _get(self, replica: Replica, url: str) -> Document:
        request = Request("GET", url, {"Accept": "application/json"}, key=replica.key)
        return document_of(await self._prober.exchange(request, PULSE_PATIENCE))


def _nowhere(offer: Offer, sent: Probe, limits: Limits) -> Transcript:
    """A route of an earlier listing that the configuration no longer has: nobody was asked."""
    return Transcript(
        probe=sent,
        answer=Answer(),
        route=offer.route,
        pin=offer.route.tag,
        display=offer.display,
        direct=True,
        phase=Phase.CONNECT,
        error=f"unconfigured: no [[replica]] table has the tag {offer.route.tag}",
        limits=limits,
        reasoning_mandatory=offer.reasoning_mandatory,
        claims=offer.claims or None,
    )
