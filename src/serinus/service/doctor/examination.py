"""The whole examination: what is asked of the gateway, and the checks over what came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from serinus.core.model import Limits, Listing, Offer, Turn
from serinus.core.policy import Exclude, State
from serinus.core.transcript import Transcript
from serinus.probes import structured
from serinus.service.doctor import account, home, money, routes, served
from serinus.service.doctor.diagnosis import Diagnosis, Severity
from serinus.service.doctor.reviewed import check_reviews
from serinus.service.documents import offers_of
from serinus.service.forecast import forecast
from serinus.service.names import Names, names_of
from serinus.service.paid import billed, paid
from serinus.service.planning import ModelPlan
from serinus.service.ports import Account, Clock, Gateway
from serinus.service.storage import Store
from serinus.service.store_errors import StoreError


class Records(Protocol):
    """A gateway that keeps a record of each generation."""

    async def generation(self, identity: str) -> served.Record | None:
        """The record of a generation; None if it never came."""
        ...


@dataclass(frozen=True, slots=True)
class Clinic:
    """A gateway, and what it tells beside answers; None for what it does not have.

    `account` tells of our key and credit, `records` of generations. `plugged` is the same gateway with
    the account's default plugins left on. `needs_key` says that nobody is answered without a key.
    """

    gateway: Gateway
    account: Account | None = None
    records: Records | None = None
    plugged: Gateway | None = None
    needs_key: bool = True


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known without asking the gateway.

    `store` is None where it cannot be opened, `no_store` says why. `named` are the names that the
    configuration uses; those of operators are in the store. `free` is in bytes.
    """

    plans: Mapping[str, ModelPlan]
    contracts: Sequence[str]
    floor: int
    interval: timedelta
    purse: money.Purse
    where: Path
    store: Store | None = None
    no_store: StoreError | None = None
    state: State = field(default_factory=State)
    named: Sequence[routes.Named] = ()
    reviewed: Sequence[Exclude] = ()
    free: int | None = None
    channels: home.Channels = field(default_factory=home.Channels)


@dataclass(slots=True)
class Examination:
    """Looks everything over once.

    After `run`: `reached` says whether the gateway answered at all, `cost` and `tokens` what probes took.
    """

    clinic: Clinic
    clock: Clock
    around: Surroundings
    has_key: bool
    reached: bool = False
    cost: float = 0.0
    tokens: int = 0

    async def run(self, *, probe: bool) -> list[Diagnosis]:
        """Every diagnosis, in the order in which they are read.

        Raises:
            StoreError: the store can be opened and not read.
        """
        found, left = await self._account()
        listings = [await self.clinic.gateway.discover(model) for model in self.around.plans]
        self.reached = self.reached or any(listing.trouble is None for listing in listings)
        for listing in listings:
            found += self._listing(listing)
        found += self._names(listings)
        found += check_reviews(self.around.reviewed, self.clock())
        found += self._budget(listings, left)
        found += self._home()
        hopeless = any(d.topic == "key" and d.severity is Severity.PROBLEM for d in found)
        if probe and not hopeless:
            found += await self._probe(listings)
        return found

    async def _account(self) -> tuple[list[Diagnosis], float | None]:
        """What the gateway says of key, credit and time; and what is left under the key's limit."""
        told = self.clinic.account
        if told is None:
            return [account.check_no_account(self.clinic.gateway.name)], None
        if self.clinic.needs_key and not self.has_key:
            return list(account.check_key(None, self.clock())), None
        before = self.clock()
        state = await told.key_state()
        after = self.clock()
        self.reached = state.known
        found = list(account.check_key(state, after))
        if state.known:
            found += account.check_credit(await told.balance())
            found.append(account.check_clock(state.date, before, after))
        return found, state.limit_remaining

    def _listing(self, listing: Listing) -> Iterator[Diagnosis]:
        plan, store = self.around.plans[listing.model], self.around.store
        yield from routes.check_listing(listing)
        yield from routes.check_changes(listing, offers_of(store.listing(listing.model)) if store else ())
        yield from routes.check_prices(listing)
        yield from routes.check_floor(listing, self.around.floor)
        yield from home.check_languages(plan)
        yield home.check_contracts(plan, self.around.contracts)

    def _names(self, listings: Sequence[Listing]) -> Iterator[Diagnosis]:
        known = {listing.model: self._known(listing) for listing in listings}
        entries = self.around.state.exclusions.values()
        now = self.clock()
        acted = [
            routes.Named(e.name, f"{e.layer} exclusion", e.model)
            for e in entries
            if e.layer != "builtin" and (e.until is None or e.until > now)
        ]
        return routes.check_names([*self.around.named, *acted], known)

    def _known(self, listing: Listing) -> Names:
        """The names of a model that were ever listed, and those listed now."""
        fresh = {offer.route.tag: offer.provider for offer in listing.offers}
        store = self.around.store
        old = (
            names_of(store, self.around.state, listing.model)
            if store
            else Names(listing.model, {}, frozenset())
        )
        return Names(listing.model, {**old.providers, **fresh}, frozenset(fresh) or old.live)

    def _budget(self, listings: Sequence[Listing], left: float | None) -> Iterator[Diagnosis]:
        found = [
            forecast(self.around.plans[listing.model], listing.offers, self.around.interval)
            for listing in listings
            if listing.trouble is None
        ]
        return money.check_budget(found, replace(self.around.purse, left=left))

    def _home(self) -> Iterator[Diagnosis]:
        around, store = self.around, self.around.store
        if around.no_store is not None:
            yield home.check_no_store(around.where, around.no_store)
        if store is not None:
            yield from home.check_store(store)
            yield from home.check_rounds(store, list(around.plans), around.interval, self.clock())
        yield from home.check_disk(around.free, around.where)
        yield from home.check_channels(around.channels)
        yield home.check_heartbeat(around.channels)

    async def _probe(self, listings: Sequence[Listing]) -> list[Diagnosis]:
        """One pinned probe, and one more on the same route that leaves the account's plugins on."""
        listing = next((one for one in listings if one.trouble is None), None)
        if listing is None:
            return []
        plan = self.around.plans[listing.model]
        found: list[Diagnosis] = []
        for offer in served.chosen(listing.offers, plan.controls):
            visit = await self._visit(offer, plan.limits)
            found += served.check_visit(visit)
            if visit.answered:
                found += await self._plugins(offer, plan.limits)
            if not visit.left_out:
                break
        return found

    async def _visit(self, offer: Offer, limits: Limits) -> served.Visit:
        transcript = await self.clinic.gateway.ask(
            offer, served.ASKED, session=self._session(offer, "p"), limits=limits
        )
        records = self.clinic.records
        visit = served.Visit(offer, transcript, recorded=records is not None)
        self._spend(offer, transcript)
        identity = next(iter(transcript.answer.ids), None)
        if records is None or not visit.answered or identity is None:
            return visit
        return replace(visit, record=await records.generation(identity))

    async def _plugins(self, offer: Offer, limits: Limits) -> list[Diagnosis]:
        plugged = self.clinic.plugged
        if plugged is None:
            return []
        turn = Turn(f"doctor@{self.clock().isoformat()}", 0, offer.route.tag, "en")
        asked = replace(structured.ask(turn), stream=False)
        transcript = await plugged.ask(offer, asked, session=self._session(offer, "q"), limits=limits)
        self._spend(offer, transcript)
        found = served.check_plugins(transcript)
        return [] if found is None else [found]

    def _spend(self, offer: Offer, transcript: Transcript) -> None:
        self.cost += paid(offer, transcript.answer.usage) or 0.0
        self.tokens += billed(transcript.answer.usage)

    def _session(self, offer: Offer, which: str) -> str:
        return f"doctor/{self.clock().isoformat()}/{offer.route.tag}/{which}"
