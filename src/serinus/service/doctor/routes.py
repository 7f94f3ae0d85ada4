"""The listing of a model, its prices, and the names that the configuration and operators use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from serinus.core.explain.phrases import counted, listed
from serinus.core.model import Listing, Offer
from serinus.service.doctor.diagnosis import Diagnosis, fine, note, problem
from serinus.service.names import Names, nearest


def check_listing(listing: Listing) -> Iterator[Diagnosis]:
    """Whether the gateway's listing of a model can be believed, and what is odd about it (R1)."""
    model = listing.model
    if listing.trouble is not None:
        remedy = "see whether the name is the gateway's own; rounds go by the last good listing, if any"
        yield problem("listing", f"{_capital(listing.trouble)}.", remedy, model=model)
        return
    providers = {offer.provider for offer in listing.offers}
    found = f"{counted(len(listing.offers), 'route')} of {counted(len(providers), 'provider')} are listed."
    yield fine("listing", found, model=model)
    for said in listing.notes:
        yield note("listing", f"{_capital(said)}.", "nothing, unless the route matters to you", model=model)


def check_floor(listing: Listing, floor: int) -> Iterator[Diagnosis]:
    """Whether there are enough providers that a suspension is possible at all (R18)."""
    if listing.trouble is not None:
        return
    providers = {offer.provider for offer in listing.offers}
    if len(providers) <= floor:
        found = (
            f"{counted(len(providers), 'provider')} and a floor of {floor}: no route can ever be suspended, "
            "operators are told instead."
        )
        yield note(
            "floor", found, "lower policy.floor if one provider is better than a bad one", model=listing.model
        )


def check_changes(listing: Listing, last: Sequence[Offer]) -> Iterator[Diagnosis]:
    """What the listing has become since the last good one: routes gone, new, or renamed."""
    if listing.trouble is not None or not last:
        return
    before = {o.route.tag: o for o in last}
    now = {o.route.tag: o for o in listing.offers}
    gone = [o for tag, o in before.items() if tag not in now]
    new = [o for tag, o in now.items() if tag not in before]
    for old, fresh in _renamed(gone, new):
        found = (
            f"{old.route.tag} is gone and {fresh.route.tag} is new: perhaps one endpoint under another name."
        )
        remedy = "name the new tag in controls and exclusions; its history starts anew"
        yield note("renamed", found, remedy, model=listing.model)
    renamed = {o.route.tag for pair in _renamed(gone, new) for o in pair}
    others = [o.route.tag for o in (*gone, *new) if o.route.tag not in renamed]
    if others:
        left = ", ".join(f"{'-' if tag in before else '+'}{tag}" for tag in sorted(others))
        remedy = "nothing: rounds follow the listing"
        yield note(
            "listing", f"Since the last round the listing changed: {left}.", remedy, model=listing.model
        )


def _renamed(gone: Iterable[Offer], new: Iterable[Offer]) -> list[tuple[Offer, Offer]]:
    """Routes of one provider of which one went as one came."""
    left, came = _by_provider(gone), _by_provider(new)
    return [(left[p][0], came[p][0]) for p in left if len(left[p]) == len(came.get(p, [])) == 1]


def _by_provider(offers: Iterable[Offer]) -> dict[str, list[Offer]]:
    found: dict[str, list[Offer]] = {}
    for offer in offers:
        found.setdefault(offer.provider, []).append(offer)
    return found


def check_prices(listing: Listing) -> Iterator[Diagnosis]:
    """Whether each route has a price, without which no forecast counts it (R34)."""
    if listing.trouble is not None:
        return
    without = [o.route.tag for o in listing.offers if not o.priced]
    if without:
        found = f"Without a price, and so in no forecast: {', '.join(without)}."
        yield note(
            "prices",
            found,
            "look at the day's spending, if the gateway reports what an answer costs",
            model=listing.model,
        )
    else:
        yield fine("prices", "Every route has a price.", model=listing.model)


@dataclass(frozen=True, slots=True)
class Named:
    """A name that somebody wrote: in which place, for which model (None: all)."""

    name: str
    place: str
    model: str | None = None


def check_names(named: Iterable[Named], known: Mapping[str, Names]) -> Iterator[Diagnosis]:
    """Whether each name covers anything that the gateway knows; it drops the others silently (R23)."""
    seen = matched = 0
    for one in named:
        among = [names for model, names in known.items() if one.model in (None, model)]
        if not any(names.all for names in among):
            continue  # nothing was ever listed: nothing can be said
        seen += 1
        covered = {tag for names in among for tag in names.covered(one.name)}
        live = {tag for names in among for tag in names.live}
        if not covered:
            yield _unmatched(one, among)
        elif covered.isdisjoint(live):
            found = f"{one.name!r} ({one.place}) covers only what is not listed now: {listed(covered)}."
            yield note("names", found, "take it out if they are gone for good", model=one.model)
        else:
            matched += 1
    if seen and seen == matched:
        yield fine("names", f"{counted(seen, 'name')} in controls and exclusions: each covers a live route.")


def _unmatched(one: Named, among: Sequence[Names]) -> Diagnosis:
    close = nearest(one.name, among)
    where = ", ".join(names.model for names in among)
    found = (
        f"{one.name!r} ({one.place}) covers no known route of {where}: it has no effect, and nobody says so."
    )
    remedy = (
        f"did you mean {' or '.join(close)}?" if close else "take it out, or look the tag up in the listing"
    )
    return problem("names", found, remedy, model=one.model)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}"
