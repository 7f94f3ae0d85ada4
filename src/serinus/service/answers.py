"""One answer under judgement: every contract that reads its kind of probe, and how a round's votes settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from serinus.core.model import Finding, Offer, Verdict, Word
from serinus.core.transcript import Transcript
from serinus.judging.contract import Contract
from serinus.judging.judge import judge
from serinus.judging.votes import COUNTING, settle_round, settle_samples
from serinus.service.planning import Ask


@dataclass(frozen=True, slots=True)
class Answered:
    """One request with what came back and each contract's verdict on it."""

    ask: Ask
    transcript: Transcript
    verdicts: Mapping[str, Verdict]


def judged(ask: Ask, transcript: Transcript, contracts: Sequence[Contract]) -> Answered:
    """The answer with the verdicts of all contracts that read this kind of probe."""
    readers = (c for c in contracts if ask.probe.kind in c.kinds)
    return Answered(ask, transcript, {c.name: judge(c, transcript) for c in readers})


def wants_more(contract: Contract, answered: Sequence[Answered]) -> bool:
    """Whether a contract's only vote that counts is a failure, so that it asks twice more (R6a, R13)."""
    counted = [v for v in _votes(contract, answered) if v.word in COUNTING]
    return len(counted) == 1 and counted[0].word is Word.FAIL


def finding(offer: Offer, contract: Contract, answered: Sequence[Answered]) -> Finding | None:
    """The contract's settled verdict on the route; None if it was not asked in this round.

    A contract whose lone first vote failed is settled as in R13; one that read several answers at
    first fails only if more than half of those that count fail (R6a).
    """
    votes = _votes(contract, answered)
    if not votes:
        return None
    first = [a for a in answered if a.ask.attempt == 0]
    settled = settle_round(votes) if wants_more(contract, first) else settle_samples(votes)
    return Finding(offer.route, contract.name, settled, tuple(votes))


def _votes(contract: Contract, answered: Sequence[Answered]) -> list[Verdict]:
    return [a.verdicts[contract.name] for a in answered if contract.name in a.verdicts]
