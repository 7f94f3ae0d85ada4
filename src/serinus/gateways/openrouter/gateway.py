"""The gateway port, spoken over OpenRouter's wire format."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlsplit

from serinus.core.model import Limits, Listing, Offer, Probe
from serinus.core.transcript import Transcript
from serinus.gateways.openrouter.account import balance_of, key_state_of
from serinus.gateways.openrouter.generation import Generation, generation_of
from serinus.gateways.openrouter.listing import Providers, listing_of, mandatory_of, providers_of
from serinus.gateways.openrouter.pinned import HEADERS, body_by_hand, pinned_body
from serinus.prober.asking import asked
from serinus.prober.attempt import Patience
from serinus.prober.document import Document, document_of
from serinus.prober.exchange import Request
from serinus.prober.prober import Prober
from serinus.prober.secret import Key
from serinus.service.ports import ByHand, KeyState
from serinus.wire.request import as_sent

BASE_URL: Final = "https://openrouter.ai/api/v1"
LISTING_PATIENCE: Final = Patience(hard=30.0, size=16_000_000)  # 500 endpoints are about 1 MB
KEPT: Final = 600.0  # seconds for which providers and models' own entries are not asked again
RECORD_WAITS: Final = (1.0, 2.0, 4.0, 8.0)  # a generation's record appears some time after the answer


@dataclass(slots=True)
class _Kept:
    """What was read lately and changes rarely."""

    providers: tuple[float, Providers] | None = None
    mandatory: dict[str, tuple[float, bool | None]] = field(default_factory=dict)


class OpenRouter:
    """Discovers routes and asks them, each by its own tag.

    `prober` must be entered. `key` may be None for a server that wants none. `reasoning` names models
    whose reasoning is left as hosts have it: they are asked and timed as if it could not be switched off.
    `preferences` are the
    `provider` settings that production sends (`data_collection`, `zdr`, …), so that hosts are judged
    as production meets them. `user` is a stable name: without it the account itself is shown to
    providers. `account_plugins` leaves the account's default plugins on: only to see what they do.
    """

    name = "openrouter"

    def __init__(  # noqa: PLR0913  each is a choice of its own, all but two have a default
        self,
        prober: Prober,
        key: Key | None,
        *,
        base_url: str = BASE_URL,
        user: str = "serinus-probe",
        preferences: Mapping[str, Any] | None = None,
        account_plugins: bool = False,
        reasoning: frozenset[str] = frozenset(),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Connect the gateway.

        Raises:
            ValueError: the base URL is no http(s) address.
        """
        parts = urlsplit(base_url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
            message = f"base_url is {base_url!r}; it must look like {BASE_URL}"
            raise ValueError(message)
        self._prober = prober
        self._key = key
        self._base = base_url.rstrip("/")
        self._user = user
        self._preferences = dict(preferences or {})
        self._account_plugins = account_plugins
        self._reasoning = reasoning
        self._sleep = sleep
        self._kept = _Kept()

    async def discover(self, model: str) -> Listing:
        """The live routes of a model; whatever is wrong with the listing is its `trouble` (R1)."""
        async with asyncio.TaskGroup() as group:
            listed = group.create_task(self._document(f"/models/{_path(model)}/endpoints"))
            named = group.create_task(self._providers())
            reasons = group.create_task(self._mandatory(model))
        document, (providers, notes) = listed.result(), named.result()
        if document.trouble is not None:
            return Listing(model, trouble=f"the listing could not be had: {document.trouble}", notes=notes)
        mandatory = model in self._reasoning or mandatory_of(document.data)
        if mandatory is None:
            mandatory = reasons.result()
        listing = listing_of(model, document.data, providers, mandatory=mandatory)
        return Listing(model, listing.offers, listing.trouble, notes + listing.notes)

    async def ask(self, offer: Offer, probe: Probe, *, session: str, limits: Limits) -> Transcript:
        """One attempt, pinned to the offer's tag, fallbacks off; never raises for what came back."""
        sent = as_sent(probe, reasons=offer.reasoning_mandatory)
        body = pinned_body(offer, sent, session=session, user=self._user, preferences=self._preferences)
        if self._account_plugins:
            del body["plugins"]
        request = Request(
            "POST", f"{self._base}/chat/completions", HEADERS, json.dumps(body).encode(), self._key
        )
        return await asked(self._prober, request, offer, sent, limits)

    def by_hand(self, offer: Offer, probe: Probe) -> ByHand:
        """The same request for somebody else to make, under an account of their own."""
        headers = {name: value for name, value in HEADERS.items() if name != "X-OpenRouter-Title"}
        return ByHand(
            f"{self._base}/chat/completions", body_by_hand(offer, probe), headers, "OPENROUTER_API_KEY"
        )

    async def generation(self, identity: str) -> Generation | None:
        """The record of a generation, asked for again while it is not there yet; None if it never came."""
        for wait in (*RECORD_WAITS, None):
            document = await self._document(f"/generation?id={quote(identity, safe='')}")
            if document.trouble is None:
                return generation_of(identity, document.data)
            if wait is None:
                break
            await self._sleep(wait)
        return None

    async def key_state(self) -> KeyState:
        """Whether our own key can ask at all (`GET /key`)."""
        return key_state_of(await self._document("/key"))

    async def balance(self) -> float | None:
        """The account's credit in USD (`GET /credits`); None where the gateway does not tell this key."""
        return balance_of(await self._document("/credits"))

    async def _document(self, path: str) -> Document:
        request = Request("GET", self._base + path, {"Accept": "application/json"}, key=self._key)
        return document_of(await self._prober.exchange(request, LISTING_PATIENCE))

    async def _providers(self) -> tuple[Providers, tuple[str, ...]]:
        """The providers as last read, and a note where they could not be read now."""
        kept, now = self._kept.providers, self._prober.clock()
        if kept is not None and now - kept[0] < KEPT:
            return kept[1], ()
        document = await self._document("/providers")
        providers = providers_of(document.data)
        if providers.names:
            self._kept.providers = (now, providers)
            return providers, ()
        why = document.trouble or "it names no provider"
        last = kept[1] if kept is not None else Providers()
        return last, (f"the list of providers could not be had: {why}",)

    async def _mandatory(self, model: str) -> bool | None:
        """Whether the model's own entry says that it always reasons; None if it cannot be had."""
        kept, now = self._kept.mandatory.get(model), self._prober.clock()
        if kept is not None and now - kept[0] < KEPT:
            return kept[1]
        document = await self._document(f"/model/{_path(model)}")
        if document.trouble is not None:
            return kept[1] if kept is not None else None
        mandatory = mandatory_of(document.data)
        self._kept.mandatory[model] = (now, mandatory)
        return mandatory


def _path(model: str) -> str:
    """The model's name in an address: `author/slug`, perhaps with a variant (`:free`)."""
    return quote(model, safe="/:@~")
