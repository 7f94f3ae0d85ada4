"""The gateway port, spoken to a LiteLLM proxy."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Final

from serinus.core.model import Limits, Listing, Offer, Probe
from serinus.core.transcript import Transcript
from serinus.gateways.litellm.deployments import listing_of
from serinus.prober.asking import asked
from serinus.prober.attempt import Patience
from serinus.prober.document import Document, document_of
from serinus.prober.exchange import Request
from serinus.prober.prober import Prober
from serinus.prober.secret import Key
from serinus.service.ports import ByHand, KeyState
from serinus.wire.request import as_sent, chat_body

PROOF: Final = "x-litellm-model-id"  # the deployment that served, on streams too
LISTING_PATIENCE: Final = Patience(hard=30.0, size=32_000_000)  # a deployment takes about 10 kB
HEADERS: Final = {"Content-Type": "application/json"}
# Each per request: no second attempt, no other deployment, no answer of the proxy's own cache.
PINNED: Final = {
    "num_retries": 0,
    "disable_fallbacks": True,
    "cache": {"no-cache": True, "no-store": True},
}
_REFUSING: Final = frozenset({401, 403})
_NO_DATABASE: Final = "no_db_connection"  # what a proxy without one answers to a key it does not know


class LiteLLM:
    """Discovers a proxy's deployments and asks them, each by its own id.

    `prober` must be entered. `base_url` is the proxy's, with or without `/v1`. `key` may be None for a
    proxy that wants none. `user` is what the proxy books probes on. `reasoning` names models whose
    reasoning is left as hosts have it.
    """

    name = "litellm"

    def __init__(
        self,
        prober: Prober,
        key: Key | None,
        *,
        base_url: str,
        user: str = "serinus-probe",
        reasoning: frozenset[str] = frozenset(),
    ) -> None:
        """Connect the gateway."""
        self._prober = prober
        self._key = key
        self._base = base_url.rstrip("/")
        self._user = user
        self._reasoning = reasoning

    async def discover(self, model: str) -> Listing:
        """The deployments of a model group; whatever is wrong with the listing is its `trouble` (R1)."""
        document = await self._info()
        if document.trouble is not None:
            return Listing(model, trouble=f"the listing could not be had: {document.trouble}")
        return listing_of(model, document.data, reasons=model in self._reasoning)

    async def ask(self, offer: Offer, probe: Probe, *, session: str, limits: Limits) -> Transcript:
        """One attempt at one deployment: no retry, fallback or cache; never raises for what came back."""
        del session  # the proxy needs no name for a request; the probe's nonce keeps it out of caches
        sent = as_sent(probe, reasons=offer.reasoning_mandatory)
        by_hand = self.by_hand(offer, sent)
        body = {**by_hand.body, "user": self._user}
        request = Request("POST", by_hand.url, HEADERS, json.dumps(body).encode(), self._key)
        return await asked(self._prober, request, offer, sent, limits, proof=PROOF)

    def by_hand(self, offer: Offer, probe: Probe) -> ByHand:
        """The same request for somebody else to make."""
        return ByHand(f"{self._base}/chat/completions", chat_body(offer.route.tag, probe) | PINNED, HEADERS)

    async def key_state(self) -> KeyState:
        """Whether the proxy takes our key at all; it tells no limit and no balance to an ordinary one."""
        document = await self._info()
        return replace(_key_state(document), date=document.date)

    async def balance(self) -> float | None:
        """None: a proxy has no credit of its own."""
        return None

    async def _info(self) -> Document:
        request = Request("GET", f"{self._base}/model/info", {"Accept": "application/json"}, key=self._key)
        return document_of(await self._prober.exchange(request, LISTING_PATIENCE))


def _key_state(document: Document) -> KeyState:
    said = document.trouble or ""
    if document.status in _REFUSING or _NO_DATABASE in said or "No connected db" in said:
        return KeyState(trouble="the proxy does not accept this key; give it one that may ask /v1/model/info")
    if document.trouble is not None:
        return KeyState(notes=(f"the state of the key is not known: {document.trouble}",), known=False)
    return KeyState()
