"""How a round's verdicts are read: what counts, and when the probe is suspected first (rules 2, 4)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from serinus.core.evidence import Tally
from serinus.core.exclusions import provider_of
from serinus.core.model import Control, Round, Word
from serinus.core.policy.state import ModelState

FILTERING: Final = "filtering"
NOT_ASKED: Final = frozenset({Word.NOT_APPLICABLE, Word.WARN})
COUNTS: Final = frozenset({Word.PASS, Word.FAIL})
FEWEST_FAILING: Final = 3  # so few failing providers may be a coincidence; from three on it is a pattern

Words = dict[str, dict[str, Word]]  # by route, then contract


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A contract that most providers fail for the first time in one round."""

    contract: str
    failing: tuple[str, ...]
    providers: int


def asked(round_: Round, model: ModelState) -> Words:
    """What was asked, by route and contract: no results of a round in flight at a lift, no controls."""
    return {
        tag: {
            contract: word
            for contract, word in words.items()
            if word not in NOT_ASKED and not (contract == FILTERING and tag in round_.controls)
        }
        for tag, words in round_.results.items()
        if not _in_flight(round_, model, tag)
    }


def _in_flight(round_: Round, model: ModelState, tag: str) -> bool:
    lifted = model.route(tag).lifted
    return lifted is not None and round_.at <= lifted


def suspicions(
    words: Words, tallies: Mapping[str, Mapping[str, Tally]], providers: Mapping[str, str]
) -> list[Suspicion]:
    """The contracts of which the probe is to be suspected, by name.

    Only routes that count on a contract and had nothing held against them before are taken, so that
    a few broken hosts that stay broken never look like a broken probe.
    """
    found = []
    for contract in _failed_often(words):
        taken = _taken(contract, words, tallies, providers)
        failing = sorted(p for p, given in taken.items() if given == {Word.FAIL})
        if len(failing) >= FEWEST_FAILING and len(failing) * 2 > len(taken):
            found.append(Suspicion(contract, tuple(failing), len(taken)))
    return found


def _failed_often(words: Words) -> list[str]:
    """The contracts with enough failures to look closer, by name: in most rounds there is none."""
    failures = Counter(
        c for contracts in words.values() for c, word in contracts.items() if word is Word.FAIL
    )
    return sorted(contract for contract, count in failures.items() if count >= FEWEST_FAILING)


def _taken(
    contract: str,
    words: Words,
    tallies: Mapping[str, Mapping[str, Tally]],
    providers: Mapping[str, str],
) -> dict[str, set[Word]]:
    """What each provider's routes say of a contract, of those that count and had no streak before."""
    taken: dict[str, set[Word]] = defaultdict(set)
    for tag, contracts in words.items():
        word = contracts.get(contract)
        if word in COUNTS and contract not in tallies.get(tag, {}):
            taken[provider_of(tag, providers)].add(word)
    return taken


def weak_controls(round_: Round) -> list[str]:
    """The controls that let the filtering probe pass, by name (R8)."""
    return sorted(tag for tag, said in round_.controls.items() if said is Control.PASSED)


def doubted(words: Words, contract: str, word: Word) -> Words:
    """The same readings with this word of this contract read as inconclusive."""
    return {
        tag: {c: Word.INCONCLUSIVE if c == contract and w is word else w for c, w in contracts.items()}
        for tag, contracts in words.items()
    }
