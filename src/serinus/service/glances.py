"""A round at a glance: each route's words, a letter a contract. A page reads a day of all models so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final, Protocol

from serinus.core.model import Word

LETTERS: Final[Mapping[Word, str]] = MappingProxyType(
    {
        Word.PASS: "p",
        Word.FAIL: "f",
        Word.WARN: "w",
        Word.INCONCLUSIVE: "i",
        Word.TRANSPORT: "t",
        Word.VOID: "v",
        Word.NOT_APPLICABLE: "n",
        Word.WEAK: "k",
        Word.ALARM: "a",
    }
)
WORDS: Final = MappingProxyType({letter: word for word, letter in LETTERS.items()})
WORST_FIRST: Final = (  # the word that stands for several
    Word.ALARM,
    Word.FAIL,
    Word.WEAK,
    Word.WARN,
    Word.INCONCLUSIVE,
    Word.VOID,
    Word.TRANSPORT,
    Word.PASS,
    Word.NOT_APPLICABLE,
)
NOT_FOUND: Final = "."  # the contract has no finding on that route


@dataclass(frozen=True, slots=True)
class Glance:
    """One closed round: of each route a string, whose n-th letter is the word of the n-th contract."""

    model: str
    at: datetime
    contracts: tuple[str, ...]
    routes: Mapping[str, str]

    def of(self, tag: str) -> Iterator[tuple[str, Word]]:
        """A route's contracts that were found on, each with its word."""
        for contract, letter in zip(self.contracts, self.routes.get(tag, ""), strict=False):
            if letter in WORDS:
                yield contract, WORDS[letter]


def glance_of(model: str, at: datetime, found: Iterable[tuple[str, str, Word]]) -> Glance:
    """A round at a glance, of its (tag, contract, word)s."""
    words: dict[str, dict[str, str]] = {}
    for tag, contract, word in found:
        words.setdefault(tag, {})[contract] = LETTERS[word]
    contracts = tuple(sorted({c for of_route in words.values() for c in of_route}))
    routes = {tag: "".join(of_route.get(c, NOT_FOUND) for c in contracts) for tag, of_route in words.items()}
    return Glance(model, at, contracts, routes)


class Glances(Protocol):
    """Where glances are kept, as long as findings are."""

    def since(self, at: datetime, model: str | None = None) -> Sequence[Glance]:
        """Closed rounds planned at `at` or later, oldest first; of all models with None."""
        ...
