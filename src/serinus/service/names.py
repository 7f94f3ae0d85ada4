"""Which names the gateway understands: what was listed of a model, and what a name covers there (R23)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from serinus.core.exclusions import covers, provider_of
from serinus.core.policy import State
from serinus.service.documents import offers_of
from serinus.service.storage import Store

NEAREST: Final = 3  # names that are offered in place of one that is not known


@dataclass(frozen=True, slots=True)
class Names:
    """The routes of a model that were ever listed, each with its provider; `live` are listed now.

    `displays` are the names by which answers tell who served, of those that are listed.
    """

    model: str
    providers: Mapping[str, str]
    live: frozenset[str]
    displays: Mapping[str, str] = field(default_factory=dict)

    def covered(self, name: str) -> list[str]:
        """The routes that a name covers: that of the tag, or all of the provider."""
        return sorted(tag for tag in self.providers if covers(name, tag, self.providers))

    def served(self, tag: str | None, display: str | None) -> tuple[str, ...]:
        """The routes that a served request names: one by its tag, or all that share the answer's name.

        A route that is listed no longer goes by its provider's name.
        """
        if tag is not None or not display:
            return () if tag is None else (tag,)
        name = display.casefold()
        known = {t: self.displays.get(t, provider) for t, provider in self.providers.items()}
        return tuple(sorted(t for t, shown in known.items() if shown.casefold() == name))

    @property
    def all(self) -> frozenset[str]:
        """Every name that covers anything."""
        return frozenset(self.providers) | frozenset(self.providers.values())


def names_of(store: Store, state: State, model: str) -> Names:
    """The names of a model, from its last good listing and its rounds."""
    offers = offers_of(store.listing(model))
    listed = {offer.route.tag: offer.provider for offer in offers}
    known = state.model(model)
    seen = {*known.routes, *known.answered, *known.live}
    providers = {tag: provider_of(tag, known.providers) for tag in seen} | listed
    displays = {offer.route.tag: offer.display for offer in offers}
    return Names(model, providers, frozenset(listed) or known.live, displays)


def nearest(name: str, known: Iterable[Names]) -> list[str]:
    """The known names most like this one, the nearest first."""
    by_folded = {n.casefold(): n for names in known for n in sorted(names.all)}
    close = get_close_matches(name.casefold(), by_folded, n=NEAREST, cutoff=0.5)
    return [by_folded[n] for n in close]


class UnknownNameError(LookupError):
    """A name covers no known route; the message offers the nearest ones."""


def proved(name: str, known: Iterable[Names]) -> dict[str, list[str]]:
    """The routes that a name covers, by model, without models where it covers none.

    Raises:
        UnknownNameError: it covers nothing known of any of the models.
    """
    among = list(known)
    covered = {names.model: tags for names in among if (tags := names.covered(name))}
    if covered:
        return covered
    models = ", ".join(names.model for names in among) or "any model"
    if not any(names.all for names in among):
        said = "Nothing was listed yet: hold a round first."
    elif close := nearest(name, among):
        said = f"The nearest known names: {', '.join(close)}."
    else:
        said = "`serinus status` shows the routes, `exclusions merged` what the gateway gets."
    message = f"{name!r} covers no known route of {models}, and the gateway drops such names silently. {said}"
    raise UnknownNameError(message)
